/* Rows for a model: columns by name where both sides have names, else by number; its base, its
 * unknown indices. */
#include "data_support.h"

static const char *const NAMES[] = {"a", "b", "c"};

static table *read_for(const char *text, const reader_options *options, notices *heard) {
    table *rows;
    cnm_error err = {0};
    *heard = (notices){0};
    if (read_batches(&rows, text, strlen(text), options, 2, heard, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    return rows;
}

static void assert_refused(const char *text, const reader_options *options, const char *message) {
    table *rows;
    cnm_error err = {0};
    assert_int_equal(read_batches(&rows, text, strlen(text), options, 2, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message, message);
}

static void named_columns_are_put_in_the_models_order(void **state) {
    const reader_options options = {.expects = true, .columns = 3, .names = NAMES, .label_column = "k"};
    notices heard;
    (void)state;
    table *rows = read_for("c,k,id,a,b\n3,yes,9,1,2\n6,no,9,4,5\n", &options, &heard);
    assert_int_equal(rows->columns, 3);
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 3; j++) {
            assert_true(cell_at(rows, i, j) == (double)(3 * i + j + 1));
        }
    }
    assert_string_equal(rows->names[0], "a");
    assert_string_equal(label_at(rows, 1), "no");
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.latest, "f: 1 column that the model does not know is left out: 'id'");
    table_destroy(rows);
    rows = read_for("c,b,a\n3,2,1\n", &options, &heard); /* no label there: unlabelled */
    assert_false(rows->labelled);
    assert_int_equal(heard.count, 0);
    table_destroy(rows);
    /* words in unused columns do no harm */
    rows = read_for("c,b,a,word\n3,2,1,x\n6,5,4,y\n", &options, &heard);
    assert_int_equal(rows->columns, 3);
    table_destroy(rows);
    assert_refused("c,k,a\n3,yes,1\n", &options, "f: the column 'b', which the model expects, is missing");
}

static void unnamed_columns_are_counted(void **state) {
    reader_options options = {.expects = true, .columns = 3, .names = NAMES, .label_column = "2"};
    notices heard;
    (void)state;
    table *rows = read_for("1,9,2,3\n4,8,5,6\n", &options, &heard);
    assert_true(rows->labelled && rows->columns == 3 && cell_at(rows, 1, 1) == 5);
    assert_string_equal(label_at(rows, 0), "9");
    table_destroy(rows);
    rows = read_for("1,9,2\n4,8,5\n", &options, &heard);
    assert_true(!rows->labelled && rows->columns == 3 && cell_at(rows, 0, 1) == 9);
    table_destroy(rows);
    assert_refused("1,2\n3,4\n", &options, "f: found 2 columns, but the model expects 3, or 4 with labels");
    assert_refused("1,2,3,4,5\n", &options, "f: found 5 columns, but the model expects 3, or 4 with labels");
    options.label_column = "kind"; /* the model's rows had names, these have none */
    assert_refused(
        "1,2,3,4\n", &options,
        "f: found 4 columns where the model expects 3, so one may be the label: give the label column as first, "
        "last or a number");
    options.label_column = "last";
    options.names = NULL;
    rows = read_for("p,q,r,s\n1,2,3,4\n", &options, &heard); /* a model without names counts */
    assert_string_equal(label_at(rows, 0), "4");
    table_destroy(rows);
}

static void names_of_rows_are_no_column_of_the_models(void **state) {
    reader_options options = {.expects = true, .columns = 3, .names = NAMES, .label_column = "k"};
    notices heard;
    (void)state;
    table *rows = read_for(",c,k,a,b\nr1,3,yes,1,2\nr2,6,no,4,5\n", &options, &heard);
    assert_true(rows->labelled && rows->columns == 3 && cell_at(rows, 1, 0) == 4);
    assert_int_equal(heard.count, 0);
    table_destroy(rows);
    options.names = NULL;
    options.label_column = "last";
    rows = read_for(",p,q,r,s\n9,1,2,3,4\n", &options, &heard);
    assert_true(rows->columns == 3 && cell_at(rows, 0, 0) == 1);
    assert_string_equal(label_at(rows, 0), "4");
    table_destroy(rows);
    rows = read_for(",p,q,r\n9,1,2,3\n", &options, &heard);
    assert_true(!rows->labelled && rows->columns == 3 && cell_at(rows, 0, 0) == 1);
    table_destroy(rows);
}

/* Rows with small numbers alone would not show the difference. */
static void names_that_count_are_known_from_the_model(void **state) {
    static const char *const COUNTED[] = {"0", "1"};
    const reader_options options = {.expects = true, .columns = 2, .names = COUNTED, .label_column = "2"};
    notices heard;
    (void)state;
    table *rows = read_for("0,1,2\n4,5,1\n", &options, &heard);
    assert_true(rows->rows == 1 && rows->labelled && cell_at(rows, 0, 1) == 5);
    table_destroy(rows);
    rows = read_for("4,5\n0,1\n", &options, &heard);
    assert_true(rows->rows == 2 && !rows->labelled);
    table_destroy(rows);
}

