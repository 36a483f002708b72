/* Trainings with validation rows of their own: what the rows decide, and what they do not touch. */
#include "api/api_support.h"

enum { TRAINING = 80, HELD = ROWS - TRAINING };

static sample made;
static cnm_data *training, *held;

static const char *const QUICK[] = {"features", "16", "effort", "quick", "epochs", "60", "dtype", "f32", NULL};
static const char *const SEARCHED[] = {"features", "16", "epochs", "60", "dtype", "f32", "distill", "no", NULL};
static const char *const IMPATIENT[] = {"features", "16",  "effort",   "quick", "epochs", "400",
                                        "dtype",    "f32", "patience", "2",     NULL};
static const char *const REGRESS[] = {"features", "16",  "effort", "quick",   "epochs", "60",
                                      "dtype",    "f32", "task",   "regress", NULL};

static void check_near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("%.17g instead of %.17g", found, expected);
    }
}

/* Returns rows first .. first + count of the sample, labelled. */
static cnm_data *part(size_t first, size_t count, bool numbers) {
    cnm_error error = {0};
    cnm_data *out;
    check_ok(cnm_data_view_dense(&out, made.values + first * COLUMNS, count, COLUMNS, COLUMNS, &error), &error);
    check_ok(numbers ? cnm_data_set_targets(out, made.numbers + first, &error)
                     : cnm_data_set_labels(out, made.words + first, &error),
             &error);
    return out;
}

static int prepare(void **unused) {
    (void)unused;
    sample_make(&made);
    training = part(0, TRAINING, false);
    held = part(TRAINING, HELD, false);
    return 0;
}

static int clean(void **unused) {
    (void)unused;
    cnm_data_destroy(training);
    cnm_data_destroy(held);
    return 0;
}

static cnm_model *validated(const cnm_model *start, const cnm_data *rows, const cnm_data *validation,
                            const char *const *pairs) {
    cnm_error error = {0};
    cnm_options *options = options_of(pairs);
    cnm_model *out;
    check_ok(cnm_train_validated(&out, start, rows, validation, options, NULL, &error), &error);
    cnm_options_destroy(options);
    return out;
}

static const char *described(const cnm_model *of, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; cnm_model_describe(of, i, &key, &value); i++) {
        if (strcmp(key, wanted) == 0) {
            return value;
        }
    }
    return "(none)";
}

/* Returns a metric of a model on rows. */
static double score_on(const cnm_model *of, const cnm_data *rows, const char *metric) {
    cnm_error error = {0};
    cnm_evaluation *evaluation;
    float scores[ROWS];
    check_ok(cnm_predict_scores(of, rows, 1, scores, &error), &error);
    check_ok(cnm_evaluation_create(&evaluation, of, 0, &error), &error);
    check_ok(cnm_evaluation_add(evaluation, rows, scores, &error), &error);
    const double out = metric_of(evaluation, metric);
    cnm_evaluation_destroy(evaluation);
    return out;
}

/* Fills *best with the best score in the history, and *last with the last; returns how many there
 * are. */
static size_t validations(const cnm_model *of, double *best, double *last) {
    double score;
    size_t count = 0;
    *best = *last = -INFINITY;
    for (size_t i = 0; cnm_model_history(of, i, NULL, NULL, NULL, NULL, &score); i++) {
        if (!isnan(score)) {
            *best = fmax(*best, score);
            *last = score;
            count++;
        }
    }
    return count;
}

/* ---- What they decide ---- */

static void the_best_parameters_on_them_are_kept(void **unused) {
    (void)unused;
    double best, last;
    cnm_model *model = validated(NULL, training, held, QUICK);
    assert_true(validations(model, &best, &last) >= 10);
    assert_true(best > 0.8);
    check_near(score_on(model, held, "accuracy"), best, 1e-12);
    cnm_model_destroy(model);
}

static void patience_counts_on_them(void **unused) {
    (void)unused;
    double best, last;
    cnm_model *model = validated(NULL, training, held, IMPATIENT);
    const size_t count = validations(model, &best, &last);
    assert_true(count >= 3 && count < 20);
    check_near(score_on(model, held, "accuracy"), best, 1e-12);
    cnm_model_destroy(model);
}

