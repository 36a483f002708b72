/* Scores on other rows and their standard errors: against counts, and against a jackknife. */
#include "support/trainings.h"

#include "learn/evaluate/holdout_score.h"
#include "learn/objective/losses.h"

static holdout_score score(const cnm_model *model, const table *train, const table *held) {
    cnm_error error = {0};
    holdout_score out;
    check_ok(holdout_score_create(&out, model, train, held, NULL, 2, &error), &error);
    return out;
}

static cnm_model *model_of(const table *rows, setting_method method) {
    settings wanted = quick(method);
    wanted.features = 8;
    return train(rows, &wanted);
}

static void accuracy_has_the_error_of_a_share(void **unused) {
    (void)unused;
    table *rows = make_rings(1, 300, 2), *held = make_rings(2, 100, 2);
    cnm_model *model = model_of(rows, METHOD_RFF);
    holdout_score got = score(model, rows, held);
    const double p = figure_of(model, held, "accuracy");
    size_t largest = 0, ones = 0;
    for (size_t i = 0; i < rows->rows; i++) {
        ones += rows->labels.numbers[i] > 0.0;
    }
    for (size_t i = 0; i < held->rows; i++) {
        largest += (held->labels.numbers[i] > 0.0) == (2 * ones > rows->rows);
    }
    assert_string_equal(got.measure->name, "accuracy");
    assert_int_equal(got.rows, 100);
    check_near(got.value, p, 1e-12, "accuracy", 0);
    check_near(got.error, sqrt(p * (1.0 - p) / 100.0), 1e-12, "error", 0);
    check_near(got.baseline, (double)largest / 100.0, 1e-12, "baseline", 0);
    assert_true(p > 0.5 && p < 1.0);
    holdout_score_free(&got);
    table_destroy(rows);
    table_destroy(held);
    model_destroy(model);
}

/* Each row twice, as a group: as certain as the rows once. */
static void copies_in_a_group_count_once(void **unused) {
    (void)unused;
    cnm_error error = {0};
    table *rows = make_rings(3, 200, 2), *once = make_rings(4, 100, 2), *twice;
    size_t order[200];
    for (size_t i = 0; i < 200; i++) {
        order[i] = i % 100;
    }
    check_ok(table_select(&twice, once, order, 200, &error), &error);
    cnm_model *model = model_of(rows, METHOD_RFF);
    holdout_score single = score(model, rows, once), alone = score(model, rows, twice);
    twice->groups = take_owned(200, sizeof *twice->groups);
    for (size_t i = 0; i < 200; i++) {
        twice->groups[i] = order[i];
    }
    holdout_score grouped = score(model, rows, twice);
    check_near(grouped.value, single.value, 1e-12, "accuracy", 0);
    check_near(grouped.error, single.error, 1e-12, "error by groups", 0);
    check_near(alone.error, single.error / sqrt(2.0), 1e-12, "error by rows", 0);
    holdout_score_free(&single);
    holdout_score_free(&alone);
    holdout_score_free(&grouped);
    table_destroy(rows);
    table_destroy(once);
    table_destroy(twice);
    model_destroy(model);
}

static table *make_line(uint64_t seed, size_t rows) {
    table *out = table_make(rows, 2);
    normals(seed, rows * 2, 1.0, out->values);
    for (size_t i = 0; i < rows; i++) {
        label_number(out, 7.0 + (double)out->values[2 * i] + 2.0 * uniform(seed + 1, i));
    }
    return out;
}

/* Returns 1 - r without row i: the sums without it. */
static double r2_without(const holdout_score *self, size_t without) {
    double errors = 0.0, scale = 0.0;
    for (size_t i = 0; i < self->rows; i++) {
        errors += i == without ? 0.0 : self->each[i];
        scale += i == without ? 0.0 : self->scale[i];
    }
    return 1.0 - errors / scale;
}

/* The jackknife's error is larger by about 1 in n. */
static void r2_has_the_error_of_the_jackknife(void **unused) {
    (void)unused;
    enum { HELD = 150 };
    table *rows = make_line(5, 200), *held = make_line(6, HELD);
    cnm_model *model = model_of(rows, METHOD_LINEAR);
    holdout_score got = score(model, rows, held);
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < HELD; i++) {
        mean += r2_without(&got, i) / HELD;
    }
    for (size_t i = 0; i < HELD; i++) {
        const double apart = r2_without(&got, i) - mean;
        squares += apart * apart;
    }
    const double jackknife = sqrt(squares * (HELD - 1.0) / HELD);
    assert_string_equal(got.measure->name, "r2");
    check_near(got.value, r2_without(&got, HELD), 1e-12, "R2", 0);
    check_near(got.value, figure_of(model, held, "r2"), 0.02, "R2 by the mean of the held rows", 0);
    check_near(got.error, jackknife, 0.05 * jackknife, "error", 0);
    assert_true(got.error > 0.0 && got.baseline == 0.0);
    holdout_score_free(&got);
    table_destroy(rows);
    table_destroy(held);
    model_destroy(model);
}

