/* The circulant projection against its definition, R_ij = r_{(i-j) mod d} times D, written out in
 * double. */
#include "map/map_support.h"

enum { ROWS = 70 }; /* two groups in the gradient, the last block and chunk partly filled */

/* The entry of row `feature`, column j of the explicit matrix. */
static double entry(const layer *self, size_t feature, size_t j) {
    const size_t d = self->columns, block = feature / d, i = feature % d;
    const float *filters = self->tensors[0].values, *signs = self->tensors[1].values;
    const float *diagonal = self->tensors[2].values;
    return (double)filters[block * d + (i + d - j) % d] * (double)signs[j] *
           (diagonal == NULL ? 1 : (double)diagonal[j]);
}

static double norm(const float *x, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)x[i] * (double)x[i];
    }
    return sqrt(sum);
}

/* The transform's rounding, per unit of |r| |x|: 4e-7 log2 of its length, which is below 4 d. */
static double rounding(size_t d) { return 4e-7 * log2(4.0 * (double)d); }

static layer *make(size_t d, size_t k, bool scaled) {
    const layer_spec spec = {.projection = "circulant",
                             .activation = "identity",
                             .columns = d,
                             .features = k,
                             .gamma = 0.5,
                             .seed = d * 1000 + k};
    layer *self = draw_map(&spec);
    if (scaled) {
        double factor[64];
        for (size_t j = 0; j < d; j++) {
            factor[j] = 0.5 + (double)(j % 3);
        }
        assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
    }
    return self;
}

static void check_forward(const layer *self, const test_rows *rows, const float *z) {
    const size_t d = self->columns, k = self->features;
    for (size_t row = 0; row < ROWS; row++) {
        const float *x = rows->values + row * d;
        for (size_t feature = 0; feature < k; feature++) {
            double expected = 0;
            for (size_t j = 0; j < d; j++) {
                expected += entry(self, feature, j) * (double)x[j];
            }
            /* 2.5: the largest entry of the diagonal */
            const double size = norm(self->tensors[0].values + feature / d * d, d) * 2.5 * norm(x, d);
            assert_true(fabs((double)z[row * k + feature] - expected) <= rounding(d) * size);
        }
    }
}

/* d loss / d r_m of a block = sum over rows and i of g_i (D x)_{(i-m) mod d}. */
static void check_gradient(const layer *self, const test_rows *rows, const float *g, const float *gradient) {
    const size_t d = self->columns, k = self->features, blocks = self->tensors[0].rows;
    const float *signs = self->tensors[1].values, *diagonal = self->tensors[2].values;
    double size = 0;
    for (size_t row = 0; row < ROWS; row++) {
        size += 2.5 * norm(rows->values + row * d, d) * norm(g + row * k, k);
    }
    for (size_t at = 0; at < blocks * d; at++) {
        const size_t block = at / d, m = at % d;
        double expected = 0;
        for (size_t i = 0; i < d && block * d + i < k; i++) {
            const size_t j = (i + d - m) % d;
            const double factor = (double)signs[j] * (diagonal == NULL ? 1 : (double)diagonal[j]);
            for (size_t row = 0; row < ROWS; row++) {
                expected += (double)g[row * k + block * d + i] * factor * (double)rows->values[row * d + j];
            }
        }
        assert_true(fabs((double)gradient[at] - expected) <= rounding(d) * size);
    }
}

static void check_shape(size_t d, size_t k, bool scaled) {
    layer *self = make(d, k, scaled);
    test_rows rows = rows_make(d, ROWS, d, 0.6);
    float *z = test_take(ROWS * k, sizeof *z), *g = test_take(ROWS * k, sizeof *g);
    float *gradient = test_take(self->tensors[0].rows * d, sizeof *gradient);
    float *const gradients[LAYER_TENSORS] = {gradient};
    variates_normal((random_stream){k, RANDOM_TEST, 2}, 0, ROWS * k, 1.0, g);
    const rows_view views[] = {rows.dense, rows.sparse};
    for (size_t which = 0; which < 2; which++) {
        run_map(self, views[which], z, NULL);
        check_forward(self, &rows, z);
        /* NaN: all of it is to be overwritten */
        memset(gradient, 0xff, self->tensors[0].rows * d * sizeof *gradient);
        run_gradient(self, views[which], g, gradients, NULL, 2);
        check_gradient(self, &rows, g, gradient);
    }
    layer_destroy(self);
    rows_free(&rows);
    free(z);
    free(g);
    free(gradient);
}

static void equals_the_explicit_matrix_for_every_d_to_64(void **unused) {
    (void)unused;
    for (size_t d = 1; d <= 64; d++) {
        const size_t features[] = {1, (d + 1) / 2, d, d + 1, 2 * d, 2 * d + (d + 1) / 2};
        for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
            check_shape(d, features[i], i % 2 == 1);
        }
    }
}

/* One sparse row through d = 10^6: five terms, each known. */
static void a_million_columns_stay_within_memory(void **unused) {
    (void)unused;
    const size_t d = 1000000, k = 4096;
    const layer_spec spec = {
        .projection = "circulant", .activation = "identity", .columns = d, .features = k, .gamma = 0.5, .seed = 9};
    layer *self = draw_map(&spec);
    const float values[] = {1, -2, 0.5f, 3, -1};
    const uint32_t index[] = {0, 17, 4095, 500000, 999999};
    const size_t starts[] = {0, 5};
    const rows_view u = {.rows = 1, .columns = d, .values = values, .starts = starts, .index = index};
    float *z = test_take(k, sizeof *z);
    run_map(self, u, z, NULL);
    for (size_t feature = 0; feature < k; feature++) {
        double expected = 0;
        for (size_t i = 0; i < 5; i++) {
            expected += entry(self, feature, index[i]) * (double)values[i];
        }
        /* |r| is near 1000, |x| below 4 */
        assert_true(fabs((double)z[feature] - expected) <= rounding(d) * 1000 * 4);
    }
    free(z);
    layer_destroy(self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_explicit_matrix_for_every_d_to_64),
        cmocka_unit_test(a_million_columns_stay_within_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
