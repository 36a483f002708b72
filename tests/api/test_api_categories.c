/* Words that are all numbers: read as numbers, or kept as categories where the caller says so. */
#include "api/api_support.h"

enum { CODES = 3 };

static const char *const WORDS[CODES] = {"10", "20", "30"};

/* Returns rows whose only column is the code of a word; the middle one has another label. */
static cnm_data *codes(bool categories) {
    static float cells[ROWS];
    static double targets[ROWS];
    cnm_error error = {0};
    cnm_data *out;
    for (size_t i = 0; i < ROWS; i++) {
        cells[i] = (float)(i % CODES);
        targets[i] = i % CODES == 1 ? 1.0 : 0.0;
    }
    check_ok(cnm_data_view_dense(&out, cells, ROWS, 1, 1, &error), &error);
    check_ok(categories ? cnm_data_set_categories(out, 0, WORDS, CODES, &error)
                        : cnm_data_set_words(out, 0, WORDS, CODES, &error),
             &error);
    check_ok(cnm_data_set_targets(out, targets, &error), &error);
    return out;
}

static void categories_stay_words(void **unused) {
    (void)unused;
    static const char *const LINEAR[] = {"method", "linear", NULL};
    cnm_data *words = codes(false), *categories = codes(true);
    cnm_model *numbers = train_with(words, LINEAR), *kept = train_with(categories, LINEAR);
    assert_int_equal(cnm_model_column_kind(numbers, 0), CNM_COLUMN_NUMBER);
    assert_int_equal(cnm_model_column_kind(kept, 0), CNM_COLUMN_WORDS);
    assert_int_equal(cnm_model_inputs(kept), CODES);
    assert_string_equal(cnm_model_column_word(kept, 0, 1), "20");
    assert_true(cnm_data_checksum(words) != cnm_data_checksum(categories));
    cnm_model_destroy(numbers);
    cnm_model_destroy(kept);
    cnm_data_destroy(words);
    cnm_data_destroy(categories);
}

/* Selected rows are of the same kinds, and plain numbers are predicted as the words that they
 * spell. */
static void they_go_with_rows_and_models(void **unused) {
    (void)unused;
    static const char *const LINEAR[] = {"method", "linear", NULL};
    static const size_t ORDER[] = {0, 1, 2, 3, 4, 5};
    static const float NUMBERS[] = {10, 20, 30};
    cnm_error error = {0};
    cnm_data *rows = codes(true), *some, *plain;
    int32_t classes[CODES];
    check_ok(cnm_data_select(&some, rows, ORDER, COUNT_OF(ORDER), &error), &error);
    cnm_model *few = train_with(some, LINEAR), *model = train_with(rows, LINEAR);
    assert_int_equal(cnm_model_column_kind(few, 0), CNM_COLUMN_WORDS);
    check_ok(cnm_data_view_dense(&plain, NUMBERS, CODES, 1, 1, &error), &error);
    check_ok(cnm_predict_classes(model, plain, 1, classes, &error), &error);
    assert_int_equal(classes[0], 0);
    assert_int_equal(classes[1], 1);
    assert_int_equal(classes[2], 0);
    cnm_model_destroy(few);
    cnm_model_destroy(model);
    cnm_data_destroy(plain);
    cnm_data_destroy(some);
    cnm_data_destroy(rows);
}

static void categories_are_checked_as_words(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_data *rows = codes(false);
    check_refusal(cnm_data_set_categories(rows, 1, WORDS, CODES, &error), CNM_BAD_ARGUMENT, &error, "no column 1");
    check_refusal(cnm_data_set_categories(rows, 0, WORDS, 2, &error), CNM_BAD_ARGUMENT, &error, "one of the 2 words");
    check_refusal(cnm_data_set_categories(rows, 0, NULL, CODES, &error), CNM_BAD_ARGUMENT, &error, "words");
    cnm_data_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categories_stay_words),
        cmocka_unit_test(they_go_with_rows_and_models),
        cmocka_unit_test(categories_are_checked_as_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