/* Returns the loss of a quantile, by its definition. */
static double loss_of(double quantile, double target, double prediction) {
    return fmax(quantile * (target - prediction), (quantile - 1.0) * (target - prediction));
}

/* D2 = 1 - loss / loss of the training quantile, by scikit-learn's d2_pinball_score. The targets
 * 0, 1, ..., 60 have the quantile 0.8 at 48, and 0.81 between 48 and 49. */
static void a_quantile_is_scored_by_its_own_loss(void **unused) {
    (void)unused;
    static const double QUANTILES[] = {0.8, 0.81}, CONSTANTS[] = {48.0, 48.6};
    enum { ROWS = 61, HELD = 90 };
    table *rows = table_make(ROWS, 2), *held = make_line(12, HELD);
    normals(11, (size_t)ROWS * 2, 1.0, rows->values);
    for (size_t i = 0; i < ROWS; i++) {
        label_number(rows, (double)(i * 7 % ROWS));
    }
    for (size_t k = 0; k < 2; k++) {
        settings wanted = quick(METHOD_LINEAR);
        size_t count;
        const loss_ops *const *losses = loss_table(&count);
        for (size_t i = 0; i < count; i++) {
            wanted.loss = losses[i]->takes_quantile ? (int)i + 1 : wanted.loss;
        }
        wanted.quantile = QUANTILES[k];
        cnm_model *model = train(rows, &wanted);
        holdout_score got = score(model, rows, held);
        double constant = 0.0;
        for (size_t i = 0; i < HELD; i++) {
            constant += loss_of(QUANTILES[k], held->labels.numbers[i], CONSTANTS[k]) / HELD;
        }
        assert_string_equal(got.measure->name, "d2-pinball");
        check_near(got.value, 1.0 - figure_of(model, held, "pinball") / constant, 1e-9, "D2", k);
        check_near(got.value, r2_without(&got, HELD), 1e-12, "D2 by its parts", k);
        assert_true(got.error > 0.0 && got.baseline == 0.0);
        holdout_score_free(&got);
        model_destroy(model);
    }
    table_destroy(rows);
    table_destroy(held);
}

/* The error of a difference counts only rows on which models differ. */
static void paired_differences_count_where_models_differ(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double difference, spread;
    table *rows = make_rings(7, 300, 2), *held = make_rings(8, 200, 2);
    cnm_model *good = model_of(rows, METHOD_CNM), *poor = model_of(rows, METHOD_LINEAR);
    holdout_score one = score(good, rows, held), other = score(poor, rows, held);
    check_ok(holdout_compare(&one, &one, held, &difference, &spread, &error), &error);
    assert_true(difference == 0.0 && spread == 0.0);
    check_ok(holdout_compare(&one, &other, held, &difference, &spread, &error), &error);
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < 200; i++) {
        mean += (one.each[i] - other.each[i]) / 200.0;
        squares += (one.each[i] - other.each[i]) * (one.each[i] - other.each[i]) / 200.0;
    }
    check_near(difference, one.value - other.value, 1e-12, "difference", 0);
    check_near(spread, sqrt((squares - mean * mean) / 200.0), 1e-12, "its error", 0);
    assert_true(difference > 3.0 * spread);
    assert_true(one.gain > 2.0 * one.gain_error && other.gain < 2.0 * other.gain_error);
    holdout_score_free(&one);
    holdout_score_free(&other);
    table_destroy(rows);
    table_destroy(held);
    model_destroy(good);
    model_destroy(poor);
}

static void rows_that_cannot_be_scored_are_refused(void **unused) {
    (void)unused;
    cnm_error error = {0};
    holdout_score out;
    table *rows = make_line(9, 60), *none = table_make(5, 2), *words = make_clouds(10, 20), *flat = table_make(3, 2);
    cnm_model *model = model_of(rows, METHOD_LINEAR);
    double mean = 0.0;
    check_refusal(holdout_score_create(&out, model, rows, none, NULL, 1, &error), CNM_BAD_DATA, &error, "no labels");
    check_refusal(holdout_score_create(&out, model, rows, words, NULL, 1, &error), CNM_BAD_DATA, &error, "words");
    for (size_t i = 0; i < 60; i++) {
        mean += rows->labels.numbers[i];
    }
    for (size_t i = 0; i < 3; i++) {
        label_number(flat, mean / 60.0);
    }
    check_refusal(holdout_score_create(&out, model, rows, flat, NULL, 1, &error), CNM_BAD_DATA, &error,
                  "leave R2 undefined");
    table_destroy(rows);
    table_destroy(none);
    table_destroy(words);
    table_destroy(flat);
    model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accuracy_has_the_error_of_a_share),
        cmocka_unit_test(copies_in_a_group_count_once),
        cmocka_unit_test(r2_has_the_error_of_the_jackknife),
        cmocka_unit_test(a_quantile_is_scored_by_its_own_loss),
        cmocka_unit_test(paired_differences_count_where_models_differ),
        cmocka_unit_test(rows_that_cannot_be_scored_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