static void targets_are_scored_by_r2(void **unused) {
    (void)unused;
    double best, last;
    cnm_data *rows = part(0, TRAINING, true), *others = part(TRAINING, HELD, true);
    cnm_model *model = validated(NULL, rows, others, REGRESS);
    assert_true(validations(model, &best, &last) >= 10);
    assert_true(score_on(model, others, "r2") > 0.95);
    check_near(score_on(model, others, "r2"), best, 0.02); /* best is by the training rows' deviation */
    cnm_model_destroy(model);
    cnm_data_destroy(rows);
    cnm_data_destroy(others);
}

/* ---- What they do not touch ---- */

/* Steps, scaling and the search for hyperparameters are those of a training without them. */
static void they_do_not_train(void **unused) {
    (void)unused;
    static const char *const ENTRIES[] = {"final_loss", "scale",         "width", "map_rate", "noise",
                                          "gamma",      "training_rows", "decay", "lambda",   "steps"};
    const char *const *const runs[] = {QUICK, SEARCHED};
    for (size_t run = 0; run < COUNT_OF(runs); run++) {
        cnm_options *options = options_of(runs[run]);
        cnm_model *plain, *with = validated(NULL, training, held, runs[run]);
        cnm_error error = {0};
        check_ok(cnm_train(&plain, training, options, NULL, &error), &error);
        for (size_t i = 0; i < COUNT_OF(ENTRIES); i++) {
            assert_string_equal(described(with, ENTRIES[i]), described(plain, ENTRIES[i]));
        }
        cnm_options_destroy(options);
        cnm_model_destroy(plain);
        cnm_model_destroy(with);
    }
}

/* Returns rows of a number far from zero, which is missing at times, a word, and a time; the words
 * of the dictionary are in either order. */
static cnm_data *typed_part(size_t first, size_t count, bool turned) {
    static const char *const WORDS[2][2] = {{"left", "right"}, {"right", "left"}};
    double cells[ROWS][3];
    cnm_error error = {0};
    cnm_data *out;
    for (size_t i = 0; i < count; i++) {
        const bool up = strcmp(made.words[first + i], "up") == 0;
        const double base = turned ? 0.0 : 1.7e9;
        cells[i][0] = (first + i) % 9 == 0 ? NAN : base + (double)made.values[(first + i) * COLUMNS];
        cells[i][1] = (double)(up != turned);
        cells[i][2] = 19000.0 + (double)((first + i) % 7);
    }
    check_ok(cnm_data_copy_double(&out, cells[0], count, 3, 3, NULL, &error), &error);
    check_ok(cnm_data_set_words(out, 1, WORDS[turned], 2, &error), &error);
    check_ok(cnm_data_set_times(out, 2, &error), &error);
    check_ok(cnm_data_set_labels(out, made.words + first, &error), &error);
    return out;
}

static void columns_of_words_and_times_are_encoded_as_in_the_training_rows(void **unused) {
    (void)unused;
    double best[2], last[2];
    cnm_data *rows = typed_part(0, TRAINING, false);
    for (size_t turned = 0; turned < 2; turned++) {
        cnm_data *others = typed_part(TRAINING, HELD, turned == 1);
        cnm_model *model = validated(NULL, rows, others, QUICK);
        assert_true(validations(model, &best[turned], &last[turned]) >= 10);
        cnm_model_destroy(model);
        cnm_data_destroy(others);
    }
    check_near(best[0], 1.0, 0.0); /* the word is the label */
    check_near(best[1], 1.0, 0.0);
    cnm_data_destroy(rows);
}

