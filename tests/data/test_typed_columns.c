/* Columns of words, times and numbers as people write them: found in the first rows, read alike in
 * all blocks and batches, and read by a model as its encoder says. */
#include "data_support.h"

#include "data/encode/encoder.h"
#include "data/table/table_types.h"

/* Writes a cell as "red", as days, or as "-" where it is missing. */
static const char *cell_text(const table *rows, size_t i, size_t j) {
    static char out[64];
    const double value = cell_at(rows, i, j);
    if (isnan(value)) {
        return "-";
    }
    if (table_kind(rows, j) == COLUMN_WORDS) {
        assert_in_range((size_t)value, 0, rows->types[j].words.count - 1);
        return rows->types[j].words.texts[(size_t)value];
    }
    (void)snprintf(out, sizeof out, "%.7g", value);
    return out;
}

/* cells: those of one column, separated by blanks. */
static void assert_column(const table *rows, size_t j, column_kind kind, const char *cells) {
    char found[512] = "";
    assert_int_equal(table_kind(rows, j), kind);
    for (size_t i = 0; i < rows->rows; i++) {
        const size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s", i > 0 ? " " : "", cell_text(rows, i, j));
    }
    assert_string_equal(found, cells);
}

static const reader_options KEEP = {.missing = MISSING_KEEP};

static void words_are_numbered_as_they_come(void **state) {
    (void)state;
    table *rows =
        read_text("sex,age,job,pay\nm,30,\"a b\",1.5\nf,31,?,2.5\n,32,c,3.5\nf,33,a b,4.5\nm,34,c,5\n", &KEEP);
    assert_int_equal(rows->columns, 3);
    assert_string_equal(rows->names[0], "sex");
    assert_column(rows, 0, COLUMN_WORDS, "m f - f m");
    assert_column(rows, 1, COLUMN_NUMBER, "30 31 32 33 34");
    assert_column(rows, 2, COLUMN_WORDS, "a b - c a b c");
    assert_int_equal(rows->types[2].words.count, 2);
    assert_int_equal(rows->missing, 2);
    assert_string_equal(label_at(rows, 0), "1.5");
    table_destroy(rows);
}

static void columns_without_names_may_hold_words(void **state) {
    (void)state;
    table *rows = read_text("1,x,u,1.5\n2,x,u,2.5\n3,y,v,3.5\n4,y,v,4.5\n", &KEEP);
    assert_column(rows, 1, COLUMN_WORDS, "x x y y");
    assert_column(rows, 2, COLUMN_WORDS, "u u v v");
    assert_null(rows->names);
    table_destroy(rows);
}

/* A column without a cell among the first rows may have anything later. */
static void columns_that_begin_empty_may_hold_words(void **state) {
    enum { ROWS = 3000 };
    char *text = malloc(ROWS * 16);
    size_t at = (size_t)sprintf(text, "a,late,y\n");
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        at += (size_t)sprintf(text + at, "%zu,%s,%zu.5\n", i, i < 2000 ? "" : i % 2 ? "red" : "7", i % 9);
    }
    table *rows = read_good(text, at, &KEEP, 1000);
    assert_int_equal(table_kind(rows, 1), COLUMN_WORDS);
    assert_string_equal(rows->types[1].words.texts[1], "red");
    assert_int_equal(rows->missing, 2000);
    table_destroy(rows);
    free(text);
    rows = read_text("a,never,y\n1,,5\n2,,6\n", &KEEP); /* a whole file */
    assert_int_equal(table_kind(rows, 1), COLUMN_NUMBER);
    table_destroy(rows);
}

/* However many, in blocks of any size read by any number of threads. */
static void words_do_not_depend_on_blocks_or_threads(void **state) {
    enum { ROWS = 9000, WORDS = 5000 };
    char *text = malloc(ROWS * 32);
    size_t at = (size_t)sprintf(text, "a,w,day,y\n");
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        at += (size_t)sprintf(text + at, "%zu,w%zu,2023-%02zu-%02zu,%zu.5\n", i, i * 7919 % WORDS, 1 + i % 12,
                              1 + i % 28, i % 10);
    }
    table *rows = read_good(text, at, &KEEP, 1000);
    assert_int_equal(rows->types[1].words.count, WORDS);
    assert_string_equal(rows->types[1].words.texts[1], "w2919");
    for (size_t i = 0; i < 6; i++) {
        const reader_options options = {
            .missing = MISSING_KEEP, .threads = 1 + i % 3, .block_size = (size_t[]){1, 1000, 40000}[i % 3]};
        table *other = read_good(text, at, &options, i < 3 ? 1000 : 77);
        assert_same_tables(rows, other);
        assert_int_equal(table_checksum(rows), table_checksum(other));
        table_destroy(other);
    }
    table_destroy(rows);
    free(text);
}

