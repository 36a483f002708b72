/* The circulant projection with learned diagonals, against its definition in double: R_ij =
 * r_{(i-j) mod d} times a_j, r and a of each block its own. */
#include "map/map_support.h"

enum { FILTERS, DIAGONAL };
enum { ROWS = 70 }; /* two groups in the gradient, the last block and chunk partly filled */

static layer *make(size_t d, size_t k, const char *activation) {
    const layer_spec spec = {.projection = "circulant-diagonal",
                             .activation = activation,
                             .columns = d,
                             .features = k,
                             .gamma = 0.5 / (double)d,
                             .phases = true,
                             .seed = d * 1000 + k};
    layer *self = draw_map(&spec);
    /* away from signs, as training leaves it */
    float *a = self->tensors[DIAGONAL].values, noise[256];
    const size_t count = self->tensors[DIAGONAL].rows * d;
    for (size_t first = 0; first < count; first += 256) {
        const size_t width = count - first < 256 ? count - first : 256;
        variates_normal((random_stream){k, RANDOM_TEST, 3}, first, width, 0.3, noise);
        for (size_t j = 0; j < width; j++) {
            a[first + j] += noise[j];
        }
    }
    return self;
}

/* ---- In double ---- */

typedef struct reference {
    size_t columns, features, count; /* of entries of r, and of a */
    double *values[2];               /* r and a (blocks, d) */
    const float *phase, *x, *c;
} reference;

static reference reference_make(const layer *self, const float *x, const float *c) {
    reference out = {
        self->columns, self->features, self->tensors[FILTERS].rows * self->columns, {0}, self->phase, x, c};
    for (size_t t = 0; t < 2; t++) {
        out.values[t] = test_take(out.count, sizeof(double));
        for (size_t i = 0; i < out.count; i++) {
            out.values[t][i] = (double)self->tensors[t].values[i];
        }
    }
    return out;
}

static void reference_free(reference *self) {
    free(self->values[FILTERS]);
    free(self->values[DIAGONAL]);
}

static double entry(const reference *self, size_t feature, size_t j) {
    const size_t d = self->columns, first = feature / d * d, i = feature % d;
    return self->values[FILTERS][first + (i + d - j) % d] * self->values[DIAGONAL][first + j];
}

static double project(const reference *self, size_t row, size_t feature, double *size) {
    double sum = 0, squares = 0, x_squares = 0;
    for (size_t j = 0; j < self->columns; j++) {
        const double x = (double)self->x[row * self->columns + j], weight = entry(self, feature, j);
        const double r = self->values[FILTERS][feature / self->columns * self->columns + j];
        const double ax = x * self->values[DIAGONAL][feature / self->columns * self->columns + j];
        sum += weight * x;
        squares += r * r;
        x_squares += ax * ax;
    }
    *size = sqrt(squares * x_squares);
    return sum;
}

/* The transform's rounding, per unit of |r| |a x|: 4e-7 log2 of its length, which is below 4 d. */
static double rounding(size_t d) { return 4e-7 * log2(4.0 * (double)d); }

static void check_forward(size_t d, size_t k) {
    layer *self = make(d, k, "identity");
    test_rows rows = rows_make(d, ROWS, d, 0.6);
    reference ref = reference_make(self, rows.values, NULL);
    float *z = test_take(ROWS * k, sizeof *z), *theta = test_take(d * k, sizeof *theta);
    const rows_view views[] = {rows.dense, rows.sparse};
    for (size_t which = 0; which < 2; which++) {
        run_map(self, views[which], z, NULL);
        for (size_t at = 0; at < ROWS * k; at++) {
            double size;
            const double expected = project(&ref, at / k, at % k, &size) + (double)self->phase[at % k];
            assert_true(fabs((double)z[at] - expected) <= rounding(d) * size + 1e-6);
        }
    }
    assert_int_equal(self->projection->to_dense(self, theta, NULL), CNM_OK);
    for (size_t at = 0; at < d * k; at++) {
        const double expected = entry(&ref, at % k, at / k);
        assert_true(fabs((double)theta[at] - expected) <= 6e-8 * fabs(expected));
    }
    reference_free(&ref);
    free(z);
    free(theta);
    rows_free(&rows);
    layer_destroy(self);
}

