/* Every loss of the table against its formula in double, and its gradient against differences of
 * that formula. */
#include "support/random_rows.h"

#include "learn/objective/losses.h"
#include "model/model.h"

enum { ROWS = 40, CLASSES = 4 };

static const double PARAMETER = 0.4; /* Huber's delta, epsilon, the quantile */

/* ---- The formulas in double ---- */

typedef struct row_case {
    size_t outputs, class;
    double target, scores[CLASSES];
} row_case;

static double margin(const row_case *row, size_t j) {
    const bool own = row->outputs == 1 ? row->class == 1 : row->class == j;
    return own ? row->scores[j] : -row->scores[j];
}

static double hinge(const row_case *row) {
    double sum = 0.0;
    for (size_t j = 0; j < row->outputs; j++) {
        sum += fmax(0.0, 1.0 - margin(row, j));
    }
    return sum;
}

static double squared_hinge(const row_case *row) {
    double sum = 0.0;
    for (size_t j = 0; j < row->outputs; j++) {
        sum += pow(fmax(0.0, 1.0 - margin(row, j)), 2.0);
    }
    return sum;
}

static double logistic(const row_case *row) {
    double sum = 0.0;
    for (size_t j = 0; j < row->outputs; j++) {
        const double m = margin(row, j);
        sum += m < -30.0 ? -m : log1p(exp(-m));
    }
    return sum;
}

static double largest(const row_case *row, bool own_too) {
    double most = -INFINITY;
    for (size_t j = 0; j < row->outputs; j++) {
        most = own_too || j != row->class ? fmax(most, row->scores[j]) : most;
    }
    return most;
}

static double softmax(const row_case *row) {
    const double most = largest(row, true);
    double sum = 0.0;
    for (size_t j = 0; j < row->outputs; j++) {
        sum += exp(row->scores[j] - most);
    }
    return log(sum) + most - row->scores[row->class];
}

static double crammer_singer(const row_case *row) {
    return fmax(0.0, 1.0 + largest(row, false) - row->scores[row->class]);
}

static double residual(const row_case *row) { return row->scores[0] - row->target; }
static double squared(const row_case *row) { return 0.5 * residual(row) * residual(row); }
static double huber(const row_case *row) {
    const double r = fabs(residual(row));
    return r <= PARAMETER ? 0.5 * r * r : PARAMETER * (r - 0.5 * PARAMETER);
}
#ifdef CNM_TEST_ROWS /* tests/rows */
static double absolute(const row_case *row) { return fabs(residual(row)); }
#endif
static double epsilon(const row_case *row) { return fmax(0.0, fabs(residual(row)) - PARAMETER); }
static double quantile(const row_case *row) {
    return fmax(-PARAMETER * residual(row), (1.0 - PARAMETER) * residual(row));
}

typedef struct loss_case {
    const char *name;
    double (*value)(const row_case *row);
    task_kind task;
    size_t outputs_of_two, outputs_of_five;
} loss_case;

static const loss_case CASES[] = {
    {"hinge", hinge, TASK_CLASSIFY, 1, 5},
    {"squared-hinge", squared_hinge, TASK_CLASSIFY, 1, 5},
    {"logistic", logistic, TASK_CLASSIFY, 1, 5},
    {"softmax", softmax, TASK_CLASSIFY, 2, 5},
    {"crammer-singer", crammer_singer, TASK_CLASSIFY, 2, 5},
    {"squared", squared, TASK_REGRESS, 1, 1},
    {"huber", huber, TASK_REGRESS, 1, 1},
    {"epsilon", epsilon, TASK_REGRESS, 1, 1},
    {"quantile", quantile, TASK_REGRESS, 1, 1},
#ifdef CNM_TEST_ROWS
    {"test-absolute", absolute, TASK_REGRESS, 1, 1},
#endif
};

/* ---- Batches ---- */

typedef struct batch_arrays {
    size_t outputs;
    float scores[ROWS * CLASSES], slope[ROWS * CLASSES], targets[ROWS], weights[ROWS];
    int32_t classes[ROWS];
} batch_arrays;

