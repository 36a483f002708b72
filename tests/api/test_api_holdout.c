/* Rows kept out of a training, and the score on them. */
#include "api/api_support.h"

static size_t count(const size_t *held) {
    size_t sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        assert_in_range(held[i], 0, 1);
        sum += held[i];
    }
    return sum;
}

static void a_share_of_the_rows_is_marked(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static sample made;
    size_t held[ROWS], again[ROWS], ups = 0, held_ups = 0;
    sample_make(&made);
    cnm_data *data = labelled_view(&made);
    cnm_options *seeded = options_of((const char *const[]){"seed", "2", NULL});
    check_ok(cnm_data_hold_out(data, NULL, 0.25, held, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        const bool up = strcmp(made.words[i], "up") == 0;
        ups += up;
        held_ups += up && held[i] == 1;
    }
    assert_int_equal(held_ups, (size_t)(0.25 * (double)ups + 0.5));
    assert_in_range(count(held), ROWS / 4 - 1, ROWS / 4 + 1);
    check_ok(cnm_data_hold_out(data, NULL, 0.25, again, &error), &error);
    assert_memory_equal(held, again, sizeof held);
    check_ok(cnm_data_hold_out(data, seeded, 0.25, again, &error), &error);
    assert_memory_not_equal(held, again, sizeof held);
    check_ok(cnm_data_set_targets(data, made.numbers, &error), &error);
    check_ok(cnm_data_hold_out(data, NULL, 0.25, held, &error), &error);
    assert_int_equal(count(held), ROWS / 4);
    cnm_options_destroy(seeded);
    cnm_data_destroy(data);
}

static void groups_are_marked_whole(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static sample made;
    size_t held[ROWS];
    uint64_t groups[ROWS];
    sample_make(&made);
    cnm_data *data = labelled_view(&made);
    for (size_t i = 0; i < ROWS; i++) {
        groups[i] = i % 30;
    }
    check_ok(cnm_data_set_groups(data, groups, &error), &error);
    check_ok(cnm_data_hold_out(data, NULL, 0.2, held, &error), &error);
    for (size_t i = 30; i < ROWS; i++) {
        assert_int_equal(held[i], held[i - 30]);
    }
    assert_in_range(count(held), 12, 36);
    cnm_data_destroy(data);
}

static void a_share_that_makes_no_sense_is_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static sample made;
    static const double SHARES[] = {0.0, 1.0, -0.1, 2.0, NAN};
    size_t held[ROWS];
    sample_make(&made);
    cnm_data *data = labelled_view(&made), *bare = sample_view(&made);
    for (size_t i = 0; i < COUNT_OF(SHARES); i++) {
        check_refusal(cnm_data_hold_out(data, NULL, SHARES[i], held, &error), CNM_BAD_ARGUMENT, &error,
                      "not between 0 and 1");
    }
    check_refusal(cnm_data_hold_out(bare, NULL, 0.2, held, &error), CNM_BAD_DATA, &error,
                  "holding rows out needs labels");
    check_refusal(cnm_data_hold_out(data, NULL, 0.001, held, &error), CNM_BAD_DATA, &error,
                  "120 rows are too few to hold some out");
    check_refusal(cnm_data_hold_out(NULL, NULL, 0.2, held, &error), CNM_BAD_ARGUMENT, &error, "data must not");
    check_refusal(cnm_data_hold_out(data, NULL, 0.2, NULL, &error), CNM_BAD_ARGUMENT, &error, "held must not");
    cnm_data_destroy(data);
    cnm_data_destroy(bare);
}

static void the_score_is_that_of_an_evaluation(void **unused) {
    (void)unused;
    cnm_error error = {0};
    static sample made;
    static float scores[ROWS];
    sample_make(&made);
    cnm_data *data = labelled_view(&made), *bare = sample_view(&made);
    cnm_model *model = train_with(data, (const char *const[]){"method", "rff", "features", "4", NULL});
    cnm_holdout got = CNM_HOLDOUT_INIT;
    cnm_evaluation *evaluation;
    check_ok(cnm_holdout_score(model, data, data, 1, &got, &error), &error);
    check_ok(cnm_evaluation_create(&evaluation, model, 0, &error), &error);
    check_ok(cnm_predict_scores(model, data, 1, scores, &error), &error);
    check_ok(cnm_evaluation_add(evaluation, data, scores, &error), &error);
    const double p = metric_of(evaluation, "accuracy");
    assert_string_equal(got.metric, "accuracy");
    assert_int_equal(got.rows, ROWS);
    assert_true(fabs(got.score - p) < 1e-12 && fabs(got.standard_error - sqrt(p * (1 - p) / ROWS)) < 1e-12);
    assert_true(got.baseline >= 0.5 && got.baseline < 1.0);
    cnm_holdout early = {.struct_size = offsetof(cnm_holdout, rows), .rows = 7};
    check_ok(cnm_holdout_score(model, data, data, 1, &early, &error), &error);
    assert_true(early.metric != NULL && early.rows == 7); /* of an older header */
    check_refusal(cnm_holdout_score(model, data, bare, 1, &got, &error), CNM_BAD_DATA, &error, "no labels");
    check_refusal(cnm_holdout_score(NULL, data, data, 1, &got, &error), CNM_BAD_ARGUMENT, &error, "model must");
    check_refusal(cnm_holdout_score(model, NULL, data, 1, &got, &error), CNM_BAD_ARGUMENT, &error, "train must");
    check_refusal(cnm_holdout_score(model, data, NULL, 1, &got, &error), CNM_BAD_ARGUMENT, &error, "held must");
    check_refusal(cnm_holdout_score(model, data, data, 1, NULL, &error), CNM_BAD_ARGUMENT, &error, "out must");
    cnm_model_destroy(model);
    cnm_options *options = options_of((const char *const[]){"method", "rff", "task", "map", "features", "4", NULL});
    check_ok(cnm_train(&model, bare, options, NULL, &error), &error);
    cnm_options_destroy(options);
    check_refusal(cnm_holdout_score(model, data, data, 1, &got, &error), CNM_BAD_ARGUMENT, &error, "without a head");
    cnm_model_destroy(model);
    cnm_evaluation_destroy(evaluation);
    cnm_data_destroy(data);
    cnm_data_destroy(bare);
}

/* Auto stands for no in the library. */
static void only_who_asks_pays_for_an_estimate(void **unused) {
    (void)unused;
    static sample made;
    sample_make(&made);
    cnm_data *data = labelled_view(&made);
    const char *key, *value;
    for (int asked = 0; asked < 2; asked++) {
        cnm_model *model = train_with(
            data, (const char *const[]){"method", "rff", "features", "4", "estimate", asked ? "yes" : "auto", NULL});
        size_t found = 0;
        for (size_t i = 0; cnm_model_describe(model, i, &key, &value); i++) {
            found += strcmp(key, "estimate") == 0;
        }
        assert_int_equal(found, asked);
        cnm_model_destroy(model);
    }
    cnm_data_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_of_the_rows_is_marked),          cmocka_unit_test(groups_are_marked_whole),
        cmocka_unit_test(a_share_that_makes_no_sense_is_refused), cmocka_unit_test(the_score_is_that_of_an_evaluation),
        cmocka_unit_test(only_who_asks_pays_for_an_estimate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