static void missing_cells_have_many_names(void **state) {
    (void)state;
    table *rows =
        read_text("a,w,y\n1,u,5\nNA,\"NA\",6\n-,-,7\n.,.,8\nNone,none,9\n\\N,\\N,5\n#N/A,<NA>,6\n,,7\n2,v,8\n", &KEEP);
    assert_column(rows, 0, COLUMN_NUMBER, "1 - - - - - - - 2");
    assert_column(rows, 1, COLUMN_WORDS, "u - - - - - - - v");
    table_destroy(rows);
    const reader_options more = {.missing = MISSING_KEEP, .missing_words = "-999, unknown"};
    rows = read_text("a,w,y\n1,u,5\n-999,Unknown,6\n2,v,7\n-99,u,8\n", &more);
    assert_column(rows, 0, COLUMN_NUMBER, "1 - 2 -99");
    assert_column(rows, 1, COLUMN_WORDS, "u - v u");
    table_destroy(rows);
    /* + and - are classes */
    rows = read_text("a,class\n1,+\n2,-\n3,+\n", &KEEP);
    assert_string_equal(label_at(rows, 1), "-");
    table_destroy(rows);
}

static void numbers_are_read_as_people_write_them(void **state) {
    static const struct {
        const char *text, *cells, *notice;
    } CASES[] = {
        {"a;b;y\n29515,36;1;5\n1,5;2;6\n12;3;7\n", "29515.36 1.5 12",
         "f: numbers are written with a decimal comma, as in 29515,36; --decimal point settles it"},
        {"a;b;y\n1.459,50;1;5\n12,5;2;6\n", "1459.5 12.5",
         "f: numbers are written with a decimal comma, as in 1.459,50; --decimal point settles it"},
        {"a,b,y\n\"1,460\",1,5\n\"2,345,678\",2,6\n", "1460 2345678",
         "f: thousands are written with a separator, as in 1,460"},
        {"a,b,y\n\"$29,515.36\",1,5\n$12,2,6\n", "29515.36 12",
         "f: numbers have units, which are left out, as in $29,515.36"},
        {"a,b,y\n71.5%,1,5\n12%,2,6\n", "71.5 12", "f: numbers have units, which are left out, as in 71.5%"},
        {"a,b,y\n1970-01-02,1,5\n1970-01-03T12:00,2,6\n", "1 2.5", ""},
        {"a,b,y\n03/04/1970,1,5\n04/04/1970,2,6\n", "92 93",
         "f: dates in column 1 ('a') are taken to have the day first, as in 03/04/1970"},
        {"a,b,y\n03/13/1970,1,5\n04/04/1970,2,6\n", "71 93", ""},
        {"a\tb\ty\n2.460\t1\t5\n1,5\t2\t6\n", "2460 1.5",
         "f: numbers are written with a decimal comma, as in 1,5; --decimal point settles it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        notices heard = {0};
        table *rows = read_text(CASES[i].text, &KEEP);
        assert_column(rows, 0,
                      strchr(CASES[i].text, '/') != NULL || strstr(CASES[i].text, "1970-") != NULL ? COLUMN_TIME
                                                                                                   : COLUMN_NUMBER,
                      CASES[i].cells);
        table_destroy(rows);
        assert_int_equal(read_batches(&rows, CASES[i].text, strlen(CASES[i].text), &KEEP, 9, &heard, NULL), CNM_OK);
        assert_string_equal(heard.latest, CASES[i].notice);
        table_destroy(rows);
    }
}

static void the_decimal_sign_can_be_told(void **state) {
    static const char *const TEXT = "a;b;y\n1.460;1;5\n2.500;2;6\n";
    reader_options options = {.missing = MISSING_KEEP, .decimal = ','};
    (void)state;
    table *rows = read_text(TEXT, &options);
    assert_column(rows, 0, COLUMN_NUMBER, "1460 2500");
    table_destroy(rows);
    options.decimal = '.';
    rows = read_text(TEXT, &options);
    assert_column(rows, 0, COLUMN_NUMBER, "1.46 2.5");
    table_destroy(rows);
    /* of a file with decimal commas, all numbers are written so, labels too */
    rows = read_text("a;b;y\n1.460;1,5;2,25\n2.500;2,5;3\n", &KEEP);
    assert_column(rows, 0, COLUMN_NUMBER, "1460 2500");
    assert_string_equal(label_at(rows, 0), "2.25");
    table_destroy(rows);
}

/* More stray words than 2 % make a column of numbers one of words; a tenth may be a marker. */
static void a_marker_among_numbers_is_told(void **state) {
    static const struct {
        size_t every;
        const char *notice;
    } CASES[] = {{15,
                  "f: column 1 ('age') is read as words, though most of its cells are numbers or times: not 'unknown', "
                  "which --na 'unknown' takes for a missing value"},
                 {5, ""}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[2048] = "age,y\n";
        size_t used = strlen(text);
        for (size_t k = 0; k < 60; k++) {
            const char *const word = k % CASES[i].every == 3 ? "unknown" : k % 2 == 0 ? "30" : "31";
            used += (size_t)snprintf(text + used, sizeof text - used, "%s,%zu\n", word, k % 7);
        }
        notices heard = {0};
        table *rows;
        assert_int_equal(read_batches(&rows, text, used, &KEEP, 9, &heard, NULL), CNM_OK);
        assert_string_equal(heard.latest, CASES[i].notice);
        assert_int_equal(rows->types[0].kind, COLUMN_WORDS);
        table_destroy(rows);
    }
}

static void an_empty_last_column_is_left_out(void **state) {
    static const char *const TEXT = "a,b,y,\n1,2,5,\n3,4,6,\n";
    notices heard = {0};
    table *rows = read_text(TEXT, &KEEP);
    (void)state;
    assert_int_equal(rows->columns, 2);
    assert_string_equal(label_at(rows, 1), "6");
    table_destroy(rows);
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &KEEP, 9, &heard, NULL), CNM_OK);
    assert_string_equal(heard.latest, "f: the last column is empty and has no name, so it is left out");
    table_destroy(rows);
    rows = read_text("a,b,y\n1,2,5,\n3,4,6,\n", &KEEP); /* not in the header */
    assert_int_equal(rows->columns, 2);
    assert_string_equal(label_at(rows, 1), "6");
    table_destroy(rows);
    rows = read_text("1,2,5,\n3,4,6,\n", &KEEP);
    assert_int_equal(rows->columns, 2);
    table_destroy(rows);
    static const char *const THREE = "a,b,y,,,\n1,2,5,,,\n3,4,6,,,\n"; /* as spreadsheets write */
    assert_int_equal(read_batches(&rows, THREE, strlen(THREE), &KEEP, 9, &heard, NULL), CNM_OK);
    assert_string_equal(heard.latest, "f: the last 3 columns are empty and have no names, so they are left out");
    assert_int_equal(rows->columns, 2);
    assert_string_equal(label_at(rows, 1), "6");
    table_destroy(rows);
}

