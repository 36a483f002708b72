/* LIBSVM and separated values. Each text is also read gzipped, with other line ends and in
 * batches. */
#include "data_support.h"

#include "base/text/text.h"

static void libsvm_rows_stay_sparse(void **state) {
    (void)state;
    const char *text = "# a comment\n"
                       "+1 1:0.5 3:-2e1 # more\n"
                       "\n"
                       "-1.0 qid:7 2:1\t7:0\n"
                       "1\n"
                       "-1 7:.25\n";
    table *rows = read_text(text, NULL);
    assert_string_equal(label_column_of(text, NULL), "libsvm first");
    assert_int_equal(rows->rows, 4);
    assert_int_equal(rows->columns, 7);
    assert_non_null(rows->starts);
    assert_int_equal(rows->starts[4], 4); /* zeros are not stored */
    assert_true(cell_at(rows, 0, 0) == 0.5 && cell_at(rows, 0, 2) == -20 && cell_at(rows, 3, 6) == 0.25);
    assert_string_equal(label_at(rows, 0), "1");
    assert_string_equal(label_at(rows, 1), "-1");
    assert_string_equal(label_at(rows, 2), "1");
    assert_null(rows->labels.words.texts);
    assert_int_equal(table_settle(rows, NULL), CNM_OK);
    assert_non_null(rows->starts);
    table_destroy(rows);
}

static void dense_libsvm_rows_settle_dense(void **state) {
    (void)state;
    table *rows = read_text("a 1:1 2:2\nb 2:3\nc 1:4\n", NULL);
    table *sparse = read_text("a 1:1 2:2\nb 2:3\nc 1:4\n", NULL);
    assert_int_equal(table_settle(rows, NULL), CNM_OK);
    assert_null(rows->starts);
    for (size_t i = 0; i < 3; i++) {
        for (size_t j = 0; j < 2; j++) {
            assert_true(cell_at(rows, i, j) == cell_at(sparse, i, j));
        }
    }
    assert_string_equal(label_at(rows, 2), "c");
    table_destroy(rows);
    table_destroy(sparse);
}

static void libsvm_from_zero_is_noticed(void **state) {
    (void)state;
    const char *text = "1 1:1\n0 0:2 3:3\n";
    notices heard = {0};
    table *rows;
    assert_int_equal(read_batches(&rows, text, strlen(text), NULL, 1, &heard, NULL), CNM_OK);
    assert_int_equal(rows->columns, 4);
    assert_true(cell_at(rows, 0, 1) == 1 && cell_at(rows, 1, 0) == 2 && cell_at(rows, 1, 3) == 3);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.latest, "f: indices start at 0, so index 0 is taken as the first column");
    table_destroy(rows);
}

/* What is given decides, whatever the file holds; what was decided can be asked for. */
static void libsvm_indices_count_as_given(void **state) {
    static const struct {
        const char *text;
        index_base given, found;
        size_t columns;
    } CASES[] = {
        {"1 1:5 3:1\n", INDEX_UNKNOWN, INDEX_FROM_ONE, 3},    {"1 0:5 3:1\n", INDEX_UNKNOWN, INDEX_FROM_ZERO, 4},
        {"1 1:5 3:1\n", INDEX_FROM_ZERO, INDEX_FROM_ZERO, 4}, {"1 1:5 3:1\n", INDEX_FROM_ONE, INDEX_FROM_ONE, 3},
        {"1,2,0\n", INDEX_UNKNOWN, INDEX_UNKNOWN, 2},
    };
    (void)state;
    const char *path = temporary_path("base.txt");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const reader_options options = {.index_base = CASES[i].given};
        table *rows = read_text(CASES[i].text, &options);
        assert_int_equal(rows->columns, CASES[i].columns);
        table_destroy(rows);
        read_facts found;
        write_file(path, CASES[i].text, strlen(CASES[i].text));
        assert_int_equal(table_read(&rows, path, &options, &found, NULL, NULL), CNM_OK);
        assert_int_equal(found.base, CASES[i].found);
        memory_free(found.label);
        table_destroy(rows);
    }
    (void)unlink(path);
}

static void libsvm_without_labels_needs_to_be_asked_for(void **state) {
    (void)state;
    const reader_options options = {.label_column = "none"};
    table *rows = read_text("1:1 2:2\n2:3\n", &options);
    assert_false(rows->labelled);
    assert_int_equal(rows->columns, 2);
    table_destroy(rows);
    rows = read_text("5 1:1 2:2\n6 2:3\n", &options);
    assert_false(rows->labelled);
    table_destroy(rows);
}

