/* The head on a frozen map by L-BFGS: the gradient of the objective vanishes, regressions agree
 * with elimination, weights of rows count, and any number of threads gives the same bits. */
#include "support/made_session.h"

#include "learn/fit/frozen_map.h"
#include "learn/objective/losses.h"

enum { ROWS = 300, COLUMNS = 3, FEATURES = 10, INNER = FEATURES + 1, MOST_OUTPUTS = 3 };

static void make_frozen(made_session *self, const char *loss, size_t outputs, double lambda) {
    make_session(self, &(made_shape){.rows = ROWS,
                                     .columns = COLUMNS,
                                     .features = FEATURES,
                                     .outputs = outputs,
                                     .loss = loss,
                                     .chosen = {.map_rate = 0.0, .lambda = lambda, .batch = 16, .steps = 100}});
}

static void solve(made_session *self) {
    cnm_error error = {0};
    assert_true(head_is_solved(&self->session));
    check_ok(solve_head(&self->session, &self->plan, &error), &error);
}

/* Fills z (INNER) with the features of a row as the head takes them, and a 1. */
static void features_of(const made_session *self, size_t row, double *z) {
    const layer *own = map_first(self->session.map);
    for (size_t f = 0; f < FEATURES; f++) {
        double sum = (double)own->phase[f];
        for (size_t j = 0; j < COLUMNS; j++) {
            sum += (double)self->rows->values[row * COLUMNS + j] * (double)own->tensors[0].values[j * FEATURES + f];
        }
        z[f] = self->plan.feature_scale * cos(sum);
    }
    z[FEATURES] = 1.0;
}

/* Returns the largest entry of the objective's gradient at a head, in double but for the loss's
 * own. */
static double largest_gradient(const made_session *self, const float *head) {
    const fit_session *of = &self->session;
    const size_t outputs = of->data->outputs, count = of->split.train_count;
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
                                .classes = of->data->codes == NULL ? NULL : of->data->codes + row,
                                .targets = of->data->targets == NULL ? NULL : of->data->targets + row,
                                .weights = of->weights == NULL ? NULL : of->weights + row,
                                .parameter = of->data->loss->parameter};
        of->data->loss->evaluate(&one, slope);
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

/* The gradient is below a hundredth of that at zero, where the solver starts; with every smooth
 * loss, with weights and without. */
static void the_gradient_vanishes_at_the_solution(void **unused) {
    (void)unused;
    static const struct {
        const char *loss;
        size_t outputs;
    } CASES[] = {{"softmax", 2}, {"softmax", 3}, {"logistic", 1}, {"squared-hinge", 3}, {"squared", 1}, {"huber", 1}};
    static const double LAMBDAS[] = {1e-1, 1e-3, 1e-5};
    static const float ZERO[INNER * MOST_OUTPUTS] = {0};
    for (size_t n = 0; n < COUNT_OF(CASES) * COUNT_OF(LAMBDAS) * 2; n++) {
        made_session self;
        make_frozen(&self, CASES[n / 6].loss, CASES[n / 6].outputs, LAMBDAS[n % 3]);
        self.session.weights = n / 3 % 2 == 1 ? self.weights : NULL;
        const double before = largest_gradient(&self, ZERO);
        solve(&self);
        const double after = largest_gradient(&self, self.session.head.weights);
        if (!(after < 0.01 * before)) {
            fail_msg("%s, lambda %g: slopes of %g are left of %g", CASES[n / 6].loss, LAMBDAS[n % 3], after, before);
        }
        free_session(&self);
    }
}

/* (sum z z^T / n + lambda I) w = sum z y / n, without a penalty on the intercept, by
 * elimination. */
static void regressions_agree_with_elimination(void **unused) {
    (void)unused;
    made_session self;
    make_frozen(&self, "squared", 1, 1e-2);
    solve(&self);
    double a[INNER][INNER + 1] = {{0}}, z[INNER];
    const row_split *split = &self.session.split;
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
        check_near((double)self.session.head.weights[i], a[i][INNER] / a[i][i], 2e-3, "weight", i);
    }
    free_session(&self);
}

static void any_number_of_threads_gives_the_same_bits(void **unused) {
    (void)unused;
    float first[INNER * 3];
    static const uint64_t NUMBERS[] = {1, 2, 7};
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        made_session self;
        make_frozen(&self, "softmax", 3, 1e-4);
        self.settings.threads = NUMBERS[i];
        solve(&self);
        if (i == 0) {
            memcpy(first, self.session.head.weights, sizeof first);
        }
        assert_memory_equal(self.session.head.weights, first, sizeof first);
        free_session(&self);
    }
}

/* Losses with a kink, maps that learn and too many rows take steps instead. */
static void other_heads_are_not_solved_for(void **unused) {
    (void)unused;
    cnm_error error = {0};
    made_session self;
    make_frozen(&self, "softmax", 2, 1e-3);
    self.session.chosen.map_rate = 0.2;
    self.session.chosen.map_mode = MAP_SLOW;
    assert_false(head_is_solved(&self.session));
    assert_true(head_can_be_solved(&self.session));
    check_ok(solve_head(&self.session, &self.plan, &error), &error);
    for (size_t i = 0; i < INNER * 2; i++) {
        assert_true(self.session.head.weights[i] == 0.0F);
    }
    self.session.chosen.map_rate = 0.0;
    self.session.chosen.map_mode = MAP_FROZEN;
    self.data.loss = loss_find("hinge");
    assert_false(head_is_solved(&self.session));
    self.data.loss = loss_find("softmax");
    self.data.rows.rows = (size_t)1 << 40;
    assert_false(head_is_solved(&self.session));
    self.data.rows.rows = ROWS;
    self.session.spec.features = 1025;
    assert_false(head_is_solved(&self.session));
    self.session.spec.features = FEATURES;
    self.data.outputs = (1 << 16) / FEATURES + 1;
    assert_false(head_is_solved(&self.session));
    self.data.outputs = 2;
    assert_true(head_is_solved(&self.session));
    self.settings.method = METHOD_RFF;
    assert_false(head_is_solved(&self.session));
    free_session(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gradient_vanishes_at_the_solution),
        cmocka_unit_test(regressions_agree_with_elimination),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(other_heads_are_not_solved_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
