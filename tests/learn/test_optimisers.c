/* Optimisers against the same steps in double. float32 rounds a handful of times an element and
 * step: the bounds allow 1e-6 of the largest magnitude for each step. */
#include "support/random_rows.h"

#include "engine/engine.h"
#include "engine/optimisers.h"

enum { ROWS = 23, COLUMNS = 3, CELLS = ROWS * COLUMNS, STEPS = 12 };

/* One array in both precisions. */
typedef struct twin_array {
    float values[CELLS], gradient[CELLS], moments[2][CELLS];
    double exact[CELLS], exact_moments[2][CELLS];
} twin_array;

static void twin_start(twin_array *self) {
    memset(self, 0, sizeof *self);
    normals(1, CELLS, 0.7, self->values);
    for (size_t i = 0; i < CELLS; i++) {
        self->exact[i] = (double)self->values[i];
    }
}

static update_call call_of(twin_array *self, const train_plan *plan, parameter_kind kind, uint64_t step) {
    normals(100 + step, CELLS, 1.0, self->gradient);
    return (update_call){.plan = plan,
                         .kind = kind,
                         .step = step,
                         .step_scale = 1.0,
                         .rate_scale = 1.0,
                         .rate = 0.0,
                         .rows = ROWS,
                         .columns = COLUMNS,
                         .values = self->values,
                         .gradient = self->gradient,
                         .moments = {self->moments[0], self->moments[1]}};
}

static void check_twin(const twin_array *self, double bound, const char *what) {
    for (size_t i = 0; i < CELLS; i++) {
        check_near((double)self->values[i], self->exact[i], bound, what, i);
    }
}

static double column_norm(const float *values, size_t column) {
    double squares = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        squares += (double)values[i * COLUMNS + column] * (double)values[i * COLUMNS + column];
    }
    return sqrt(squares);
}

static void exact_pegasos(twin_array *self, double rate, double lambda) {
    for (size_t j = 0; j < COLUMNS; j++) {
        double squares = 0.0;
        for (size_t i = j; i < CELLS; i += COLUMNS) {
            self->exact[i] = (1.0 - rate * lambda) * self->exact[i] - rate * (double)self->gradient[i];
            squares += self->exact[i] * self->exact[i];
        }
        const double shrink = fmin(1.0, 1.0 / sqrt(lambda * squares));
        for (size_t i = j; i < CELLS; i += COLUMNS) {
            self->exact[i] *= shrink;
        }
    }
}

static void pegasos_follows_its_steps_and_stays_in_the_ball(void **unused) {
    (void)unused;
    static const double LAMBDAS[] = {1e-4, 1e-2, 1.0, 50.0};
    for (size_t l = 0; l < COUNT_OF(LAMBDAS); l++) {
        const double lambda = LAMBDAS[l], radius = 1.0 / sqrt(lambda);
        const train_plan plan = {.rate = RATE_PEGASOS, .lambda = lambda};
        twin_array array;
        bool reached = false;
        twin_start(&array);
        for (uint64_t step = 1; step <= STEPS; step++) {
            update_call call = call_of(&array, &plan, PARAMETER_HEAD, step);
            call.rate = update_rate(&call);
            check_near(call.rate, 1.0 / (lambda * (double)step), 1e-15 * call.rate, "rate", 0);
            update_find(NULL, UPDATE_PEGASOS)->apply(&call);
            exact_pegasos(&array, call.rate, lambda);
            check_twin(&array, 1e-6 * (double)step * radius, "pegasos");
            for (size_t j = 0; j < COLUMNS; j++) {
                const double norm = column_norm(array.values, j);
                assert_true(norm <= radius * (1.0 + 1e-6));
                reached = reached || norm > 0.999 * radius;
            }
        }
        /* else the bound above shows nothing */
        assert_true(reached || lambda > 1.0);
    }
    assert_true(update_find(NULL, UPDATE_PEGASOS)->whole);
}

/* Returns what the penalty adds to the gradient, by kind of array. */
static double penalty(const train_plan *plan, parameter_kind kind, double value) {
    const double sign = (value > 0.0) - (value < 0.0);
    return kind == PARAMETER_HEAD     ? plan->lambda * value
           : kind == PARAMETER_TENSOR ? plan->tensor_l2 * value + plan->tensor_l1 * sign
                                      : 0.0;
}

static const train_plan PENALISED = {.rate = RATE_COSINE,
                                     .lambda = 0.3,
                                     .tensor_l1 = 0.05,
                                     .tensor_l2 = 0.2,
                                     .tensor_decay = 0.4,
                                     .head_rate = 0.1,
                                     .tensor_rate = 0.02,
                                     .phase_rate = 0.05,
                                     .factor_rate = 0.03,
                                     .steps = STEPS};

static void sgd_steps_against_gradient_and_penalties(void **unused) {
    (void)unused;
    for (parameter_kind kind = PARAMETER_HEAD; kind <= PARAMETER_FACTOR; kind++) {
        twin_array array;
        twin_start(&array);
        array.values[0] = 0.0F; /* where the l1 penalty has no gradient */
        array.exact[0] = 0.0;
        for (uint64_t step = 1; step <= STEPS; step++) {
            update_call call = call_of(&array, &PENALISED, kind, step);
            call.rate = update_rate(&call);
            update_find(NULL, UPDATE_SGD)->apply(&call);
            for (size_t i = 0; i < CELLS; i++) {
                array.exact[i] -= call.rate * ((double)array.gradient[i] + penalty(&PENALISED, kind, array.exact[i]));
            }
            check_twin(&array, 1e-6 * (double)step, "sgd");
        }
    }
}