static void colons_alone_do_not_make_libsvm(void **state) {
    static const char *const TEXTS[] = {
        "x,when\n1,12:30:05\n2,12:30:06\n",
        "1,12:30\n2,12:45\n",
        "1 2.5 12:30:05\n2 3.5 12:30:06\n",
        "1 12:30:05\n2 12:30:06\n",
        "1 1:30 12:30:05\n2 1:31 12:30:06\n",
        "1;2024-01-02 12:30;4\n2;2024-01-02 12:31;5\n",
        "2024-01-02 12:30,4,1\n2024-01-02 12:31,5,0\n",
        "2024-01-02 12:30:05,4,1\n",
        "name time\nann 12:30\n",
        "2.5 ratio:a\n3.5 ratio:b\n",
        "2.5\t3:a\n3.5\t4:b\n",
        "x y\n1 2:1\n3 4\n",
    };
    (void)state;
    const reader_options options = {.label_column = "last"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        const char *found = label_column_of(TEXTS[i], &options);
        if (strncmp(found, "csv ", 4) != 0) {
            fail_msg("%s for:\n%s", found, TEXTS[i]);
        }
    }
}

/* Names, or first/last, of the label column that is found. */
static void csv_shapes_are_detected(void **state) {
    static const struct {
        const char *text, *found;
        size_t rows, columns;
    } CASES[] = {
        {"1,2,0\n3,4,1\n", "csv last", 2, 2},
        {"a,b,c\n1,2,0\n3,4,1\n", "csv c", 2, 2},
        {"a,Class,c\n1,2,0\n3,4,1\n", "csv Class", 2, 2},
        {"Y;x\n1;2\n0;4\n", "csv Y", 2, 1},
        {"T,2,8\nI,5,12\nT,1,1\n", "csv first", 3, 2},
        {"2.5,8,g\n5,12,h\n", "csv last", 2, 2},
        {"2.5,g,8\n5,h,12\n", "csv 2", 2, 2},
        {"1\t2\t0\n3\t4\t1\n", "csv last", 2, 2},
        {"1\t2\t0\n3\t\t4\t1\n5\t6\t\t0\n", "csv last", 3, 2},
        {"1|2|0\n3|4|1\n", "csv last", 2, 2},
        {"1, 2, 0\n3, 4, 1\n", "csv last", 2, 2},
        {"  6 -1 -0.5 \n  5 0.25   -1\n 6 1 0.5\n 5 1 -1\n", "csv first", 4, 2},
        {"1 14.2 1065\n1 13.2 1050\n2 13.1 1185\n2 14.3 1480\n", "csv first", 4, 2},
        {"0 1 1\n1 3 0\n0 4 1\n1 5 0\n", "csv last", 4, 2},
        {"1 14.2 1065.5\n2 13.2 1050\n3 13.1 1185\n4 14.3 1480\n", "csv last", 4, 2},
        {"-1 14.2 1065\n1 13.2 1050\n1 13.1 1185\n-1 14.3 1480\n", "csv first", 4, 2},
        /* a pixel is no label */
        {"0 7 0\n1 7 88\n0 9 0\n1 9 0\n0 7 0\n1 7 0\n", "csv first", 6, 2},
        /* nor are cylinders, */
        {"4 14.2 18.5\n8 13.2 15\n8 13.1 14\n4 14.3 31\n", "csv last", 4, 2},
        /* ages, */
        {"30 14.2 18.5\n31 13.2 15\n31 13.1 14\n30 14.3 31\n", "csv last", 4, 2},
        /* frequencies */
        {"800 14.2 126\n1000 13.2 125\n800 13.1 125\n1000 14.3 120\n", "csv last", 4, 2},
        /* and 0/1 columns */
        {"0 1 14.2 1065\n1 0 13.2 1050\n1 0 13.1 1185\n0 1 14.3 1480\n", "csv last", 4, 3},
        {"# made by hand\n# twice\n1,2,0\n3,4,1\n", "csv last", 2, 2},
        {"sep=;\na;b;label\n1;2;0\n3;4;1\n", "csv label", 2, 2},
        {"\"sep=,\"\n1,2,0\n3,4,1\n", "csv last", 2, 2},
        {"\"a\",\"b, c\",\"label\"\n1,2,0\n3,4,1\n", "csv label", 2, 2},
        {"1,2,\"x, y\"\n3,4,\"he said \"\"no\"\"\"\n", "csv last", 2, 2},
        {"1;2,5;x\n", "csv last", 0, 0},
        {"x,y,ring\n1,2,in\n3,4,out\n", "csv ring", 2, 2},
        {"x,y,z\n1,2,0.5\n3,4,0.25\n", "csv y", 2, 2},
        {"a,b,x\na,c,z\na,b,z\n", "csv last", 0, 0},
        /* words alone that never come again are names */
        {"v,w,kind\na,b,x\na,c,z\n", "csv kind", 0, 0},
        /* truths are numbers among features, */
        {"a,b,c\n1,True,2.5\n2,False,3.5\n", "csv c", 2, 2},
        {"1,TRUE,x\n2,FALSE,z\n", "csv last", 2, 2},
        {"a,b\n1.5,true\n2.5,false\n", "csv b", 2, 1}, /* and labels in the label's column */
        {"0,1,2\n1.5,2,0\n3,4,1\n", "csv 2", 2, 2},    /* counted columns, as pandas writes them, */
        {"0,1,2,kind\n1.5,2,0,x\n3,4,1,z\n", "csv kind", 2, 3},
        {",0,1,2\n5,1.5,2,0\n9,3,4,1\n", "csv 2", 2, 2},
        {"0,1,2,3,4,5,6,7\n1,1,1,1,1,1,1,0\n2,2,2,2,2,2,2,1\n", "csv 7", 2, 7},
        {"0,1,2\n1,2,0\n3,4,1\n", "csv last", 3, 2}, /* which small numbers are not */
        {"0,1,3\n1.5,2,0\n3,4,1\n", "csv last", 3, 2},
        {"0,1\n1.5,2\n3,4\n", "csv last", 3, 1},
        {",a,b,kind\n7,1,2,x\n3,3,4,z\n", "csv kind", 2, 2}, /* row names, as pandas writes them, */
        {"Unnamed: 0,a,b,c\n0,1,2,5\n1,3,4,6\n", "csv c", 2, 2},
        /* and R: words that are no label */
        {"\"\",\"a\",\"b\"\n\"one\",1,2\n\"two\",3,4\n", "csv b", 2, 1},
        {",a,,c\n7,1,2,5\n3,3,4,6\n", "csv c", 2, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_string_equal(label_column_of(CASES[i].text, NULL), CASES[i].found);
        if (CASES[i].rows > 0) {
            table *rows = read_text(CASES[i].text, NULL);
            assert_int_equal(rows->rows, CASES[i].rows);
            assert_int_equal(rows->columns, CASES[i].columns);
            table_destroy(rows);
        }
    }
}

static void truths_are_one_and_zero_but_words_as_labels(void **state) {
    const reader_options options = {.label_column = "last"};
    (void)state;
    table *rows = read_text("True,false,TRUE,True\nfalse,\"true\",FALSE,False\n", &options);
    for (size_t j = 0; j < 3; j++) {
        assert_true(cell_at(rows, 0, j) == (j != 1) && cell_at(rows, 1, j) == (j == 1));
    }
    assert_string_equal(label_at(rows, 0), "True");
    table_destroy(rows);
}

static void csv_cells_and_labels(void **state) {
    (void)state;
    table *rows =
        read_text("\"first\", second ,kind\n \"1.5\" , -2 ,\"he said \"\"no\"\"\"\n+3e2,.5,a b\n\n7,8,7.0\n", NULL);
    assert_int_equal(rows->rows, 3);
    assert_string_equal(rows->names[0], "first");
    assert_string_equal(rows->names[1], "second");
    assert_true(cell_at(rows, 0, 0) == 1.5 && cell_at(rows, 0, 1) == -2 && cell_at(rows, 1, 0) == 300);
    assert_string_equal(label_at(rows, 0), "he said \"no\"");
    assert_string_equal(label_at(rows, 1), "a b");
    assert_string_equal(label_at(rows, 2), "7");
    table_destroy(rows);
}

static void options_override_what_is_detected(void **state) {
    (void)state;
    const reader_options by_name = {.label_column = "b", .weight_column = "w"};
    table *rows = read_text("a,b,w,y\n1,2,0.5,4\n5,6,0,8\n", &by_name);
    assert_int_equal(rows->columns, 2);
    assert_string_equal(rows->names[1], "y");
    assert_string_equal(label_at(rows, 1), "6");
    assert_true(rows->weights[0] == 0.5f && rows->weights[1] == 0);
    table_destroy(rows);
    const reader_options by_number = {.label_column = "2", .header = -1, .separator = ';'};
    rows = read_text("1;x;3\n4;5;6\n", &by_number);
    assert_int_equal(rows->columns, 2);
    assert_string_equal(label_at(rows, 0), "x");
    table_destroy(rows);
    const reader_options none = {.label_column = "none", .header = 1};
    rows = read_text("1,2\n3,4\n5,6\n", &none);
    assert_false(rows->labelled);
    assert_int_equal(rows->rows, 2);
    assert_string_equal(rows->names[1], "2");
    table_destroy(rows);
    const reader_options first = {.label_column = "first", .weight_column = "1"};
    rows = read_text("0.5,7,1\n0.25,8,2\n", &first);
    assert_string_equal(label_at(rows, 0), "7");
    assert_true(rows->weights[1] == 0.25f);
    table_destroy(rows);
}

static void missing_cells_are_kept_when_asked(void **state) {
    (void)state;
    const reader_options options = {.missing = MISSING_KEEP};
    table *rows = read_text("a,b,c,label\n1,,3,x\nNA,nan,N/A,y\n?,null,7,x\n2,4,5,y\n", &options);
    double used[3];
    assert_int_equal(rows->missing, 6);
    assert_true(isnan(cell_at(rows, 0, 1)) && isnan(cell_at(rows, 1, 0)) && isnan(cell_at(rows, 2, 0)));
    assert_int_equal(table_fill_missing(rows, NULL, used, NULL), CNM_OK);
    assert_true(used[0] == 1.5 && used[1] == 4 && used[2] == 5);
    assert_true(cell_at(rows, 1, 0) == 1.5 && cell_at(rows, 2, 1) == 4 && cell_at(rows, 0, 2) == 3);
    assert_int_equal(rows->missing, 0);
    table_destroy(rows);
    rows = read_text("1,,0\n2,4,1\n", &options);
    const double means[2] = {9, 11};
    assert_int_equal(table_fill_missing(rows, means, NULL, NULL), CNM_OK);
    assert_true(cell_at(rows, 0, 1) == 11 && cell_at(rows, 0, 0) == 1);
    table_destroy(rows);
}

/* float alone would be 64 apart at 1.7e9; the base leaves an error below 2^-24 * 3600. */
static void columns_far_from_zero_keep_their_digits(void **state) {
    (void)state;
    char text[8192], number[TEXT_DOUBLE_SIZE];
    double expected[100];
    size_t at = 0;
    for (int i = 0; i < 100; i++) {
        expected[i] = 1.7e9 - 3600 + 72.03125 * i;
        number[text_from_double(number, expected[i])] = '\0';
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,%d,-1,%d\n", number, i, i % 2);
    }
    table *rows = read_text(text, NULL);
    assert_non_null(rows->base);
    assert_true(rows->base[0] == expected[0] && rows->base[1] == 0);
    assert_true(rows->base[2] == 0); /* constant, but a float holds it */
    for (size_t i = 0; i < 100; i++) {
        assert_true(fabs(cell_at(rows, i, 0) - expected[i]) <= 7200 * ldexp(1, -24));
        assert_true(cell_at(rows, i, 1) == (double)i);
    }
    table_destroy(rows);
}

/* Deep in a file, behind the rows that decide. */
static void base_does_not_depend_on_batches(void **state) {
    (void)state;
    const size_t count = 5000;
    char *text = malloc(count * 64);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        at += (size_t)snprintf(text + at, 64, "%zu.1,%zu,%zu\n", (size_t)100000000 + i % 1000, i < 4096 ? 7 : i, i % 3);
    }
    table *rows = read_good(text, at, NULL, 100000);
    assert_int_equal(rows->rows, count);
    assert_non_null(rows->base);
    assert_true(rows->base[0] == 100000000.1);
    assert_reads_same(rows, text, at, NULL, 1);
    assert_reads_same(rows, text, at, NULL, 999);
    assert_reads_same(rows, text, at, NULL, 4096);
    table_destroy(rows);
    free(text);
}

