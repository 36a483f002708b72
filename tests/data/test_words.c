/* Columns of words: one feature of 0 and 1 for each word, and for a model the same ones by their
 * names. */
#include "data_support.h"

static void assert_cells(const table *rows, size_t row, const double *expected) {
    for (size_t j = 0; j < rows->columns; j++) {
        if (cell_at(rows, row, j) != expected[j]) {
            fail_msg("row %zu, feature %zu: %g, not %g", row, j, cell_at(rows, row, j), expected[j]);
        }
    }
}

static void every_word_becomes_a_feature(void **state) {
    static const char *const NAMES[] = {"sex=f", "sex=m", "age", "job=a b", "job=c"};
    static const double CELLS[][5] = {
        {0, 1, 30, 1, 0}, {1, 0, 31, 0, 0}, {0, 0, 32, 0, 1}, {1, 0, 33, 1, 0}, {0, 1, 34, 0, 1}};
    (void)state;
    table *rows = read_text("sex,age,job,pay\nm,30,\"a b\",1.5\nf,31,?,2.5\n,32,c,3.5\nf,33,a b,4.5\nm,34,c,5\n", NULL);
    assert_int_equal(rows->columns, 5);
    assert_int_equal(rows->rows, 5);
    for (size_t j = 0; j < 5; j++) {
        assert_string_equal(rows->names[j], NAMES[j]);
        assert_cells(rows, j, CELLS[j]);
    }
    assert_string_equal(label_at(rows, 0), "1.5");
    table_destroy(rows);
}

static void words_of_the_label_stay_words(void **state) {
    const reader_options options = {.label_column = "sex"};
    (void)state;
    table *rows = read_text("sex,job,pay\nm,a,1.5\nf,b,2.5\nf,b,3.5\nm,a,4.5\n", &options);
    assert_int_equal(rows->columns, 3);
    assert_string_equal(rows->names[0], "job=a");
    assert_string_equal(label_at(rows, 1), "f");
    table_destroy(rows);
}

/* Numbers with a word among them, words that hardly come again, and columns without names stay an
 * error. */
static void other_words_are_refused(void **state) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"a,b,c\n1,x,1.5\n2,3,2.5\n3,x,3.5\n", "f:2: found 'x' in column 2 ('b'), expected a number"},
        {"a,b,c\n1,x,1.5\n2,y,2.5\n3,z,3.5\n", "f:2: found 'x' in column 2 ('b'), expected a number"},
        {"a,b,c\n1,\xe9,1.5\n2,\xe9,2.5\n", "f:2: found '\xe9' in column 2 ('b'), expected a number"},
        {"1,x,u,1.5\n2,x,u,2.5\n3,y,v,3.5\n4,y,v,4.5\n", "f:1: found 'x' in column 2, expected a number"},
    };
    const reader_options options = {.label_column = "last"};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        table *rows;
        cnm_error err = {0};
        assert_int_equal(read_batches(&rows, CASES[i].text, strlen(CASES[i].text), &options, 2, NULL, &err),
                         CNM_BAD_DATA);
        assert_string_equal(err.message, CASES[i].message);
    }
}

/* Model files are UTF-8: what could not be written is refused before a training, not after it. */
static void names_and_labels_are_utf8(void **state) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"a,\xe9,y\n1,2,u\n3,4,v\n", "f: found the name '\xe9' of column 2, expected text in UTF-8"},
        {"a,b,\xe9\n1,2,u\n3,4,v\n", "f: found the name '\xe9' of column 3, expected text in UTF-8"},
        {"a,b,y\n1,2,u\n3,4,\xe9\n", "f:3: found the label '\xe9', expected text in UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        table *rows;
        cnm_error err = {0};
        assert_int_equal(read_batches(&rows, CASES[i].text, strlen(CASES[i].text), NULL, 2, NULL, &err), CNM_BAD_DATA);
        assert_string_equal(err.message, CASES[i].message);
    }
    table *rows = read_text("a,\u00e9,y\n1,2,\u00fc\n3,4,v\n", NULL);
    assert_string_equal(rows->names[1], "\u00e9");
    assert_string_equal(label_at(rows, 0), "\u00fc");
    table_destroy(rows);
}

static void too_many_words_are_refused(void **state) {
    enum { MOST = 100 };
    const reader_options options = {.label_column = "last"};
    static char text[16 * 2 * (MOST + 2)];
    (void)state;
    for (size_t words = MOST; words <= MOST + 1; words++) {
        size_t at = (size_t)sprintf(text, "a,b,c\n");
        for (size_t i = 0; i < 2 * words; i++) {
            at += (size_t)sprintf(text + at, "%zu,w%zu,0.5\n", i, i % words);
        }
        table *rows;
        const cnm_status status = read_batches(&rows, text, at, &options, 1000, NULL, NULL);
        assert_int_equal(status, words == MOST ? CNM_OK : CNM_BAD_DATA);
        if (status == CNM_OK) {
            assert_int_equal(rows->columns, 1 + MOST);
            table_destroy(rows);
        }
    }
}

