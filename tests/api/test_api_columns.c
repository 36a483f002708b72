/* Columns of words and times of rows from memory. */
#include "api_support.h"

enum { WORD_ROWS = 4 };

static cnm_data *rows_of(const double *values) {
    cnm_error error = {0};
    cnm_data *data;
    check_ok(cnm_data_copy_double(&data, values, WORD_ROWS, 2, 2, NULL, &error), &error);
    return data;
}

static void cells_must_be_positions_of_words(void **unused) {
    static const double VALUES[] = {0, 0, 1, 1, 2, 0, 0.5, NAN};
    static const char *const WORDS[] = {"red", "blue", "green"};
    cnm_error error = {0};
    (void)unused;
    cnm_data *data = rows_of(VALUES);
    check_ok(cnm_data_set_words(data, 1, WORDS, 2, &error), &error);
    check_refusal(cnm_data_set_words(data, 1, WORDS, 1, &error), CNM_BAD_ARGUMENT, &error, "row 2, column 1");
    check_refusal(cnm_data_set_words(data, 0, WORDS, 3, &error), CNM_BAD_ARGUMENT, &error, "row 4, column 0");
    check_refusal(cnm_data_set_words(data, 2, WORDS, 3, &error), CNM_BAD_ARGUMENT, &error, "no column 2");
    check_refusal(cnm_data_set_times(data, 2, &error), CNM_BAD_ARGUMENT, &error, "no column 2");
    check_ok(cnm_data_set_times(data, 0, &error), &error);
    cnm_data_destroy(data);
}

static void words_must_be_different_texts(void **unused) {
    static const double VALUES[] = {0, 0, 0, 0, 0, 0, 0, 0};
    static const char *const CASES[][2] = {{"a", "a"}, {"a", NULL}, {"a", "\xff"}};
    static const char *const MESSAGES[] = {"the same: \"a\"", "a word must not be NULL", "UTF-8"};
    cnm_error error = {0};
    (void)unused;
    cnm_data *data = rows_of(VALUES);
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        check_refusal(cnm_data_set_words(data, 0, CASES[i], 2, &error), CNM_BAD_ARGUMENT, &error, MESSAGES[i]);
    }
    cnm_data_destroy(data);
}

static void sparse_rows_have_no_words(void **unused) {
    static const float VALUES[] = {1};
    static const uint32_t INDEX[] = {0};
    static const size_t STARTS[] = {0, 1};
    static const char *const WORDS[] = {"a", "b"};
    cnm_error error = {0};
    cnm_data *data;
    (void)unused;
    check_ok(cnm_data_view_csr(&data, VALUES, INDEX, STARTS, 1, 1, &error), &error);
    check_refusal(cnm_data_set_words(data, 0, WORDS, 2, &error), CNM_BAD_ARGUMENT, &error, "sparse");
    cnm_data_destroy(data);
}

/* A column far from zero is kept less a base; a column of words never is. */
static void positions_are_kept_whole(void **unused) {
    static const double VALUES[] = {300, 1, 300, 2, 300, 3, 300, 4};
    const char *words[301];
    char texts[301][8];
    float row[2];
    cnm_error error = {0};
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        (void)snprintf(texts[i], sizeof texts[i], "w%zu", i);
        words[i] = texts[i];
    }
    cnm_data *data = rows_of(VALUES), *part;
    const uint64_t before = cnm_data_checksum(data);
    check_ok(cnm_data_set_words(data, 0, words, COUNT_OF(words), &error), &error);
    assert_true(cnm_data_checksum(data) != before);
    check_ok(cnm_data_row(data, 2, row, &error), &error);
    assert_true(row[0] == 300.0F && row[1] == 3.0F);
    check_ok(cnm_data_select(&part, data, (const size_t[]){1, 3}, 2, &error), &error);
    check_ok(cnm_data_row(part, 1, row, &error), &error);
    assert_true(row[0] == 0.0F && row[1] == 4.0F); /* the first of the words that are left */
    cnm_data_destroy(part);
    cnm_data_destroy(data);
}

/* A model that has times or large numbers in a column gives it a base, less which cells are
 * stored. */
static void positions_are_whole_under_a_models_base(void **unused) {
    static const double VALUES[] = {919750.3, 0, 919750.7, 1, 919751.1, 0, 919751.9, 1},
                        CODES[] = {3, 0, 1, 1, 0, 0, 2, 1};
    static const char *const WORDS[] = {"2024-01-01", "2024-02-03", "2024-03-04", "2024-05-06"};
    static const double TARGETS[] = {1, 2, 3, 4};
    cnm_error error = {0};
    cnm_model *model;
    cnm_data *rows;
    float row[2];
    (void)unused;
    cnm_data *data = rows_of(VALUES);
    check_ok(cnm_data_set_times(data, 0, &error), &error);
    check_ok(cnm_data_set_targets(data, TARGETS, &error), &error);
    cnm_options *options = options_of((const char *const[]){"method", "linear", NULL});
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    check_ok(cnm_data_copy_double(&rows, CODES, WORD_ROWS, 2, 2, model, &error), &error);
    check_ok(cnm_data_set_words(rows, 0, WORDS, 4, &error), &error);
    for (size_t i = 0; i < WORD_ROWS; i++) {
        check_ok(cnm_data_row(rows, i, row, &error), &error);
        assert_true(row[0] == (float)CODES[2 * i]);
    }
    cnm_options_destroy(options);
    cnm_model_destroy(model);
    cnm_data_destroy(rows);
    cnm_data_destroy(data);
}

static void columns_have_the_names_that_were_set(void **unused) {
    static const double VALUES[] = {0, 0, 0, 0, 0, 0, 0, 0};
    cnm_error error = {0};
    (void)unused;
    cnm_data *data = rows_of(VALUES);
    assert_null(cnm_data_column_name(data, 0));
    check_ok(cnm_data_set_names(data, (const char *const[]){"x", "y"}, &error), &error);
    assert_string_equal(cnm_data_column_name(data, 1), "y");
    assert_null(cnm_data_column_name(data, 2));
    cnm_data_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_must_be_positions_of_words),
        cmocka_unit_test(words_must_be_different_texts),
        cmocka_unit_test(sparse_rows_have_no_words),
        cmocka_unit_test(positions_are_kept_whole),
        cmocka_unit_test(positions_are_whole_under_a_models_base),
        cmocka_unit_test(columns_have_the_names_that_were_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