static void batch_make(batch_arrays *self, const loss_case *tested, size_t classes) {
    self->outputs = loss_find(tested->name)->outputs(classes);
    normals(1, ROWS * self->outputs, 1.5, self->scores);
    normals(2, ROWS, 1.0, self->targets);
    for (size_t i = 0; i < ROWS; i++) {
        self->classes[i] = (int32_t)(i * 7 % classes);
        self->weights[i] = (float)(3.0 * uniform(3, i));
    }
}

static double batch_run(batch_arrays *self, const loss_case *tested, size_t first, size_t rows, bool weighted) {
    const bool classify = tested->task == TASK_CLASSIFY;
    const loss_batch batch = {.rows = rows,
                              .outputs = self->outputs,
                              .scores = self->scores + first * self->outputs,
                              .classes = classify ? self->classes + first : NULL,
                              .targets = classify ? NULL : self->targets + first,
                              .weights = weighted ? self->weights + first : NULL,
                              .parameter = PARAMETER};
    return loss_find(tested->name)->evaluate(&batch, self->slope + first * self->outputs);
}

static row_case batch_row(const batch_arrays *self, size_t i) {
    row_case row = {.outputs = self->outputs, .class = (size_t)self->classes[i], .target = (double)self->targets[i]};
    for (size_t j = 0; j < self->outputs; j++) {
        row.scores[j] = (double)self->scores[i * self->outputs + j];
    }
    return row;
}

/* Whether the formula is smooth around the row: the one-sided differences agree. */
static bool far_from_kink(const loss_case *tested, const row_case *row, size_t j) {
    const double h = 1e-3;
    row_case near[3] = {*row, *row, *row};
    near[0].scores[j] -= h;
    near[2].scores[j] += h;
    const double left = tested->value(&near[1]) - tested->value(&near[0]);
    const double right = tested->value(&near[2]) - tested->value(&near[1]);
    /* second derivatives here are at most 2, a kink of 0.4 or more is 4e-4 */
    return fabs(right - left) < 10.0 * h * h;
}

static double difference(const loss_case *tested, row_case row, size_t j) {
    const double h = 1e-5, middle = row.scores[j];
    row.scores[j] = middle + h;
    const double above = tested->value(&row);
    row.scores[j] = middle - h;
    return (above - tested->value(&row)) / (2.0 * h);
}

/* ---- Tests ---- */

static void the_table_holds_these_losses_in_this_order(void **unused) {
    (void)unused;
    size_t count;
    const loss_ops *const *losses = loss_table(&count);
    assert_int_equal(count, COUNT_OF(CASES));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(losses[i]->name, CASES[i].name);
        assert_int_equal(losses[i]->task, CASES[i].task);
        assert_ptr_equal(loss_find(CASES[i].name), losses[i]);
        assert_int_equal(losses[i]->outputs(2), CASES[i].outputs_of_two);
        assert_int_equal(losses[i]->outputs(5), CASES[i].outputs_of_five);
    }
    assert_null(loss_find("hing"));
    assert_null(loss_find(""));
}

static void check_values_and_gradients(const loss_case *tested, size_t classes) {
    batch_arrays batch;
    double expected = 0.0;
    size_t checked = 0;
    batch_make(&batch, tested, classes);
    const double got = batch_run(&batch, tested, 0, ROWS, false);
    for (size_t i = 0; i < ROWS; i++) {
        const row_case row = batch_row(&batch, i);
        expected += tested->value(&row);
        for (size_t j = 0; j < batch.outputs; j++) {
            const double slope = (double)batch.slope[i * batch.outputs + j], close = difference(tested, row, j);
            if (far_from_kink(tested, &row, j)) {
                check_near(slope, close, 1e-3 * fabs(close) + 1e-7, tested->name, i * batch.outputs + j);
                checked++;
            }
        }
    }
    check_near(got, expected, 1e-9 * expected, tested->name, 0);
    assert_true(checked > ROWS * batch.outputs * 9 / 10);
}

