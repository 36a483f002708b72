/* The gradient against central differences of an independent implementation in double. */
#include "map/map_support.h"

enum { ROWS = 9 };

typedef struct reference {
    const char *activation;
    size_t columns, features, filter_count;
    bool circulant;
    double *tensor; /* theta, or the filters */
    double *phase;  /* (features) */
    const float *signs, *diagonal, *x, *c;
} reference;

/* The value of feature `feature` before the activation. */
static double project(const reference *self, size_t row, size_t feature) {
    const size_t d = self->columns, k = self->features;
    const float *x = self->x + row * d;
    double sum = self->phase[feature];
    for (size_t j = 0; j < d; j++) {
        if (!self->circulant) {
            sum += self->tensor[j * k + feature] * (double)x[j];
        } else {
            const double scaled = (double)x[j] * (double)self->signs[j] * (double)self->diagonal[j];
            sum += self->tensor[feature / d * d + (feature % d + d - j) % d] * scaled;
        }
    }
    return sum;
}

static double activate(const char *name, double p) {
    if (strcmp(name, "cos") == 0) {
        return cos(p);
    }
    if (strcmp(name, "sigmoid") == 0) {
        return 1 / (1 + exp(-p));
    }
    return strcmp(name, "relu") == 0 ? fmax(0, p) : p;
}

/* L = sum of c * z over rows and features. */
static double loss(const reference *self) {
    double sum = 0;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t feature = 0; feature < self->features; feature++) {
            const double z = activate(self->activation, project(self, row, feature));
            sum += (double)self->c[row * self->features + feature] * z;
        }
    }
    return sum;
}

/* The smallest distance of a projected value from relu's kink. */
static double kink_distance(const reference *self) {
    double least = INFINITY;
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t feature = 0; feature < self->features; feature++) {
            least = fmin(least, fabs(project(self, row, feature)));
        }
    }
    return least;
}

static void compare(const reference *self, double *parameters, size_t count, const float *gradient) {
    const double step = 1e-5;
    double *expected = test_take(count, sizeof *expected), largest = 0;
    for (size_t i = 0; i < count; i++) {
        const double kept = parameters[i];
        parameters[i] = kept + step;
        const double above = loss(self);
        parameters[i] = kept - step;
        expected[i] = (above - loss(self)) / (2 * step);
        parameters[i] = kept;
        largest = fmax(largest, fabs(expected[i]));
    }
    assert_true(largest > 0.01);
    for (size_t i = 0; i < count; i++) {
        const double error = fabs((double)gradient[i] - expected[i]);
        assert_true(error <= 1e-3 * fabs(expected[i]) + 1e-5 * largest);
    }
    free(expected);
}

static double *widen(const float *values, size_t count) {
    double *wide = test_take(count, sizeof *wide);
    for (size_t i = 0; i < count; i++) {
        wide[i] = (double)values[i];
    }
    return wide;
}

static void check_views(const layer *self, const test_rows *rows, reference *ref) {
    const size_t k = self->features, count = self->tensors[0].rows * self->tensors[0].columns;
    float *z = test_take(ROWS * k, sizeof *z), *slope = test_take(ROWS * k, sizeof *slope);
    float *gradient = test_take(count, sizeof *gradient), *phase = test_take(k, sizeof *phase);
    float *const gradients[LAYER_TENSORS] = {gradient};
    const rows_view views[] = {rows->dense, rows->sparse};
    for (size_t which = 0; which < 2; which++) {
        run_map(self, views[which], z, slope);
        for (size_t i = 0; i < ROWS * k; i++) {
            assert_true(fabs((double)z[i] - activate(ref->activation, project(ref, i / k, i % k))) < 2e-5);
            slope[i] *= ref->c[i];
        }
        memset(gradient, 0xff, count * sizeof *gradient); /* NaN: all of it is to be overwritten */
        memset(phase, 0xff, k * sizeof *phase);
        run_gradient(self, views[which], slope, gradients, phase, 2);
        compare(ref, ref->tensor, count, gradient);
        compare(ref, ref->phase, k, phase);
    }
    free(z);
    free(slope);
    free(gradient);
    free(phase);
}

