/* Feature importances are mean squared gradients of a kernel model, which agree with differences of
 * its scores; a constant column has none; any number of threads gives the same bits. */
#include "support/made_session.h"

#include "data/scale/scaling.h"
#include "learn/krr/feature_gradients.h"
#include "learn/krr/kernel_ridge.h"

enum { ROWS = 150, HALF = ROWS / 2, COLUMNS = 4, MOST_OUTPUTS = 3 };

typedef struct solved {
    made_session of;
    kernel_rows rows;
    kernel_ridge ridge;
} solved;

static void make_model_of(solved *self, krr_kernel kind, size_t outputs) {
    cnm_error error = {0};
    make_session(&self->of, &(made_shape){.rows = ROWS,
                                          .columns = COLUMNS,
                                          .features = 16,
                                          .outputs = outputs,
                                          .loss = outputs == 1 ? "squared" : "softmax",
                                          .chosen = {.map_rate = 1.0, .batch = 16, .steps = 100}});
    for (size_t i = 0; i < ROWS; i++) {
        self->of.rows->values[i * COLUMNS + COLUMNS - 1] = 0.5F;
    }
    const fit_session *of = &self->of.session;
    const krr_source from = {of->data, &of->scaled->scaling, &of->source};
    check_ok(kernel_rows_create(&self->rows, &from, from.scaling->kind, of->split.train, HALF, &error), &error);
    check_ok(kernel_ridge_create(&self->ridge, of->data, &self->rows, of->split.train, false, NULL, &error), &error);
    assert_true(kernel_ridge_fit(&self->ridge, kind, 1.0, 0.1));
}

static void free_model_of(solved *self) {
    kernel_ridge_free(&self->ridge);
    kernel_rows_free(&self->rows);
    free_session(&self->of);
}

/* Returns the model's score at x in double, without the term of row i, whose kernel has a kink or a
 * maximum there. */
static double score_without(const solved *self, const double *x, size_t i, size_t output) {
    const kernel_model *model = &self->ridge.model;
    double sum = 0.0;
    for (size_t r = 0; r < HALF; r++) {
        double square = 0.0;
        for (size_t j = 0; j < COLUMNS; j++) {
            square += pow(x[j] - (double)self->rows.centres[r * COLUMNS + j], 2.0);
        }
        const double power = model->kind == KRR_GAUSSIAN ? model->gamma * square : sqrt(2.0 * model->gamma * square);
        sum += r == i ? 0.0 : (double)model->weights[r * model->outputs + output] * exp(-power);
    }
    return sum;
}

static double squared_gradient(const solved *self, size_t i, size_t column) {
    static const double STEP = 1e-6;
    double sum = 0.0;
    for (size_t output = 0; output < self->ridge.model.outputs; output++) {
        double up[COLUMNS], down[COLUMNS];
        for (size_t j = 0; j < COLUMNS; j++) {
            const double at = (double)self->rows.centres[i * COLUMNS + j];
            up[j] = at + (j == column ? STEP : 0.0);
            down[j] = at - (j == column ? STEP : 0.0);
        }
        sum += pow((score_without(self, up, i, output) - score_without(self, down, i, output)) / (2.0 * STEP), 2.0);
    }
    return sum;
}

static void gradients_agree_with_differences(void **unused) {
    (void)unused;
    for (size_t n = 0; n < 2 * KRR_KERNELS; n++) {
        cnm_error error = {0};
        double found[COLUMNS], wanted[COLUMNS] = {0};
        solved self;
        make_model_of(&self, (krr_kernel)(n / 2), n % 2 == 0 ? 1 : MOST_OUTPUTS);
        check_ok(feature_gradients(&self.ridge.model, self.ridge.kernel, NULL, found, &error), &error);
        for (size_t j = 0; j < COLUMNS; j++) {
            for (size_t i = 0; i < HALF; i++) {
                wanted[j] += squared_gradient(&self, i, j);
            }
        }
        for (size_t j = 1; j + 1 < COLUMNS; j++) { /* up to a factor; kernel values are floats */
            check_near(found[j] / found[0], wanted[j] / wanted[0], 1e-3 * wanted[j] / wanted[0], "relevance", j);
        }
        assert_true(found[COLUMNS - 1] < 1e-6 * found[0]);
        free_model_of(&self);
    }
}

static void the_same_bits_for_any_number_of_threads(void **unused) {
    (void)unused;
    cnm_error error = {0};
    double first[COLUMNS], other[COLUMNS];
    solved self;
    make_model_of(&self, KRR_EXPONENTIAL, MOST_OUTPUTS);
    check_ok(feature_gradients(&self.ridge.model, self.ridge.kernel, NULL, first, &error), &error);
    for (size_t i = 0; i < COUNT_OF(THREADS); i++) {
        thread_pool *pool = thread_pool_create((size_t)THREADS[i]);
        check_ok(feature_gradients(&self.ridge.model, self.ridge.kernel, pool, other, &error), &error);
        thread_pool_destroy(pool);
        assert_memory_equal(first, other, sizeof first);
    }
    free_model_of(&self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_agree_with_differences),
        cmocka_unit_test(the_same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