static void exact_adam(twin_array *self, const update_call *call) {
    for (size_t i = 0; i < CELLS; i++) {
        const double g = (double)self->gradient[i] + penalty(call->plan, call->kind, self->exact[i]);
        double *mean = &self->exact_moments[0][i], *square = &self->exact_moments[1][i];
        *mean = 0.9 * *mean + 0.1 * g;
        *square = 0.99 * *square + 0.01 * g * g;
        const double m = *mean / (1.0 - pow(0.9, (double)call->step));
        const double v = *square / (1.0 - pow(0.99, (double)call->step));
        const double decay = call->kind == PARAMETER_TENSOR ? call->rate * call->plan->tensor_decay : 0.0;
        self->exact[i] -= decay * self->exact[i] + call->rate * m / (sqrt(v) + 1e-8);
    }
}

static void adam_follows_its_steps(void **unused) {
    (void)unused;
    for (parameter_kind kind = PARAMETER_HEAD; kind <= PARAMETER_FACTOR; kind++) {
        twin_array array;
        twin_start(&array);
        for (uint64_t step = 1; step <= STEPS; step++) {
            update_call call = call_of(&array, &PENALISED, kind, step);
            call.rate = update_rate(&call);
            update_find(NULL, UPDATE_ADAM)->apply(&call);
            exact_adam(&array, &call);
            check_twin(&array, 2e-6 * (double)step, "adam");
        }
    }
    assert_int_equal(update_find(NULL, UPDATE_ADAM)->moments, 2);
    assert_false(update_find(NULL, UPDATE_ADAM)->whole);
}

/* An array that is cut into slices, as engines do, comes out as a whole one. */
static void sliced_updates_give_the_same_bits(void **unused) {
    (void)unused;
    const update_ops *const SLICED[] = {update_find(NULL, UPDATE_SGD), update_find(NULL, UPDATE_ADAM)};
    for (size_t u = 0; u < COUNT_OF(SLICED); u++) {
        twin_array whole, cut;
        twin_start(&whole);
        twin_start(&cut);
        for (uint64_t step = 1; step <= 3; step++) {
            update_call call = call_of(&whole, &PENALISED, PARAMETER_TENSOR, step);
            call.rate = 0.01;
            SLICED[u]->apply(&call);
            for (size_t first = 0; first < CELLS; first += 10) {
                update_call slice = call_of(&cut, &PENALISED, PARAMETER_TENSOR, step);
                slice.rate = 0.01;
                slice.rows = 1;
                slice.columns = CELLS - first < 10 ? CELLS - first : 10;
                slice.values += first;
                slice.gradient += first;
                slice.moments[0] += first;
                slice.moments[1] += first;
                SLICED[u]->apply(&slice);
            }
        }
        check_same_floats(whole.values, cut.values, CELLS, SLICED[u]->name);
    }
}

static void a_zero_gradient_leaves_adam_where_it_is(void **unused) {
    (void)unused;
    const train_plan plan = {.head_rate = 0.1, .steps = 10};
    twin_array array;
    twin_start(&array);
    update_call call = call_of(&array, &plan, PARAMETER_HEAD, 1);
    float before[CELLS];
    memset(array.gradient, 0, sizeof array.gradient);
    memcpy(before, array.values, sizeof before);
    call.rate = 0.1;
    update_find(NULL, UPDATE_ADAM)->apply(&call);
    check_same_floats(array.values, before, CELLS, "adam");
}

/* The first step has the full rate, the middle half of it, one past the last none; the rate never
 * rises. */
static void the_cosine_rate_falls_from_all_to_nothing(void **unused) {
    (void)unused;
    const train_plan plan = {
        .rate = RATE_COSINE, .head_rate = 0.3, .tensor_rate = 0.7, .phase_rate = 2.0, .factor_rate = 1.1, .steps = 100};
    const double rates[] = {0.3, 0.7, 2.0, 1.1};
    for (parameter_kind kind = PARAMETER_HEAD; kind <= PARAMETER_FACTOR; kind++) {
        double before = INFINITY;
        for (uint64_t step = 1; step <= 130; step++) {
            const update_call call = {.plan = &plan, .kind = kind, .step = step, .step_scale = 1.0, .rate_scale = 1.0};
            const double rate = update_rate(&call);
            const double exact =
                step > 100 ? 0.0 : rates[kind] * 0.5 * (1.0 + cos(acos(-1.0) * (double)(step - 1) / 100.0));
            check_near(rate, exact, 1e-14, "rate", step);
            update_call faster = call;
            faster.rate_scale = 4.0;
            check_near(update_rate(&faster), 4.0 * exact, 1e-13, "rate of a faster tensor", step);
            assert_true(rate <= before);
            before = rate;
        }
    }
    const train_plan endless = {.rate = RATE_COSINE, .head_rate = 0.3, .steps = 0};
    const update_call call = {
        .plan = &endless, .kind = PARAMETER_HEAD, .step = 5, .step_scale = 1.0, .rate_scale = 1.0};
    check_near(update_rate(&call), 0.3, 1e-15, "rate without an end", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pegasos_follows_its_steps_and_stays_in_the_ball),
        cmocka_unit_test(sgd_steps_against_gradient_and_penalties),
        cmocka_unit_test(adam_follows_its_steps),
        cmocka_unit_test(sliced_updates_give_the_same_bits),
        cmocka_unit_test(a_zero_gradient_leaves_adam_where_it_is),
        cmocka_unit_test(the_cosine_rate_falls_from_all_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