/* Rows to predict need no labels, in a column that a model remembers as the label too. */
static void a_blank_label_column_is_left_out_for_a_model(void **state) {
    static const char *const NAMES[] = {"a", "b"}, BLANK[] = "a,y,b\n1,,2\n3,,4\n", SOME[] = "a,y,b\n1,5,2\n3,,4\n";
    reader_options options = {
        .missing = MISSING_KEEP, .expects = true, .columns = 2, .names = NAMES, .label_column = "y"};
    notices heard = {0};
    cnm_error err = {0};
    table *rows;
    (void)state;
    assert_int_equal(read_batches(&rows, BLANK, strlen(BLANK), &options, 9, &heard, NULL), CNM_OK);
    assert_string_equal(heard.latest, "f: column 2 ('y') has no labels, so the rows are predicted without");
    assert_int_equal(rows->rows, 2);
    table_destroy(rows);
    assert_int_equal(read_batches(&rows, SOME, strlen(SOME), &options, 9, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message,
                        "f:3: found no label in column 2 ('y'), expected a number or a word; --label-column none "
                        "predicts without labels; if the line is no row, remove it, or take the other rows alone by "
                        "--rows A:B");
    notices none = {0};
    assert_int_equal(read_batches(&rows, "a,y,b\n", 6, &options, 9, &none, &err), CNM_OK);
    assert_string_equal(none.latest, ""); /* nothing is known of a file without rows */
    table_destroy(rows);
    options.drop = "y";
    rows = read_text(SOME, &options);
    assert_int_equal(rows->rows, 2);
    table_destroy(rows);
}

/* Rows that are not wanted are not read: what is wrong with them does not matter. */
static void rows_behind_the_last_are_not_read(void **state) {
    static const char *const TEXT =
        "a,b,y\n1,2,5\n3,4,6\n1,4,5\n1,2,6\n3,4,6\n1,4,5\n1,2,6\n3,4,6\n1,4,5\n1,2,6\nTotal,,\n";
    reader_options options = {.missing = MISSING_KEEP};
    table *rows;
    (void)state;
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &options, 4, NULL, NULL), CNM_BAD_DATA);
    options.last_row = 10;
    rows = read_text(TEXT, &options);
    assert_int_equal(rows->rows, 10);
    table_destroy(rows);
}