static void the_models_base_is_used(void **state) {
    static const double BASE[] = {1.7e9, 0, 5};
    const reader_options options = {.expects = true, .columns = 3, .base = BASE, .label_column = "last"};
    const reader_options without = {.expects = true, .columns = 3, .label_column = "last"};
    notices heard;
    (void)state;
    table *rows = read_for("1700000001,9,2,0\n1700000003,8,5,1\n", &options, &heard);
    assert_true(rows->base[0] == 1.7e9 && rows->values[0] == 1 && rows->values[5] == 0 && cell_at(rows, 0, 2) == 2);
    table_destroy(rows);
    rows = read_for("1700000001,9,2,0\n1700000003,8,5,1\n", &without, &heard);
    assert_null(rows->base);
    table_destroy(rows);
}

static void unknown_indices_are_dropped_and_counted_once(void **state) {
    reader_options options = {.expects = true, .columns = 3, .label_column = "last"};
    notices heard;
    (void)state;
    table *rows = read_for("1 1:1 3:3 4:4 9:9\n2 2:2\n1 4:1\n", &options, &heard);
    assert_int_equal(rows->columns, 3);
    assert_int_equal(rows->starts[3], 3);
    assert_true(cell_at(rows, 0, 2) == 3 && cell_at(rows, 1, 1) == 2);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.latest, "f: 3 values in 2 rows beyond the model's 3 columns were dropped");
    table_destroy(rows);
    rows = read_for("1:1\n2:2\n", &options, &heard); /* unlabelled rows may be predicted */
    assert_true(!rows->labelled && rows->columns == 3 && heard.count == 0);
    table_destroy(rows);
}

/* A column of texts that go over lines is passed over; so may a header do. */
static void quoted_cells_may_go_over_lines(void **state) {
    static const char *const WANTED[] = {"a", "two\nlines"};
    static const char *const TEXTS[] = {
        "a,note,\"two\nlines\",k\n1,\"first, \"\"one\"\"\n\n second\",2,x\n\n3,plain,4,y\n5,\"\n\",6,x\n",
        "# it isn't \"data\na;\"two\nlines\";k;note\n1;2;x;\"\n;;;\n\"\n3;4;y;5\" pipe\n5;6;x; \"\"\n",
    };
    const reader_options options = {.expects = true, .columns = 2, .names = WANTED, .label_column = "k"};
    (void)state;
    for (size_t k = 0; k < sizeof TEXTS / sizeof *TEXTS; k++) {
        table *rows = read_bytes(TEXTS[k], strlen(TEXTS[k]), &options);
        assert_int_equal(rows->rows, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_true(cell_at(rows, i, 0) == (double)(2 * i + 1) && cell_at(rows, i, 1) == (double)(2 * i + 2));
            assert_string_equal(label_at(rows, i), i == 1 ? "y" : "x");
        }
        table_destroy(rows);
    }
}

/* Cells of many lines, across the buffer's chunks and behind the first lines; one above the limit
 * names where it opens. */
static void long_quoted_cells_are_read_up_to_a_limit(void **state) {
    static const char *const WANTED[] = {"a"};
    enum { CELLS = 7, CELL = 200000, LIMIT = 1 << 20 };
    const reader_options options = {.expects = true, .columns = 1, .names = WANTED, .label_column = "k"};
    char *text = malloc(CELLS * (CELL + 16) + LIMIT + 64);
    size_t at = (size_t)sprintf(text, "a,note,k\n");
    (void)state;
    for (size_t i = 0; i < CELLS; i++) {
        at += (size_t)sprintf(text + at, "%zu,\"", i);
        memset(text + at, i % 2 == 0 ? '\n' : '.', CELL);
        at += CELL;
        at += (size_t)sprintf(text + at, "\",x\n");
    }
    table *rows = read_bytes(text, at, &options);
    assert_int_equal(rows->rows, CELLS);
    assert_true(cell_at(rows, CELLS - 1, 0) == CELLS - 1);
    table_destroy(rows);
    at += (size_t)sprintf(text + at, "7,\"");
    memset(text + at, '\n', LIMIT + 8);
    at += LIMIT + 8;
    at += (size_t)sprintf(text + at, "\",x\n");
    cnm_error err = {0};
    assert_int_equal(read_batches(&rows, text, at, &options, 3, NULL, &err), CNM_BAD_FORMAT);
    char expected[128];
    (void)snprintf(expected, sizeof expected,
                   "f:%d: found a quote in column 2 ('note') that is never closed, expected its end within 1024 KiB",
                   1 + CELLS + (CELLS + 1) / 2 * CELL + 1);
    assert_string_equal(err.message, expected);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_columns_are_put_in_the_models_order),
        cmocka_unit_test(unnamed_columns_are_counted),
        cmocka_unit_test(names_of_rows_are_no_column_of_the_models),
        cmocka_unit_test(names_that_count_are_known_from_the_model),
        cmocka_unit_test(the_models_base_is_used),
        cmocka_unit_test(unknown_indices_are_dropped_and_counted_once),
        cmocka_unit_test(quoted_cells_may_go_over_lines),
        cmocka_unit_test(long_quoted_cells_are_read_up_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