static void values_and_gradients_follow_the_formulas(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        check_values_and_gradients(&CASES[i], 2);
        check_values_and_gradients(&CASES[i], CLASSES);
    }
}

static void weights_multiply_values_and_gradients(void **unused) {
    (void)unused;
    for (size_t c = 0; c < COUNT_OF(CASES); c++) {
        batch_arrays plain, weighted;
        batch_make(&plain, &CASES[c], CLASSES);
        batch_make(&weighted, &CASES[c], CLASSES);
        double expected = 0.0;
        for (size_t i = 0; i < ROWS; i++) {
            expected += (double)plain.weights[i] * batch_run(&plain, &CASES[c], i, 1, false);
        }
        check_near(batch_run(&weighted, &CASES[c], 0, ROWS, true), expected, 1e-12 * expected, CASES[c].name, 0);
        for (size_t i = 0; i < ROWS * plain.outputs; i++) {
            const double slope = (double)plain.weights[i / plain.outputs] * (double)plain.slope[i];
            check_near((double)weighted.slope[i], slope, 2e-7 * fabs(slope), CASES[c].name, i);
        }
    }
}

/* A margin loss at a score of 1e4 is 0 or 1e4, never infinite or NaN. */
static void huge_scores_stay_finite(void **unused) {
    (void)unused;
    for (size_t c = 0; c < COUNT_OF(CASES); c++) {
        for (size_t classes = 2; classes <= CLASSES; classes += 2) {
            batch_arrays batch;
            batch_make(&batch, &CASES[c], classes);
            for (size_t i = 0; i < ROWS * batch.outputs; i++) {
                batch.scores[i] = uniform(4, i) < 0.5 ? -1e4F : 1e4F;
            }
            const double value = batch_run(&batch, &CASES[c], 0, ROWS, false);
            assert_true(isfinite(value) && value >= 0.0);
            for (size_t i = 0; i < ROWS; i++) {
                const row_case row = batch_row(&batch, i);
                const double own = batch_run(&batch, &CASES[c], i, 1, false), expected = CASES[c].value(&row);
                check_near(own, expected, 1e-12 * expected, CASES[c].name, i);
                for (size_t j = 0; j < batch.outputs; j++) {
                    assert_true(isfinite(batch.slope[i * batch.outputs + j]));
                }
            }
        }
    }
}

/* At large margins m the loss is exp(-m), which must not be rounded to 0 by way of 1 + exp(-m). */
static void logistic_keeps_small_losses(void **unused) {
    (void)unused;
    float score = 60.0F, slope;
    const int32_t class = 1;
    const loss_batch batch = {.rows = 1, .outputs = 1, .scores = &score, .classes = &class};
    const double value = loss_find("logistic")->evaluate(&batch, &slope);
    check_near(value, exp(-60.0), 1e-12 * exp(-60.0), "logistic", 0);
    check_near((double)slope, -exp(-60.0), 1e-6 * exp(-60.0), "logistic", 0);
}

static void a_row_without_loss_has_no_gradient_at_the_kink(void **unused) {
    (void)unused;
    float scores[2] = {1.0F, 0.0F}, slope[2] = {9.0F, 9.0F};
    const int32_t class = 1, first = 0;
    loss_batch batch = {.rows = 1, .outputs = 1, .scores = scores, .classes = &class};
    assert_true(loss_find("hinge")->evaluate(&batch, slope) == 0.0 && slope[0] == 0.0F);
    batch.outputs = 2;
    batch.classes = &first;
    slope[0] = slope[1] = 9.0F;
    assert_true(loss_find("crammer-singer")->evaluate(&batch, slope) == 0.0 && slope[0] == 0.0F && slope[1] == 0.0F);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds_these_losses_in_this_order),
        cmocka_unit_test(values_and_gradients_follow_the_formulas),
        cmocka_unit_test(weights_multiply_values_and_gradients),
        cmocka_unit_test(huge_scores_stay_finite),
        cmocka_unit_test(logistic_keeps_small_losses),
        cmocka_unit_test(a_row_without_loss_has_no_gradient_at_the_kink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