static void ids_are_texts_beside_the_rows(void **state) {
    reader_options options = {.missing = MISSING_KEEP, .id_column = "id", .label_column = "y"};
    size_t length;
    table *rows = read_text("id,a,y\n007,1,5\n\"x, y\",2,6\n,3,7\n", &options);
    (void)state;
    assert_int_equal(rows->columns, 1);
    assert_true(rows->identified);
    assert_memory_equal(texts_at(&rows->ids, 0, &length), "007", 3);
    assert_memory_equal(texts_at(&rows->ids, 1, &length), "x, y", 4);
    (void)texts_at(&rows->ids, 2, &length);
    assert_int_equal(length, 0);
    table_destroy(rows);
    /* for a model the same column may be a feature */
    static const char *const NAMES[] = {"a", "id"};
    options =
        (reader_options){.expects = true, .columns = 2, .names = NAMES, .id_column = "id", .label_column = "none"};
    rows = read_text("id,a\n7,1\n8,2\n", &options);
    assert_column(rows, 1, COLUMN_NUMBER, "7 8");
    assert_memory_equal(texts_at(&rows->ids, 1, &length), "8", 1);
    table_destroy(rows);
}

/* Columns in another order and some more, of which the encoder says how they are read. */
static void a_model_reads_its_columns_by_name(void **state) {
    column_encoding columns[] = {{.type = {.kind = COLUMN_WORDS}},
                                 {.name = NULL},
                                 {.type = {.kind = COLUMN_TIME, .format = {.order = TIME_DAY_MONTH_YEAR}}},
                                 {.type = {.format = {.decimal = ',', .thousands = '.'}}}};
    const encoder model = {.columns = 4, .features = 4, .column = columns};
    static const char *const NAMES[] = {"job", "age", "day", "pay"};
    static const double BASE[] = {0, 0, 0, 1000};
    const reader_options options = {.missing = MISSING_KEEP,
                                    .expects = true,
                                    .columns = 4,
                                    .names = NAMES,
                                    .base = BASE,
                                    .encoder = &model,
                                    .label_column = "label"};
    static const char *const TEXT =
        "note;day;pay;age;job\nlong;03.01.1970;1.250,5;30;12\nshort;04.01.1970;8;31;unheard\n";
    notices heard = {0};
    (void)state;
    table *rows = read_text(TEXT, &options);
    assert_column(rows, 0, COLUMN_WORDS, "12 unheard");
    assert_column(rows, 1, COLUMN_NUMBER, "30 31");
    assert_column(rows, 2, COLUMN_TIME, "2 3");
    assert_column(rows, 3, COLUMN_NUMBER, "1250.5 8");
    assert_true(rows->base[3] == 1000 && rows->base[0] == 0);
    table_destroy(rows);
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &options, 2, &heard, NULL), CNM_OK);
    assert_string_equal(heard.latest, "f: 1 column that the model does not know is left out: 'note'");
    table_destroy(rows);
    cnm_error err = {0};
    static const char *const BAD = "day;pay;age;job\n03.01.1970;1;30;x\n2023-01-04;8;31;y\n";
    assert_int_equal(read_batches(&rows, BAD, strlen(BAD), &options, 2, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message, "f:3: found '2023-01-04' in column 1 ('day'), expected a date as 13.10.2023; "
                                     "--na '2023-01-04' takes it for a missing value");
}