/* False when a projected value lies within 1e-3 of relu's kink, where differences are no
 * estimate. */
static bool check_case(const char *projection, const char *activation, size_t d, size_t k, uint64_t seed) {
    const layer_spec spec = {.projection = projection,
                             .activation = activation,
                             .columns = d,
                             .features = k,
                             .gamma = 0.3,
                             .phases = true,
                             .seed = seed};
    layer *self = draw_map(&spec);
    double factor[16];
    for (size_t j = 0; j < d; j++) {
        factor[j] = 0.75 + 0.125 * (double)j;
    }
    assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
    test_rows rows = rows_make(seed, ROWS, d, 0.7);
    float *c = test_take(ROWS * k, sizeof *c);
    variates_normal((random_stream){seed, RANDOM_TEST, 2}, 0, ROWS * k, 1.0, c);
    reference ref = {.activation = activation,
                     .columns = d,
                     .features = k,
                     .circulant = strcmp(projection, "circulant") == 0,
                     .tensor = widen(self->tensors[0].values, self->tensors[0].rows * self->tensors[0].columns),
                     .phase = widen(self->phase, k),
                     .signs = self->tensors[1].values,
                     .diagonal = self->tensors[2].values,
                     .x = rows.values,
                     .c = c};
    const bool usable = strcmp(activation, "relu") != 0 || kink_distance(&ref) > 1e-3;
    if (usable) {
        check_views(self, &rows, &ref);
    }
    free(ref.tensor);
    free(ref.phase);
    free(c);
    rows_free(&rows);
    layer_destroy(self);
    return usable;
}

static void check_activations(const char *projection, size_t d, size_t k) {
    static const char *const ACTIVATIONS[] = {"cos", "sigmoid", "relu", "identity"};
    for (size_t i = 0; i < 4; i++) {
        uint64_t seed = 1;
        while (!check_case(projection, ACTIVATIONS[i], d, k, seed)) {
            seed++;
            assert_true(seed < 20);
        }
    }
}

static void dense_gradient_matches_differences(void **unused) {
    (void)unused;
    check_activations("dense", 7, 5);
    check_activations("dense", 2, 11);
}

static void circulant_gradient_matches_differences(void **unused) {
    (void)unused;
    check_activations("circulant", 6, 4);
    check_activations("circulant", 8, 8);
    check_activations("circulant", 6, 15);
    check_activations("circulant", 11, 13);
}

static void no_rows_give_a_zero_gradient(void **unused) {
    (void)unused;
    static const char *const PROJECTIONS[] = {"dense", "circulant", "circulant-diagonal"};
    for (size_t i = 0; i < 3; i++) {
        const layer_spec spec = {
            .projection = PROJECTIONS[i], .activation = "cos", .columns = 3, .features = 4, .gamma = 1, .phases = true};
        layer *self = draw_map(&spec);
        float gradient[12], phase[4];
        float *const gradients[LAYER_TENSORS] = {gradient};
        const size_t count = self->tensors[0].rows * self->tensors[0].columns;
        memset(gradient, 0xff, sizeof gradient);
        memset(phase, 0xff, sizeof phase);
        run_gradient(self, (rows_view){.columns = 3, .stride = 3}, NULL, gradients, phase, 1);
        for (size_t j = 0; j < count; j++) {
            assert_true(gradient[j] == 0);
        }
        for (size_t j = 0; j < 4; j++) {
            assert_true(phase[j] == 0);
        }
        layer_destroy(self);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_gradient_matches_differences),
        cmocka_unit_test(circulant_gradient_matches_differences),
        cmocka_unit_test(no_rows_give_a_zero_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