/* One line of ten million bytes in each text format. */
static void lines_may_be_long(void **state) {
    enum { COLUMNS = 1000000 };
    (void)state;
    char *text = malloc(COLUMNS * 12 + 16);
    size_t at = (size_t)sprintf(text, "1");
    for (size_t j = 1; j <= COLUMNS; j++) {
        at += (size_t)sprintf(text + at, " %zu:0.5", j);
    }
    assert_true(at > 10000000);
    table *rows = read_good(text, at, NULL, 10);
    assert_int_equal(rows->columns, COLUMNS);
    assert_int_equal(rows->starts[1], COLUMNS);
    table_destroy(rows);
    at = 0;
    for (size_t j = 0; j < COLUMNS; j++) {
        at += (size_t)sprintf(text + at, "%d.2500000,", (int)(j % 10));
    }
    at += (size_t)sprintf(text + at, "3");
    assert_true(at > 10000000);
    rows = read_good(text, at, NULL, 10);
    assert_int_equal(rows->columns, COLUMNS);
    assert_true(cell_at(rows, 0, COLUMNS - 1) == 9.25);
    table_destroy(rows);
    free(text);
}

/* A pixel at the rim, 0 in nearly all rows and by chance 1 in the others, leaves the classes before
 * it alone. */
static void rare_numbers_are_no_rival_of_the_first_column(void **state) {
    enum { ROWS = 40 };
    char text[ROWS * 16];
    (void)state;
    for (size_t ones = 1; ones <= 3; ones += 2) {
        size_t at = 0;
        for (size_t i = 0; i < ROWS; i++) {
            at += (size_t)sprintf(text + at, "%zu,%d,%zu.5\n", i % 2, i >= ROWS - ones, i);
        }
        assert_string_equal(label_column_of(text, NULL), ones == 1 ? "csv first" : "csv last");
    }
}