/* Ids and remarks that a model makes nothing of are not needed to predict. */
static void columns_that_a_model_does_not_use_may_be_absent(void **state) {
    column_encoding columns[] = {{.type = {.kind = COLUMN_WORDS}, .use = COLUMN_ALL_DIFFERENT},
                                 {.type = {.kind = COLUMN_WORDS}},
                                 {.use = COLUMN_ROW_ID},
                                 {.name = NULL}};
    const encoder model = {.columns = 4, .features = 2, .column = columns};
    static const char *const NAMES[] = {"remark", "job", "id", "age"};
    const reader_options options = {.missing = MISSING_KEEP,
                                    .expects = true,
                                    .columns = 4,
                                    .names = NAMES,
                                    .base = (const double[]){0, 0, 0, 0},
                                    .encoder = &model,
                                    .label_column = "label"};
    (void)state;
    table *rows = read_text("age,job\n30,smith\n31,baker\n", &options);
    assert_int_equal(rows->columns, 4);
    assert_column(rows, 1, COLUMN_WORDS, "smith baker");
    assert_column(rows, 3, COLUMN_NUMBER, "30 31");
    assert_string_equal(rows->names[0], "remark");
    table_destroy(rows);
    cnm_error err = {0};
    static const char *const BAD = "job,remark,id\nsmith,x,1\n";
    assert_int_equal(read_batches(&rows, BAD, strlen(BAD), &options, 2, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message, "f: the column 'age', which the model expects, is missing");
}

/* Without a header, by their order. */
static void a_model_reads_its_columns_by_number(void **state) {
    column_encoding columns[] = {{.type = {.kind = COLUMN_WORDS}}, {.name = NULL}};
    const encoder model = {.columns = 2, .features = 2, .column = columns};
    const reader_options options = {
        .missing = MISSING_KEEP, .expects = true, .columns = 2, .encoder = &model, .label_column = "last"};
    (void)state;
    table *rows = read_text("7,1\n8,2\n7,3\n", &options);
    assert_column(rows, 0, COLUMN_WORDS, "7 8 7");
    assert_column(rows, 1, COLUMN_NUMBER, "1 2 3");
    table_destroy(rows);
}

static void arff_has_words_and_times(void **state) {
    (void)state;
    table *rows =
        read_text("@relation r\n@attribute k {x, 'y z'}\n@attribute n {1, 2}\n@attribute s string\n"
                  "@attribute d date \"yyyy-MM-dd\"\n@attribute c {p, q}\n@data\n'y z',2,'some text',1970-01-02,p\n"
                  "{1 1, 3 1970-01-04}\n?,?,?,?,q\n",
                  &KEEP);
    assert_column(rows, 0, COLUMN_WORDS, "y z x -");
    assert_column(rows, 1, COLUMN_NUMBER, "2 1 -");
    assert_column(rows, 2, COLUMN_WORDS, "some text 0 -");
    assert_column(rows, 3, COLUMN_TIME, "1 3 -");
    assert_string_equal(label_at(rows, 1), "p");
    table_destroy(rows);
}

/* Model files are UTF-8: what could not be written is refused before a training, not after it. */
static void names_words_and_labels_are_utf8(void **state) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"a,\xe9,y\n1,2,u\n3,4,v\n", "f: found the name '\xe9' of column 2, expected text in UTF-8"},
        {"a,b,\xe9\n1,2,u\n3,4,v\n", "f: found the name '\xe9' of column 3, expected text in UTF-8"},
        {"a,b,y\n1,2,u\n3,4,\xe9\n", "f:3: found the label '\xe9', expected text in UTF-8"},
        {"a,b,y\n1,u,2\n3,\xe9,4\n", "f:3: found '\xe9' in column 2 ('b'), expected text in UTF-8"},
    };
    const reader_options options = {.encoding = "utf-8"};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        table *rows;
        cnm_error err = {0};
        assert_int_equal(read_batches(&rows, CASES[i].text, strlen(CASES[i].text), &options, 2, NULL, &err),
                         CNM_BAD_DATA);
        assert_string_equal(err.message, CASES[i].message);
    }
    table *rows = read_text("a,\u00e9,y\n1,2,\u00fc\n3,4,v\n", NULL);
    assert_string_equal(rows->names[1], "\u00e9");
    assert_string_equal(label_at(rows, 0), "\u00fc");
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_numbered_as_they_come),
        cmocka_unit_test(columns_without_names_may_hold_words),
        cmocka_unit_test(columns_that_begin_empty_may_hold_words),
        cmocka_unit_test(words_do_not_depend_on_blocks_or_threads),
        cmocka_unit_test(missing_cells_have_many_names),
        cmocka_unit_test(numbers_are_read_as_people_write_them),
        cmocka_unit_test(the_decimal_sign_can_be_told),
        cmocka_unit_test(a_marker_among_numbers_is_told),
        cmocka_unit_test(an_empty_last_column_is_left_out),
        cmocka_unit_test(a_blank_label_column_is_left_out_for_a_model),
        cmocka_unit_test(rows_behind_the_last_are_not_read),
        cmocka_unit_test(ids_are_texts_beside_the_rows),
        cmocka_unit_test(a_model_reads_its_columns_by_name),
        cmocka_unit_test(columns_that_a_model_does_not_use_may_be_absent),
        cmocka_unit_test(a_model_reads_its_columns_by_number),
        cmocka_unit_test(arff_has_words_and_times),
        cmocka_unit_test(names_words_and_labels_are_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
