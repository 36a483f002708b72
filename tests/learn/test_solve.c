/* Solving for a head: the slopes of the objective vanish there, numbers agree with elimination, weights of rows count, and any number of
 * threads gives the same bits. */
#include "learn/made_training.h"

#include "learn/fit/frozen_map.h"

enum { ROWS = 300, COLUMNS = 3, FEATURES = 10, INNER = FEATURES + 1, MOST_OUTPUTS = 3 };

static void make_drawn(made *self, const char *loss, size_t outputs, double lambda) {
    make(self, &(made_shape){.rows = ROWS,
                             .columns = COLUMNS,
                             .features = FEATURES,
                             .outputs = outputs,
                             .loss = loss,
                             .recipe = {.hold = 1.0, .lambda = lambda, .batch = 16, .steps = 100}});
}

static void solve(made *self) {
    cnm_error error = {0};
    assert_true(head_is_solved(&self->training));
    check_ok(solve_head(&self->training, &self->plan, &error), &error);
}

/* z (INNER) of a row: its features as the head takes them, and a 1. */
static void features_of(const made *self, size_t row, double *z) {
    const map *own = self->training.map;
    for (size_t f = 0; f < FEATURES; f++) {
        double sum = (double)own->phase[f];
        for (size_t j = 0; j < COLUMNS; j++) {
            sum += (double)self->rows->values[row * COLUMNS + j] * (double)own->tensors[0].values[j * FEATURES + f];
        }
        z[f] = self->plan.feature_scale * cos(sum);
    }
    z[FEATURES] = 1.0;
}

/* slopes (INNER, outputs) of the objective at the head, all in double but the loss's own; returns the largest. */
static double largest_slope(const made *self, const float *head) {
    const training *of = &self->training;
    const size_t outputs = of->problem.outputs, count = of->split.train_count;
    double slopes[INNER * MOST_OUTPUTS] = {0}, largest = 0.0, z[INNER];
    for (size_t n = 0; n < count; n++) {
        const size_t row = of->split.train[n];
        float scores[MOST_OUTPUTS], slope[MOST_OUTPUTS];
        features_of(self, row, z);
        for (size_t j = 0; j < outputs; j++) {
            double sum = 0.0;
            for (size_t f = 0; f < INNER; f++) {
                sum += z[f] * (double)head[f * outputs + j];
            }
            scores[j] = (float)sum;
        }
        const loss_batch one = {.rows = 1,
                                .outputs = outputs,
                                .scores = scores,
                                .classes = of->problem.codes == NULL ? NULL : of->problem.codes + row,
                                .targets = of->problem.targets == NULL ? NULL : of->problem.targets + row,
                                .weights = of->problem.weights == NULL ? NULL : of->problem.weights + row,
                                .parameter = of->problem.loss->parameter};
        of->problem.loss->evaluate(&one, slope);
        for (size_t i = 0; i < INNER * outputs; i++) {
            slopes[i] += z[i / outputs] * (double)slope[i % outputs] / (double)count;
        }
    }
    for (size_t i = 0; i < INNER * outputs; i++) {
        const double penalty = i / outputs < FEATURES ? self->plan.lambda * (double)head[i] : 0.0;
        largest = fmax(largest, fabs(slopes[i] + penalty));
    }
    return largest;
}

/* The slopes left over are below a hundredth of those at zero, where it starts; with every smooth loss, weights and none. */
static void slopes_vanish_at_the_solution(void **unused) {
    (void)unused;
    static const struct {
        const char *loss;
        size_t outputs;
    } CASES[] = {{"softmax", 2}, {"softmax", 3}, {"logistic", 1}, {"squared-hinge", 3}, {"squared", 1}, {"huber", 1}};
    static const double LAMBDAS[] = {1e-1, 1e-3, 1e-5};
    static const float ZERO[INNER * MOST_OUTPUTS] = {0};
    for (size_t n = 0; n < COUNT_OF(CASES) * COUNT_OF(LAMBDAS) * 2; n++) {
        made self;
        make_drawn(&self, CASES[n / 6].loss, CASES[n / 6].outputs, LAMBDAS[n % 3]);
        self.training.problem.weights = n / 3 % 2 == 1 ? self.weights : NULL;
        const double before = largest_slope(&self, ZERO);
        solve(&self);
        const double after = largest_slope(&self, self.training.head.weights);
        if (!(after < 0.01 * before)) {
            fail_msg("%s, lambda %g: slopes of %g are left of %g", CASES[n / 6].loss, LAMBDAS[n % 3], after, before);
        }
        unmake(&self);
    }
}