static void a_model_finds_its_words_by_name(void **state) {
    static const char *const NAMES[] = {"job=a", "age", "sex=f", "job=c", "sex=m"};
    static const double CELLS[][5] = {{0, 30, 0, 1, 1}, {0, 31, 1, 0, 0}, {1, 32, 0, 0, 0}};
    const reader_options options = {.expects = true, .columns = 5, .names = NAMES, .label_column = "pay"};
    static const char *const TEXT = "sex,note,age,job\nm,long,30,c\nf,short,31,unheard\n7,,32,a\n";
    notices heard = {0};
    table *rows;
    cnm_error err = {0};
    (void)state;
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), &options, 2, &heard, &err), CNM_OK);
    assert_int_equal(rows->columns, 5);
    for (size_t i = 0; i < 3; i++) {
        assert_cells(rows, i, CELLS[i]);
    }
    assert_string_equal(heard.latest, "f: 1 columns that the model does not know are left out, the first is 'note'");
    table_destroy(rows);
    static const char *const WITHOUT = "sex,age\nm,30\n";
    assert_int_equal(read_batches(&rows, WITHOUT, strlen(WITHOUT), &options, 2, NULL, &err), CNM_BAD_DATA);
    assert_string_equal(err.message, "f: the column 'job=a', which the model expects, is missing");
}

/* A model's column of words may hold what looks like a number; a column that is read as one is no
 * column of words, too. */
static void numbers_may_be_words(void **state) {
    enum { ROWS = 300 };
    static const char *const NAMES[] = {"age", "room=7", "room=12"}, *const BOTH[] = {"age", "age=30"};
    reader_options options = {.expects = true, .columns = 3, .names = NAMES, .label_column = "pay"};
    static char text[32 * ROWS];
    size_t at = (size_t)sprintf(text, "age,room\n");
    table *rows;
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        at += (size_t)sprintf(text + at, "%zu,%d\n", i, i % 2 == 0 ? 7 : 12);
    }
    assert_int_equal(read_batches(&rows, text, at, &options, ROWS, NULL, NULL), CNM_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_cells(rows, i, (double[]){(double)i, i % 2 == 0, i % 2 != 0});
    }
    table_destroy(rows);
    options.columns = 2;
    options.names = BOTH;
    assert_int_equal(read_batches(&rows, text, at, &options, ROWS, NULL, NULL), CNM_BAD_DATA);
}

static void columns_of_one_name_keep_their_words_apart(void **state) {
    static const char *const TEXT = "w,w,y\np,r,1.5\nq,p,2.5\nq,r,3.5\np,p,4.5\n";
    static const double CELLS[][4] = {{1, 0, 0, 1}, {0, 1, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}};
    (void)state;
    table *trained = read_text(TEXT, NULL);
    assert_int_equal(trained->columns, 4);
    const reader_options options = {
        .expects = true, .columns = 4, .names = (const char *const *)trained->names, .label_column = "y"};
    table *rows = read_text(TEXT, &options);
    for (size_t i = 0; i < 4; i++) {
        assert_cells(trained, i, CELLS[i]);
        assert_cells(rows, i, CELLS[i]);
    }
    table_destroy(rows);
    table_destroy(trained);
}

static void coded_columns_are_said(void **state) {
    static const char *const TEXT = "sex,job,pay\nm,a,1.5\nf,b,2.5\nf,b,3.5\nm,a,4.5\n";
    notices heard = {0};
    table *rows;
    (void)state;
    assert_int_equal(read_batches(&rows, TEXT, strlen(TEXT), NULL, 2, &heard, NULL), CNM_OK);
    assert_string_equal(heard.latest,
                        "f: 2 columns of words become features of 0 and 1, one for each word; the first is "
                        "column 1 ('sex')");
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_becomes_a_feature), cmocka_unit_test(words_of_the_label_stay_words),
        cmocka_unit_test(other_words_are_refused),      cmocka_unit_test(names_and_labels_are_utf8),
        cmocka_unit_test(too_many_words_are_refused),   cmocka_unit_test(a_model_finds_its_words_by_name),
        cmocka_unit_test(numbers_may_be_words),         cmocka_unit_test(columns_of_one_name_keep_their_words_apart),
        cmocka_unit_test(coded_columns_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
