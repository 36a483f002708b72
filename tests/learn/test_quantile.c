/* Models of the quantile loss: whether as many new targets are below the prediction as the quantile
 * says, also where the noise is small and where it is large.
 *
 * The task: y = sin(2 x) + (0.1 + 0.4 |x|) e, x uniform in [-1.5, 1.5], e normal. The share of n
 * new targets below a known quantile q has a variance of q (1 - q) / n, and a quantile learned from
 * m rows is itself off by about as much with m for n: the bound is three standard deviations of the
 * sum. */
#include "support/trainings.h"

#include "learn/objective/losses.h"
#include "model/evaluate.h"

enum { ROWS = 4000, FRESH = 20000 };

static double noise_at(double x) { return 0.1 + 0.4 * fabs(x); }

/* Keeps x where |x| is in [from, to). */
static table *make_noisy(uint64_t seed, size_t rows, double from, double to) {
    table *out = table_make(rows, 1);
    float *normal = take(rows, sizeof *normal);
    normals(seed, rows, 1.0, normal);
    for (size_t i = 0; i < rows; i++) {
        const double size = from + (to - from) * uniform(seed, i), x = i % 2 == 0 ? size : -size;
        out->values[i] = (float)x;
        label_number(out, sin(2.0 * x) + noise_at(x) * (double)normal[i]);
    }
    free(normal);
    return out;
}

static int loss_number(const char *name) {
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (losses[i] == loss_find(name)) {
            return (int)i + 1;
        }
    }
    fail_msg("no loss %s", name);
    return 0;
}

static cnm_model *train_quantile(const table *rows, double quantile) {
    settings wanted = search_settings(16);
    wanted.effort = EFFORT_QUICK;
    wanted.loss = loss_number("quantile");
    wanted.quantile = quantile;
    wanted.batch = 256;
    return train(rows, &wanted);
}

static void check_coverage(const cnm_model *model, double quantile, double from, double to, double share) {
    table *fresh = make_noisy(2, FRESH, from, to);
    const double variance = quantile * (1.0 - quantile) * (1.0 / FRESH + 1.0 / (share * ROWS));
    check_near(figure_of(model, fresh, "coverage"), quantile, 3.0 * sqrt(variance), "coverage", 0);
    table_destroy(fresh);
}

static void as_many_new_targets_are_below_as_the_quantile_says(void **unused) {
    static const double QUANTILES[] = {0.1, 0.5, 0.9};
    (void)unused;
    table *rows = make_noisy(1, ROWS, 0.0, 1.5);
    for (size_t i = 0; i < COUNT_OF(QUANTILES); i++) {
        const double q = QUANTILES[i];
        cnm_model *model = train_quantile(rows, q);
        check_coverage(model, q, 0.0, 1.5, 1.0);
        check_coverage(model, q, 0.0, 0.75, 0.5);
        check_coverage(model, q, 0.75, 1.5, 0.5);
        assert_true(number_of(model, RECORD_QUANTILE) == q);
        model_destroy(model);
    }
    table_destroy(rows);
}

/* The mean loss of the true quantile is the least there is; that of the mean is much larger. */
static void the_loss_is_near_the_least_there_is(void **unused) {
    const double q = 0.9, of_normal = 1.2815515655446004;
    (void)unused;
    table *rows = make_noisy(1, ROWS, 0.0, 1.5), *fresh = make_noisy(3, FRESH, 0.0, 1.5);
    cnm_model *model = train_quantile(rows, q);
    double least = 0.0;
    for (size_t i = 0; i < FRESH; i++) {
        const double x = (double)fresh->values[i];
        const double below = fresh->labels.numbers[i] - sin(2.0 * x) - of_normal * noise_at(x);
        least += fmax(q * below, (q - 1.0) * below) / FRESH;
    }
    const double got = figure_of(model, fresh, "pinball");
    assert_true(got >= 0.99 * least && got <= 1.03 * least);
    model_destroy(model);
    table_destroy(rows);
    table_destroy(fresh);
}

static void other_models_have_no_such_figures(void **unused) {
    (void)unused;
    table *rows = make_noisy(1, 200, 0.0, 1.5);
    settings wanted = quick(METHOD_RFF);
    cnm_model *model = train(rows, &wanted);
    assert_true(isnan(figure_of(model, rows, "pinball")) && isnan(figure_of(model, rows, "coverage")));
    assert_null(record_get(&model->record, RECORD_QUANTILE));
    model_destroy(model);
    table_destroy(rows);
}

static void a_quantile_that_is_none_is_refused(void **unused) {
    static const char *const WRONG[] = {"0", "1", "-0.5", "nan", "nine", ""};
    (void)unused;
    table *rows = make_noisy(1, 200, 0.0, 1.5);
    settings wanted = quick(METHOD_RFF);
    cnm_model *model = train(rows, &wanted);
    for (size_t i = 0; i < COUNT_OF(WRONG); i++) {
        evaluation *measured;
        cnm_error error;
        assert_int_equal(record_set(&model->record, RECORD_QUANTILE, WRONG[i], NULL), CNM_OK);
        assert_int_equal(evaluation_create(&measured, model, false, &error), CNM_BAD_FORMAT);
        assert_non_null(strstr(error.message, "is not a number between 0 and 1"));
        assert_null(measured);
    }
    model_destroy(model);
    table_destroy(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_new_targets_are_below_as_the_quantile_says),
        cmocka_unit_test(the_loss_is_near_the_least_there_is),
        cmocka_unit_test(other_models_have_no_such_figures),
        cmocka_unit_test(a_quantile_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