static void equals_the_explicit_matrix_for_every_d_to_64(void **unused) {
    (void)unused;
    for (size_t d = 1; d <= 64; d++) {
        const size_t features[] = {1, (d + 1) / 2, d, d + 1, 2 * d, 2 * d + (d + 1) / 2};
        for (size_t i = d % 2; i < sizeof features / sizeof *features; i += 2) {
            check_forward(d, features[i]);
        }
    }
}

/* ---- Gradients ---- */

/* L = sum of c cos(p + phase) over rows and features. */
static double loss(const reference *self) {
    double sum = 0, size;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t feature = 0; feature < self->features; feature++) {
            const double p = project(self, row, feature, &size) + (double)self->phase[feature];
            sum += (double)self->c[row * self->features + feature] * cos(p);
        }
    }
    return sum;
}

static void compare(const reference *self, size_t tensor, const float *gradient) {
    const double step = 1e-5;
    double *expected = test_take(self->count, sizeof *expected), largest = 0;
    for (size_t i = 0; i < self->count; i++) {
        double *value = &self->values[tensor][i];
        const double kept = *value;
        *value = kept + step;
        const double above = loss(self);
        *value = kept - step;
        expected[i] = (above - loss(self)) / (2 * step);
        *value = kept;
        largest = fmax(largest, fabs(expected[i]));
    }
    assert_true(largest > 0.01);
    for (size_t i = 0; i < self->count; i++) {
        assert_true(fabs((double)gradient[i] - expected[i]) <= 1e-3 * fabs(expected[i]) + 1e-5 * largest);
    }
    free(expected);
}

static void check_gradient(size_t d, size_t k) {
    layer *self = make(d, k, "cos");
    test_rows rows = rows_make(d + k, ROWS, d, 0.7);
    float *c = test_take(ROWS * k, sizeof *c), *z = test_take(ROWS * k, sizeof *z);
    float *g = test_take(ROWS * k, sizeof *g);
    variates_normal((random_stream){k, RANDOM_TEST, 2}, 0, ROWS * k, 1.0, c);
    reference ref = reference_make(self, rows.values, c);
    float *r = test_take(ref.count, sizeof *r), *a = test_take(ref.count, sizeof *a);
    float *const gradients[LAYER_TENSORS] = {r, a};
    const rows_view views[] = {rows.dense, rows.sparse};
    for (size_t which = 0; which < 2; which++) {
        run_map(self, views[which], z, g);
        for (size_t i = 0; i < ROWS * k; i++) {
            g[i] *= c[i];
        }
        memset(r, 0xff, ref.count * sizeof *r); /* NaN: all of it is to be overwritten */
        memset(a, 0xff, ref.count * sizeof *a);
        run_gradient(self, views[which], g, gradients, NULL, 2);
        compare(&ref, FILTERS, r);
        compare(&ref, DIAGONAL, a);
    }
    reference_free(&ref);
    float *const taken[] = {c, z, g, r, a};
    for (size_t i = 0; i < 5; i++) {
        free(taken[i]);
    }
    rows_free(&rows);
    layer_destroy(self);
}

static void gradients_match_differences(void **unused) {
    (void)unused;
    check_gradient(6, 4);
    check_gradient(8, 8);
    check_gradient(6, 15);
    check_gradient(11, 13);
    check_gradient(1, 3);
}

static void gradients_do_not_depend_on_threads(void **unused) {
    (void)unused;
    enum { MANY = 333 };
    static const size_t SHAPES[][2] = {{70, 530}, {97, 40}, {64, 64}};
    for (size_t at = 0; at < 3; at++) {
        const size_t d = SHAPES[at][0], k = SHAPES[at][1];
        layer *self = make(d, k, "cos");
        const size_t count = self->tensors[FILTERS].rows * d;
        test_rows rows = rows_make(at, MANY, d, 0.5);
        float *g = test_take(MANY * k, sizeof *g), *first = test_take(2 * count, sizeof *first);
        float *again = test_take(2 * count, sizeof *again);
        variates_normal((random_stream){at, RANDOM_TEST, 2}, 0, MANY * k, 1.0, g);
        run_gradient(self, rows.dense, g, (float *[LAYER_TENSORS]){first, first + count}, NULL, 1);
        for (size_t threads = 2; threads <= 7; threads += 5) {
            run_gradient(self, rows.dense, g, (float *[LAYER_TENSORS]){again, again + count}, NULL, threads);
            assert_memory_equal(first, again, 2 * count * sizeof *first);
        }
        free(g);
        free(first);
        free(again);
        rows_free(&rows);
        layer_destroy(self);
    }
}