static void sparse_rows_weights_and_groups_go_with_them(void **unused) {
    (void)unused;
    static const size_t STARTS[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint32_t INDEX[] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const float VALUES[] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const double TARGETS[] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const double WEIGHTS[] = {1, 2, 1, 2, 1, 2, 1, 2};
    static const uint64_t GROUPS[] = {1, 1, 2, 2, 3, 3, 4, 4};
    cnm_error error = {0};
    cnm_data *rows, *others;
    double best, last;
    check_ok(cnm_data_view_csr(&rows, VALUES, INDEX, STARTS, 8, 2, &error), &error);
    check_ok(cnm_data_view_csr(&others, VALUES, INDEX, STARTS, 4, 2, &error), &error);
    check_ok(cnm_data_set_targets(rows, TARGETS, &error), &error);
    check_ok(cnm_data_set_targets(others, TARGETS, &error), &error);
    check_ok(cnm_data_set_weights(rows, WEIGHTS, &error), &error);
    check_ok(cnm_data_set_groups(rows, GROUPS, &error), &error);
    cnm_model *model = validated(NULL, rows, others, QUICK);
    assert_true(validations(model, &best, &last) > 0);
    check_near(best, 1.0, 0.0);
    cnm_model_destroy(model);
    check_ok(cnm_data_set_weights(rows, NULL, &error), &error);
    check_ok(cnm_data_set_weights(others, WEIGHTS, &error), &error);
    cnm_model_destroy(validated(NULL, rows, others, QUICK));
    cnm_data_destroy(rows);
    cnm_data_destroy(others);
}

static void a_training_goes_on_with_them(void **unused) {
    (void)unused;
    static const char *const MORE[] = {"epochs", "5", NULL};
    double best, last;
    cnm_model *first = validated(NULL, training, held, QUICK), *next = validated(first, training, held, MORE);
    assert_string_equal(described(next, "warm_start"), "from an earlier model");
    assert_true(validations(next, &best, &last) > 0);
    cnm_model_destroy(first);
    cnm_model_destroy(next);
}

/* ---- Refusals ---- */

static void refuse(const cnm_data *rows, const cnm_data *others, const char *const *pairs, cnm_status status,
                   const char *words) {
    cnm_error error = {0};
    cnm_options *options = options_of(pairs);
    cnm_model *model = (cnm_model *)&error;
    check_refusal(cnm_train_validated(&model, NULL, rows, others, options, NULL, &error), status, &error, words);
    assert_null(model);
    cnm_options_destroy(options);
}

static void what_does_not_fit_is_refused(void **unused) {
    (void)unused;
    static const char *const SHARE[] = {"validation", "0.2", NULL};
    static const char *const RANDOM[] = {"method", "rff", NULL};
    cnm_error error = {0};
    cnm_data *bare, *narrow, *strange = part(TRAINING, HELD, false), *numbers = part(0, TRAINING, true);
    const char *words[HELD];
    for (size_t i = 0; i < HELD; i++) {
        words[i] = i == 3 ? "sideways" : made.words[TRAINING + i];
    }
    check_ok(cnm_data_set_labels(strange, words, &error), &error);
    check_ok(cnm_data_view_dense(&bare, made.values, HELD, COLUMNS, COLUMNS, &error), &error);
    check_ok(cnm_data_view_dense(&narrow, made.values, HELD, 2, COLUMNS, &error), &error);
    check_ok(cnm_data_set_labels(narrow, made.words, &error), &error);
    refuse(training, NULL, NULL, CNM_BAD_ARGUMENT, "validation must not be NULL");
    refuse(training, held, SHARE, CNM_BAD_ARGUMENT, "--validation does not go with");
    refuse(training, held, RANDOM, CNM_BAD_ARGUMENT, "need --method cnm");
    refuse(training, bare, QUICK, CNM_BAD_DATA, "no labels");
    refuse(training, narrow, QUICK, CNM_BAD_DATA, "2 dense columns");
    refuse(training, strange, QUICK, CNM_BAD_DATA, "1 validation rows have labels that no training row has");
    refuse(numbers, held, QUICK, CNM_BAD_DATA, "which no training row has");
    cnm_data_destroy(bare);
    cnm_data_destroy(narrow);
    cnm_data_destroy(strange);
    cnm_data_destroy(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_parameters_on_them_are_kept),
        cmocka_unit_test(patience_counts_on_them),
        cmocka_unit_test(targets_are_scored_by_r2),
        cmocka_unit_test(they_do_not_train),
        cmocka_unit_test(columns_of_words_and_times_are_encoded_as_in_the_training_rows),
        cmocka_unit_test(sparse_rows_weights_and_groups_go_with_them),
        cmocka_unit_test(a_training_goes_on_with_them),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