/* Returns the notice about a text's label, or "". */
static const char *notices_of(notices *heard, const char *text, const reader_options *options) {
    table *rows;
    *heard = (notices){0};
    assert_int_equal(read_batches(&rows, text, strlen(text), options, 9, heard, NULL), CNM_OK);
    table_destroy(rows);
    return heard->count > 0 ? heard->latest : "";
}

static void guesses_about_columns_are_noticed(void **state) {
    (void)state;
    static const char *const FIRST = "6 -1 -0.5\n5 0.25 -1\n6 1 0.5\n5 1 -1\n";
    static const char *const LAST = "1 0 -0.5\n0 1 -1\n1 1 0.5\n0 0 -1\n";
    static const char *const NAMED = ",a,b\n7,1,2\n3,3,4\n";
    const reader_options settled = {.label_column = "last"}, by_number = {.label_column = "1"};
    notices heard;
    assert_non_null(strstr(notices_of(&heard, FIRST, NULL), "the first column is taken as the label"));
    assert_non_null(strstr(notices_of(&heard, LAST, NULL), "the last column is taken as the label"));
    assert_string_equal(notices_of(&heard, FIRST, &settled), "");
    assert_string_equal(notices_of(&heard, LAST, &settled), "");
    assert_non_null(strstr(notices_of(&heard, NAMED, &settled), "names of the rows and left out"));
    assert_non_null(strstr(notices_of(&heard, "0,1,2\n1.5,2,0\n", NULL), "the first line counts the columns"));
    assert_string_equal(notices_of(&heard, "a,sex\n1.5,m\n2.5,f\n", NULL), "");
    assert_string_equal(notices_of(&heard, "class,a\nm,1.5\nf,2.5\n", NULL), "");
    assert_string_equal(notices_of(&heard, NAMED, &by_number), "");
    assert_string_equal(label_column_of(NAMED, &by_number), "csv ");
    assert_string_equal(notices_of(&heard, "0.5 0 1\n1 1 0\n2 0 1\n3 1 0\n", NULL), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libsvm_rows_stay_sparse),
        cmocka_unit_test(dense_libsvm_rows_settle_dense),
        cmocka_unit_test(libsvm_from_zero_is_noticed),
        cmocka_unit_test(libsvm_indices_count_as_given),
        cmocka_unit_test(libsvm_without_labels_needs_to_be_asked_for),
        cmocka_unit_test(colons_alone_do_not_make_libsvm),
        cmocka_unit_test(csv_shapes_are_detected),
        cmocka_unit_test(truths_are_one_and_zero_but_words_as_labels),
        cmocka_unit_test(csv_cells_and_labels),
        cmocka_unit_test(options_override_what_is_detected),
        cmocka_unit_test(missing_cells_are_kept_when_asked),
        cmocka_unit_test(columns_far_from_zero_keep_their_digits),
        cmocka_unit_test(base_does_not_depend_on_batches),
        cmocka_unit_test(lines_may_be_long),
        cmocka_unit_test(rare_numbers_are_no_rival_of_the_first_column),
        cmocka_unit_test(guesses_about_columns_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
