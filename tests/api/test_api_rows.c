/* One row more in each table (tests/rows), seen through the public functions alone: its option or
 * word is known, trainings use it with the same bits for any number of threads, and models with it
 * are described, saved, loaded and exported or refused. For builds with -DCNM_TEST_ROWS=ON. */
#include "api/api_support.h"

#ifdef CNM_TEST_ROWS

static const char SOURCE[] = "test_api_rows.c.tmp.c", ONNX[] = "test_api_rows.onnx", SAVED[] = "test_api_rows.cnm";

/* How each row is named: by an option, its value, and an entry of the description. */
typedef struct table_row {
    const char *option, *value, *key;
} table_row;

enum { AUGMENTATION, LOSS, PROJECTION, METRIC };
static const table_row TABLE_ROWS[] = {
    [AUGMENTATION] = {"test-dropout", "0.2", "test_dropout"},
    [LOSS] = {"loss", "test-absolute", "loss"},
    [PROJECTION] = {"projection", "test-columns", "projection"},
    [METRIC] = {"metric", "test-largest-error", "metric"},
};

static sample made;
static cnm_data *rows;

static int prepare(void **unused) {
    (void)unused;
    cnm_error error = {0};
    sample_make(&made);
    for (size_t i = 0; i < ROWS; i++) {
        made.numbers[i] += 0.5 * (double)number(1000 + i); /* a noise that can be overfitted */
    }
    rows = sample_view(&made);
    check_ok(cnm_data_set_targets(rows, made.numbers, &error), &error);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    cnm_data_destroy(rows);
    return 0;
}

/* Trains with a row of a table, or without where that is NULL: a batch of several blocks and a map
 * of several tiles. Parameters are those of the last step, or with validation rows those of the
 * step that the metric prefers. */
static cnm_model *train_on(const cnm_data *data, const table_row *used, const char *threads, const char *validation) {
    cnm_error error = {0};
    cnm_model *model;
    cnm_options *options =
        options_of((const char *const[]){"features", "80", "epochs", "100", "batch", "100", "threads", threads,
                                         "validation", validation, "effort", "quick", NULL});
    if (used != NULL) {
        check_ok(cnm_options_set(options, used->option, used->value, &error), &error);
    }
    check_ok(cnm_options_check(options, &error), &error);
    check_ok(cnm_train(&model, data, options, NULL, &error), &error);
    cnm_options_destroy(options);
    return model;
}

static void predict(const cnm_model *model, float scores[ROWS]) {
    cnm_error error = {0};
    check_ok(cnm_predict_scores(model, rows, 1, scores, &error), &error);
}

static const char *described(const cnm_model *model, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return "(none)";
}

/* ---- Options ---- */

static void options_follow_from_the_rows(void **unused) {
    (void)unused;
    for (size_t row = 0; row < COUNT_OF(TABLE_ROWS); row++) {
        cnm_option_info info = CNM_OPTION_INFO_INIT;
        size_t i = 0;
        while (cnm_options_describe(i, &info) && strcmp(info.name, TABLE_ROWS[row].option) != 0) {
            i++;
        }
        assert_string_equal(info.name, TABLE_ROWS[row].option);
        assert_true(info.purpose == CNM_FOR_TRAIN && info.help[0] != '\0');
        if (row == AUGMENTATION) {
            assert_string_equal(info.type, "number");
            assert_string_equal(info.default_value, "auto");
            assert_string_equal(info.values, "auto|0 to 1");
        } else {
            assert_non_null(strstr(info.values, TABLE_ROWS[row].value));
        }
    }
}

static void check_combination(const char *const *pairs, const char *words) {
    cnm_error error = {0};
    cnm_options *options = options_of(pairs);
    check_refusal(cnm_options_check(options, &error), CNM_BAD_ARGUMENT, &error, words);
    cnm_options_destroy(options);
}

/* Rules ask for traits. */
static void rules_hold_for_the_rows(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_options *options = options_of(NULL);
    check_refusal(cnm_options_set(options, "test-dropout", "1.5", &error), CNM_BAD_ARGUMENT, &error,
                  "--test-dropout cannot be \"1.5\": expected a number: auto or 0 to 1");
    check_refusal(cnm_options_set(options, "loss", "test-absolut", &error), CNM_BAD_ARGUMENT, &error,
                  "did you mean test-absolute?");
    check_refusal(cnm_options_set(options, "projection", "test-column", &error), CNM_BAD_ARGUMENT, &error,
                  "did you mean test-columns?");
    cnm_options_destroy(options);
    check_combination((const char *const[]){"method", "linear", "test-dropout", "0.2", NULL},
                      "--test-dropout 0.2 needs --method cnm --recipe joint");
    check_combination((const char *const[]){"recipe", "alternating", "loss", "test-absolute", NULL},
                      "--loss test-absolute does not go with --recipe alternating");
    check_combination((const char *const[]){"projection", "test-columns", "prune", "0.5", NULL}, "--prune 0.5 needs");
    check_combination((const char *const[]){"task", "classify", "metric", "test-largest-error", NULL},
                      "--metric test-largest-error does not fit --task");
}

static void the_loss_is_for_regression(void **unused) {
    (void)unused;
    cnm_error error = {0};
    cnm_model *model;
    cnm_data *labelled = labelled_view(&made);
    cnm_options *options = options_of((const char *const[]){"loss", "test-absolute", NULL});
    check_refusal(cnm_train(&model, labelled, options, NULL, &error), CNM_BAD_ARGUMENT, &error,
                  "--loss test-absolute is for regression");
    assert_null(model);
    cnm_options_destroy(options);
    cnm_data_destroy(labelled);
}