/* ---- What is drawn, taken over and described ---- */

static void starts_with_the_circulant_map_and_signs_of_every_block_its_own(void **unused) {
    (void)unused;
    enum { D = 200 };
    layer *self =
        draw_map(&(layer_spec){"circulant-diagonal", "cos", D, 2 * D, KERNEL_GAUSSIAN, INIT_RANDOM, 1, true, 8, 0});
    layer *circulant =
        draw_map(&(layer_spec){"circulant", "cos", D, 2 * D, KERNEL_GAUSSIAN, INIT_RANDOM, 1, true, 8, 0});
    const float *a = self->tensors[DIAGONAL].values;
    size_t differ = 0;
    assert_memory_equal(self->tensors[0].values, circulant->tensors[0].values, 2 * D * sizeof(float));
    assert_memory_equal(a, circulant->tensors[1].values, D * sizeof(float));
    for (size_t j = 0; j < D; j++) {
        assert_true(a[D + j] == 1 || a[D + j] == -1);
        differ += a[D + j] != a[j];
    }
    assert_true(differ > 64 && differ < 136); /* 5 standard deviations */
    layer_destroy(self);
    layer_destroy(circulant);
}

static void a_larger_map_takes_over_the_first_blocks(void **unused) {
    (void)unused;
    layer *small = make(6, 9, "identity"), *large = make(6, 20, "identity");
    test_rows rows = rows_make(4, 10, 6, 1);
    float before[10 * 9], after[10 * 20];
    run_map(small, rows.dense, before, NULL);
    assert_int_equal(layer_adopt(large, small, NULL), CNM_OK);
    run_map(large, rows.dense, after, NULL);
    for (size_t i = 0; i < 10 * 9; i++) {
        assert_true(before[i] == after[i / 9 * 20 + i % 9]);
    }
    rows_free(&rows);
    layer_destroy(small);
    layer_destroy(large);
}

static void scaling_columns_equals_scaling_rows(void **unused) {
    (void)unused;
    enum { D = 10, K = 25, COUNT = 12 };
    layer *self = make(D, K, "identity");
    test_rows rows = rows_make(21, COUNT, D, 1), scaled = rows_make(21, COUNT, D, 1);
    float expected[COUNT * K], got[COUNT * K];
    double factor[D];
    for (size_t j = 0; j < D; j++) {
        factor[j] = 0.1 + 0.3 * (double)j;
    }
    for (size_t i = 0; i < COUNT * D; i++) {
        scaled.values[i] = (float)((double)scaled.values[i] * factor[i % D]);
    }
    run_map(self, scaled.dense, expected, NULL);
    assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
    run_map(self, rows.dense, got, NULL);
    for (size_t i = 0; i < COUNT * K; i++) {
        double size = 0;
        for (size_t j = 0; j < D; j++) {
            size += fabs((double)scaled.values[i / K * D + j]);
        }
        /* 6.3: the phase */
        assert_true(fabs((double)got[i] - (double)expected[i]) <= 4e-6 * (size + 6.3));
    }
    layer_destroy(self);
    rows_free(&rows);
    rows_free(&scaled);
}

static void a_column_that_cannot_be_scaled_changes_nothing(void **unused) {
    (void)unused;
    const double factor[] = {1, 2, 1e300};
    layer *self = make(3, 7, "cos");
    cnm_error error = {0};
    float before[9];
    memcpy(before, self->tensors[DIAGONAL].values, sizeof before);
    assert_int_equal(self->projection->scale_columns(self, factor, &error), CNM_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot be scaled by"));
    assert_memory_equal(before, self->tensors[DIAGONAL].values, sizeof before);
    layer_destroy(self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_explicit_matrix_for_every_d_to_64),
        cmocka_unit_test(gradients_match_differences),
        cmocka_unit_test(gradients_do_not_depend_on_threads),
        cmocka_unit_test(starts_with_the_circulant_map_and_signs_of_every_block_its_own),
        cmocka_unit_test(a_larger_map_takes_over_the_first_blocks),
        cmocka_unit_test(scaling_columns_equals_scaling_rows),
        cmocka_unit_test(a_column_that_cannot_be_scaled_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
