/* Relevance is the mean square of slopes, which agree with differences of scores; a column that does not vary has none; any number of threads gives
 * the same bits. */
#include "learn/made_training.h"

#include "learn/krr/feature_gradients.h"
#include "learn/krr/kernel_ridge.h"

enum { ROWS = 150, HALF = ROWS / 2, COLUMNS = 4, MOST_OUTPUTS = 3 };

typedef struct solved {
    made of;
    machine_rows rows;
    ridge machine;
} solved;

static void make_machine(solved *self, machine_kind kind, size_t outputs) {
    cnm_error error = {0};
    make(&self->of, &(made_shape){.rows = ROWS,
                                  .columns = COLUMNS,
                                  .features = 16,
                                  .outputs = outputs,
                                  .loss = outputs == 1 ? "squared" : "softmax",
                                  .recipe = {.batch = 16, .steps = 100}});
    for (size_t i = 0; i < ROWS; i++) {
        self->of.rows->values[i * COLUMNS + COLUMNS - 1] = 0.5F;
    }
    const training *of = &self->of.training;
    bool found;
    check_ok(machine_rows_create(&self->rows, of, of->problem.scaling.kind, of->split.train, HALF, &error), &error);
    check_ok(ridge_create(&self->machine, of, &self->rows, of->split.train, false, NULL, &error), &error);
    check_ok(ridge_solve(&self->machine, kind, 1.0, 0.1, &found, &error), &error);
    assert_true(found);
}

static void unmake_machine(solved *self) {
    ridge_free(&self->machine);
    machine_rows_free(&self->rows);
    unmake(&self->of);
}

/* What the machine says of x but for its own row i there, which has a kink, or a top without a slope; in double. */
static double say(const solved *self, const double *x, size_t i, size_t output) {
    const kernel_machine *machine = &self->machine.machine;
    double sum = 0.0;
    for (size_t r = 0; r < HALF; r++) {
        double square = 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
            square += pow(x[j] - (double)self->rows.centres[r * COLUMNS + j], 2.0);
        }
        const double power =
            machine->kind == MACHINE_GAUSSIAN ? machine->gamma * square : sqrt(2.0 * machine->gamma * square);
        sum += r == i ? 0.0 : (double)machine->weights[r * machine->outputs + output] * exp(-power);
    }
    return sum;
}

static double slope_square(const solved *self, size_t i, size_t column) {
    static const double STEP = 1e-6;
    double sum = 0.0;
    for (size_t output = 0; output < self->machine.machine.outputs; output++) {
        double up[COLUMNS], down[COLUMNS];
        for (size_t j = 0; j < COLUMNS; j++) {
            const double at = (double)self->rows.centres[i * COLUMNS + j];
            up[j] = at + (j == column ? STEP : 0.0);
            down[j] = at - (j == column ? STEP : 0.0);
        }
        sum += pow((say(self, up, i, output) - say(self, down, i, output)) / (2.0 * STEP), 2.0);
    }
    return sum;
}

static void slopes_agree_with_differences(void **unused) {
    (void)unused;
    for (size_t n = 0; n < 2 * MACHINE_KINDS; n++) {
        cnm_error error = {0};
        double found[COLUMNS], wanted[COLUMNS] = {0};
        solved self;
        make_machine(&self, (machine_kind)(n / 2), n % 2 == 0 ? 1 : MOST_OUTPUTS);
        check_ok(machine_relevance(&self.machine.machine, self.machine.kernel, NULL, found, &error), &error);
        for (size_t j = 0; j < COLUMNS; j++) {
            for (size_t i = 0; i < HALF; i++) {
                wanted[j] += slope_square(&self, i, j);
            }
        }
        for (size_t j = 1; j + 1 < COLUMNS; j++) { /* up to a factor; kernel values are floats */
            check_near(found[j] / found[0], wanted[j] / wanted[0], 1e-3 * wanted[j] / wanted[0], "relevance", j);
        }
        assert_true(found[COLUMNS - 1] < 1e-6 * found[0]);
        unmake_machine(&self);
    }
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double first[COLUMNS], other[COLUMNS];
    solved self;
    make_machine(&self, MACHINE_EXPONENTIAL, MOST_OUTPUTS);
    check_ok(machine_relevance(&self.machine.machine, self.machine.kernel, NULL, first, &error), &error);
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        thread_pool *pool = thread_pool_create((size_t)THREADS[i]);
        check_ok(machine_relevance(&self.machine.machine, self.machine.kernel, pool, other, &error), &error);
        thread_pool_destroy(pool);
        assert_memory_equal(first, other, sizeof first);
    }
    unmake_machine(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_agree_with_differences),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