/* (sum z z^T / n + lambda I) w = sum z y / n, without a penalty on the intercept, by elimination. */
static void numbers_agree_with_elimination(void **unused) {
    (void)unused;
    made self;
    make_drawn(&self, "squared", 1, 1e-2);
    solve(&self);
    double a[INNER][INNER + 1] = {{0}}, z[INNER];
    const row_split *split = &self.training.split;
    for (size_t n = 0; n < split->train_count; n++) {
        features_of(&self, split->train[n], z);
        for (size_t i = 0; i < INNER; i++) {
            for (size_t j = 0; j <= INNER; j++) {
                a[i][j] +=
                    z[i] * (j < INNER ? z[j] : (double)self.targets[split->train[n]]) / (double)split->train_count;
            }
        }
    }
    for (size_t i = 0; i < FEATURES; i++) {
        a[i][i] += 1e-2;
    }
    for (size_t i = 0; i < INNER; i++) { /* positive definite: no pivot is 0 */
        for (size_t r = 0; r < INNER; r++) {
            const double factor = a[r][i] / a[i][i];
            for (size_t j = i; r != i && j <= INNER; j++) {
                a[r][j] -= factor * a[i][j];
            }
        }
    }
    for (size_t i = 0; i < INNER; i++) {
        check_near((double)self.training.head.weights[i], a[i][INNER] / a[i][i], 2e-3, "weight", i);
    }
    unmake(&self);
}

static void any_number_of_threads_gives_the_same_bits(void **unused) {
    (void)unused;
    float first[INNER * 3];
    static const uint64_t NUMBERS[] = {1, 2, 7};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        made self;
        make_drawn(&self, "softmax", 3, 1e-4);
        self.settings.threads = NUMBERS[i];
        solve(&self);
        if (i == 0) {
            memcpy(first, self.training.head.weights, sizeof first);
        }
        assert_memory_equal(self.training.head.weights, first, sizeof first);
        unmake(&self);
    }
}

/* Losses with a kink, maps that learn, too many rows: steps as ever. */
static void what_is_not_solved_is_left_alone(void **unused) {
    (void)unused;
    cnm_error error = {0};
    made self;
    make_drawn(&self, "softmax", 2, 1e-3);
    self.training.recipe.hold = 0.8;
    assert_false(head_is_solved(&self.training));
    assert_true(head_can_be_solved(&self.training));
    check_ok(solve_head(&self.training, &self.plan, &error), &error);
    for (size_t i = 0; i < INNER * 2; i++) {
        assert_true(self.training.head.weights[i] == 0.0F);
    }
    self.training.recipe.hold = 1.0;
    self.training.problem.loss = loss_find("hinge");
    assert_false(head_is_solved(&self.training));
    self.training.problem.loss = loss_find("softmax");
    self.training.problem.rows.rows = (size_t)1 << 40;
    assert_false(head_is_solved(&self.training));
    self.training.problem.rows.rows = ROWS;
    self.training.spec.features = 1025;
    assert_false(head_is_solved(&self.training));
    self.training.spec.features = FEATURES;
    self.training.problem.outputs = (1 << 16) / FEATURES + 1;
    assert_false(head_is_solved(&self.training));
    self.training.problem.outputs = 2;
    assert_true(head_is_solved(&self.training));
    self.settings.method = METHOD_RFF;
    assert_false(head_is_solved(&self.training));
    unmake(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_vanish_at_the_solution),
        cmocka_unit_test(numbers_agree_with_elimination),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(what_is_not_solved_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