/* ---- Models ---- */

static void check_saved(const cnm_model *model, const float scores[ROWS], const table_row *used) {
    cnm_error error = {0};
    cnm_model *loaded;
    float again[ROWS];
    check_ok(cnm_model_save(model, SAVED, &error), &error);
    check_ok(cnm_model_load(&loaded, SAVED, &error), &error);
    predict(loaded, again);
    assert_memory_equal(scores, again, sizeof again);
    assert_string_equal(described(loaded, used->key), used->value);
    cnm_model_destroy(loaded);
    remove(SAVED);
}

/* Returns the bytes of a model's file, which the caller frees. */
static void *bytes_of(const cnm_model *model, size_t *size) {
    cnm_error error = {0};
    check_ok(cnm_model_to_bytes(model, NULL, 0, size, &error), &error);
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    check_ok(cnm_model_to_bytes(model, bytes, *size, size, &error), &error);
    return bytes;
}

static void check_threads(const cnm_model *model, const table_row *used, const char *validation) {
    static const char *const THREADS[] = {"2", "7"};
    size_t size;
    void *bytes = bytes_of(model, &size);
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        cnm_model *other = train_on(rows, used, THREADS[i], validation);
        size_t other_size;
        void *other_bytes = bytes_of(other, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, other_bytes, size);
        free(other_bytes);
        cnm_model_destroy(other);
    }
    free(bytes);
}

/* The metric does not change the parameters of the last step. */
static void trainings_use_the_rows(void **unused) {
    static const char *const VALIDATIONS[] = {"0", "0.3"};
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(VALIDATIONS) * COUNT_OF(TABLE_ROWS); i++) {
        const table_row *used = &TABLE_ROWS[i % COUNT_OF(TABLE_ROWS)];
        const char *validation = VALIDATIONS[i / COUNT_OF(TABLE_ROWS)];
        float plain_scores[ROWS], scores[ROWS];
        cnm_model *plain = train_on(rows, NULL, "1", validation), *model = train_on(rows, used, "1", validation);
        predict(plain, plain_scores);
        predict(model, scores);
        if (i == METRIC) {
            assert_memory_equal(plain_scores, scores, sizeof scores);
        } else {
            assert_memory_not_equal(plain_scores, scores, sizeof scores);
        }
        assert_string_not_equal(described(plain, used->key), used->value);
        assert_string_equal(described(model, used->key), used->value);
        check_saved(model, scores, used);
        check_threads(model, used, validation);
        cnm_model_destroy(plain);
        cnm_model_destroy(model);
    }
}

/* Returns the mean squared error of the model in units of the targets' variance. */
static double unexplained(const cnm_model *model) {
    float scores[ROWS];
    double squares = 0.0, variance = 0.0, mean = 0.0;
    predict(model, scores);
    for (size_t i = 0; i < ROWS; i++) {
        mean += made.numbers[i] / ROWS;
    }
    for (size_t i = 0; i < ROWS; i++) {
        squares += pow((double)scores[i] - made.numbers[i], 2.0);
        variance += pow(made.numbers[i] - mean, 2.0);
    }
    return squares / variance;
}

/* A model learns with every row, but not from cells that are all 0. */
static void models_learn_with_the_rows(void **unused) {
    (void)unused;
    static const table_row NOTHING_LEFT = {"test-dropout", "1", "test_dropout"};
    for (size_t row = 0; row < COUNT_OF(TABLE_ROWS); row++) {
        cnm_model *model = train_on(rows, &TABLE_ROWS[row], "1", "0");
        const double left = unexplained(model);
        if (!(left < 0.1)) {
            fail_msg("%s %s: %g of the variance is left", TABLE_ROWS[row].option, TABLE_ROWS[row].value, left);
        }
        cnm_model_destroy(model);
    }
    cnm_model *model = train_on(rows, &NOTHING_LEFT, "1", "0");
    assert_true(unexplained(model) > 0.5);
    cnm_model_destroy(model);
}

/* ---- Exports ---- */

static bool there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* C has its own table of projections; ONNX takes the matrix that a projection stands for. */
static void exports_refuse_what_they_do_not_know(void **unused) {
    (void)unused;
    static const char WORDS[] = "a model with the projection test-columns cannot be exported as C";
    cnm_error error = {0};
    cnm_model *model = train_on(rows, &TABLE_ROWS[PROJECTION], "1", "0"), *rounded;
    size_t flash, stack;
    check_refusal(cnm_model_export(model, "c", NULL, NULL, SOURCE, &error), CNM_UNSUPPORTED, &error, WORDS);
    assert_false(there(SOURCE));
    check_refusal(cnm_model_round(&rounded, model, "i8", &error), CNM_UNSUPPORTED, &error, WORDS);
    assert_null(rounded);
    check_refusal(cnm_model_footprint(model, NULL, &flash, &stack, &error), CNM_UNSUPPORTED, &error, WORDS);
    check_ok(cnm_model_export(model, "onnx", NULL, NULL, ONNX, &error), &error);
    assert_true(there(ONNX));
    remove(ONNX);
    cnm_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_follow_from_the_rows), cmocka_unit_test(rules_hold_for_the_rows),
        cmocka_unit_test(the_loss_is_for_regression),   cmocka_unit_test(trainings_use_the_rows),
        cmocka_unit_test(models_learn_with_the_rows),   cmocka_unit_test(exports_refuse_what_they_do_not_know),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}

#else

int main(void) {
    puts("skipped: built without -DCNM_TEST_ROWS=ON");
    return 77;
}

#endif
