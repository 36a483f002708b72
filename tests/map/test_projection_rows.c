/* Every row of the table of projections against the matrix that it stands for: what any new
 * projection has to keep. The projections' own tests look closer. */
#include "map/map_support.h"

enum { ROWS = 40 };

static layer *make(const projection_ops *row, size_t d, size_t k) {
    const layer_spec spec = {.projection = row->name,
                             .activation = "identity",
                             .columns = d,
                             .features = k,
                             .gamma = 0.3,
                             .seed = d * 100 + k};
    return draw_map(&spec);
}

/* out (columns, features). */
static void matrix_of(layer *self, float *out) {
    layer_refresh(self);
    assert_int_equal(self->projection->to_dense(self, out, NULL), CNM_OK);
}

static void check_near(double got, double expected, double bound, const layer *self) {
    if (!(fabs(got - expected) <= bound)) {
        fail_msg("%s, %zu columns, %zu features: %.9g instead of %.9g", self->projection->name, self->columns,
                 self->features, got, expected);
    }
}

/* Compares z with u theta, and with scaled columns. */
static void check_forward(layer *self, const test_rows *rows) {
    const size_t d = self->columns, k = self->features;
    float *theta = test_take(d * k, sizeof *theta), *z = test_take(ROWS * k, sizeof *z);
    double *factor = test_take(d, sizeof *factor);
    for (size_t j = 0; j < d; j++) {
        factor[j] = 0.5 + 0.25 * (double)j;
    }
    matrix_of(self, theta);
    assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
    layer_refresh(self);
    run_map(self, rows->dense, z, NULL);
    for (size_t at = 0; at < ROWS * k; at++) {
        double sum = 0, size = 0;
        for (size_t j = 0; j < d; j++) {
            const double term = (double)rows->values[at / k * d + j] * factor[j] * (double)theta[j * k + at % k];
            sum += term;
            size += fabs(term);
        }
        check_near((double)z[at], sum, 1e-5 * (size + 1), self);
    }
    free(theta);
    free(z);
    free(factor);
}

/* Returns the sum over rows of c * (u theta) in double. */
static double objective(layer *self, const test_rows *rows, const float *c, float *theta) {
    const size_t d = self->columns, k = self->features;
    double sum = 0;
    matrix_of(self, theta);
    for (size_t at = 0; at < ROWS * k; at++) {
        for (size_t j = 0; j < d; j++) {
            sum += (double)c[at] * (double)rows->values[at / k * d + j] * (double)theta[j * k + at % k];
        }
    }
    return sum;
}

/* Central differences: the objective is linear in each entry, so that wide steps lose nothing. */
static void check_tensor(layer *self, size_t tensor, const float *gradient, const test_rows *rows, const float *c) {
    const size_t d = self->columns, k = self->features;
    const size_t count = self->tensors[tensor].rows * self->tensors[tensor].columns;
    float *theta = test_take(d * k, sizeof *theta);
    for (size_t i = 0; i < count; i++) {
        float *entry = self->tensors[tensor].values + i;
        const float kept = *entry;
        *entry = kept + 1.0F;
        const double above = objective(self, rows, c, theta), high = (double)*entry;
        *entry = kept - 1.0F;
        const double below = objective(self, rows, c, theta), width = high - (double)*entry;
        *entry = kept;
        check_near((double)gradient[i], (above - below) / width, 1e-3, self);
    }
    layer_refresh(self);
    free(theta);
}

static void check_gradient(layer *self, const test_rows *rows) {
    float *c = test_take(ROWS * self->features, sizeof *c), *gradients[2][LAYER_TENSORS] = {{NULL}};
    static const size_t THREADS[] = {1, 3};
    variates_normal((random_stream){3, RANDOM_TEST, 2}, 0, ROWS * self->features, 1.0, c);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < self->tensor_count; i++) {
            const size_t count = self->tensors[i].rows * self->tensors[i].columns;
            gradients[t][i] = self->tensors[i].learned ? test_take(count, sizeof(float)) : NULL;
        }
        run_gradient(self, rows->dense, c, gradients[t], NULL, THREADS[t]);
    }
    for (size_t i = 0; i < self->tensor_count; i++) {
        if (gradients[0][i] != NULL) {
            const size_t count = self->tensors[i].rows * self->tensors[i].columns;
            assert_memory_equal(gradients[0][i], gradients[1][i], count * sizeof(float));
            check_tensor(self, i, gradients[0][i], rows, c);
        }
        free(gradients[0][i]);
        free(gradients[1][i]);
    }
    free(c);
}

/* The first features of a larger map are those of the one that it took over. */
static void check_adopt(layer *smaller) {
    const size_t d = smaller->columns, few = smaller->features / d * d, k = smaller->features + d;
    layer *self = make(smaller->projection, d, k);
    float *theta = test_take(d * k, sizeof *theta), *wanted = test_take(d * smaller->features, sizeof *wanted);
    smaller->tensors[0].values[0] = 0.125F;
    matrix_of(smaller, wanted);
    assert_int_equal(layer_adopt(self, smaller, NULL), CNM_OK);
    matrix_of(self, theta);
    for (size_t at = 0; at < d * few; at++) {
        assert_true(theta[at / few * k + at % few] == wanted[at / few * smaller->features + at % few]);
    }
    free(theta);
    free(wanted);
    layer_destroy(self);
}

static void every_projection_is_its_matrix(void **unused) {
    (void)unused;
    static const size_t SHAPES[][2] = {{1, 1}, {1, 5}, {5, 3}, {6, 12}, {8, 21}, {3, 70}};
    size_t count;
    const projection_ops *const *projections = projection_table(&count);
    for (size_t n = 0; n < count * (sizeof SHAPES / sizeof *SHAPES); n++) {
        const size_t *shape = SHAPES[n / count];
        layer *self = make(projections[n % count], shape[0], shape[1]);
        test_rows rows = rows_make(n, ROWS, shape[0], 0.8);
        check_forward(self, &rows);
        check_gradient(self, &rows);
        check_adopt(self);
        rows_free(&rows);
        layer_destroy(self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_projection_is_its_matrix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
