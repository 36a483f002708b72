/* Random maps approximate their kernels: the mean of Z(x)^T Z(y) over seeds is K(x, y), and its
 * mean squared error falls as 1/k. Statements hold with confidence bounds in standard errors, over
 * fixed seeds. */
#include "map/map_support.h"

enum { PAIRS = 32, DEPTH = 64, SEEDS_MOST = 1000 };

/* Mean over seeds and its standard error. */
typedef struct estimate {
    double mean, error;
} estimate;

static estimate summarise(const double *values, size_t count) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    const double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return (estimate){mean, sqrt(squares / (double)(count - 1) / (double)count)};
}

/* gamma that puts the kernel of two normal rows of `columns` entries near 0.6. */
static double usual_gamma(map_kernel kernel, size_t columns) {
    const double d = (double)columns;
    const double gammas[] = {0.25 / d, 0.45 / d, sqrt(0.3 / d)};
    return gammas[kernel];
}

static layer_spec make_spec(const char *projection, map_kernel kernel, size_t columns, size_t features) {
    return (layer_spec){.projection = projection,
                        .activation = "cos",
                        .columns = columns,
                        .features = features,
                        .kernel = kernel,
                        .gamma = usual_gamma(kernel, columns),
                        .phases = true};
}

/* estimates (seeds, PAIRS): Z(x)^T Z(y) of rows 2i and 2i + 1. */
static void estimate_pairs(layer_spec spec, const test_rows *rows, size_t seeds, double *estimates) {
    const size_t k = spec.features;
    float *z = test_take(2 * PAIRS * k, sizeof *z);
    for (size_t seed = 0; seed < seeds; seed++) {
        spec.seed = seed + 1;
        layer *self = draw_map(&spec);
        run_map(self, rows->dense, z, NULL);
        for (size_t pair = 0; pair < PAIRS; pair++) {
            const float *x = z + 2 * pair * k, *y = x + k;
            double sum = 0;
            for (size_t i = 0; i < k; i++) {
                sum += (double)x[i] * (double)y[i];
            }
            estimates[seed * PAIRS + pair] = sum * (double)self->scale * (double)self->scale;
        }
        layer_destroy(self);
    }
    free(z);
}

static double kernel_of(const layer_spec *spec, const test_rows *rows, size_t pair) {
    const float *x = rows->values + 2 * pair * spec->columns;
    return kernel_value(spec->kernel, spec->gamma, x, x + spec->columns, spec->columns);
}

/* Mean over pairs of the squared error, over seeds. */
static estimate squared_error(layer_spec spec, const test_rows *rows, size_t seeds) {
    double *estimates = test_take(seeds * PAIRS, sizeof *estimates), errors[SEEDS_MOST];
    estimate_pairs(spec, rows, seeds, estimates);
    for (size_t seed = 0; seed < seeds; seed++) {
        errors[seed] = 0;
        for (size_t pair = 0; pair < PAIRS; pair++) {
            const double error = estimates[seed * PAIRS + pair] - kernel_of(&spec, rows, pair);
            errors[seed] += error * error / PAIRS;
        }
    }
    free(estimates);
    return summarise(errors, seeds);
}

/* k times the error of independent features: a feature gives cos(delta) + cos(sigma), sigma
 * uniform, so its variance is (1 + K(2z))/2 - K(z)^2 + 1/2. */
static double exact_error(const layer_spec *spec, const test_rows *rows) {
    const size_t d = spec->columns;
    float *twice = test_take(2 * d, sizeof *twice);
    double sum = 0;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        for (size_t j = 0; j < 2 * d; j++) {
            twice[j] = 2 * rows->values[2 * pair * d + j];
        }
        const double value = kernel_of(spec, rows, pair);
        sum += 1 + kernel_value(spec->kernel, spec->gamma, twice, twice + d, d) / 2 - value * value;
    }
    free(twice);
    return sum / PAIRS;
}

/* Not only the rate: the constant too, for k = 64, 256, 1024. */
static void error_falls_as_one_over_k(void **unused) {
    (void)unused;
    test_rows rows = rows_make(3, 2 * PAIRS, DEPTH, 1);
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        for (size_t k = 64; k <= 1024; k *= 4) {
            const layer_spec spec = make_spec("dense", kernel, DEPTH, k);
            const estimate mse = squared_error(spec, &rows, 60);
            const double exact = exact_error(&spec, &rows) / (double)k;
            print_message("%-9s k = %4zu  mse %.3e, exact %.3e\n", kernel_name(kernel), k, mse.mean, exact);
            assert_true(fabs(mse.mean - exact) < 4.5 * mse.error);
            assert_true(mse.error < 0.1 * exact);
        }
    }
    rows_free(&rows);
}

/* Against the exact error of independent ones, which the test above has found to hold. */
static void orthogonal_directions_have_a_lower_error(void **unused) {
    (void)unused;
    test_rows rows = rows_make(4, 2 * PAIRS, DEPTH, 1);
    for (size_t k = DEPTH / 2; k <= 2 * DEPTH; k *= 2) {
        layer_spec spec = make_spec("dense", KERNEL_GAUSSIAN, DEPTH, k);
        const double independent = exact_error(&spec, &rows) / (double)k;
        spec.init = INIT_ORTHOGONAL;
        const estimate orthogonal = squared_error(spec, &rows, 400);
        print_message("k = %3zu  orthogonal / independent = %.3f\n", k, orthogonal.mean / independent);
        assert_true(orthogonal.mean + 4 * orthogonal.error < independent);
    }
    rows_free(&rows);
}

static void circulant_error_is_near_dense_for_the_gaussian(void **unused) {
    (void)unused;
    test_rows rows = rows_make(5, 2 * PAIRS, DEPTH, 1);
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        for (size_t k = DEPTH / 2; k <= 2 * DEPTH; k *= 2) {
            const layer_spec dense = make_spec("dense", kernel, DEPTH, k);
            const estimate circulant = squared_error(make_spec("circulant", kernel, DEPTH, k), &rows, 300);
            const double exact = exact_error(&dense, &rows) / (double)k;
            print_message("%-9s d = %d, k = %3zu  circulant / dense = %.3f\n", kernel_name(kernel), DEPTH, k,
                          circulant.mean / exact);
            assert_true(kernel != KERNEL_GAUSSIAN || circulant.mean + 4 * circulant.error < 1.5 * exact);
        }
    }
    rows_free(&rows);
}

/* Rows that differ by a constant: without the signs all features of a block would see the same sum
 * of r. */
static void signs_keep_the_error_of_smooth_differences_low(void **unused) {
    (void)unused;
    test_rows rows = rows_make(8, 2 * PAIRS, DEPTH, 1);
    for (size_t i = 0; i < PAIRS * DEPTH; i++) {
        float *x = rows.values + i / DEPTH * 2 * DEPTH + i % DEPTH;
        x[DEPTH] = x[0] + 1.4f;
    }
    const layer_spec spec = make_spec("circulant", KERNEL_GAUSSIAN, DEPTH, DEPTH);
    const estimate circulant = squared_error(spec, &rows, SEEDS_MOST);
    const double exact = exact_error(&spec, &rows) / DEPTH;
    print_message("constant difference  circulant / dense = %.3f\n", circulant.mean / exact);
    assert_true(circulant.mean + 4 * circulant.error < 1.5 * exact);
    rows_free(&rows);
}

/* Per pair, the mean over seeds against `target`, in standard errors. */
static double worst_deviation(layer_spec spec, const test_rows *rows, const double target[PAIRS], size_t seeds) {
    double *estimates = test_take(seeds * PAIRS, sizeof *estimates), column[SEEDS_MOST], worst = 0;
    estimate_pairs(spec, rows, seeds, estimates);
    for (size_t pair = 0; pair < PAIRS; pair++) {
        for (size_t seed = 0; seed < seeds; seed++) {
            column[seed] = estimates[seed * PAIRS + pair];
        }
        const estimate mean = summarise(column, seeds);
        worst = fmax(worst, fabs(mean.mean - target[pair]) / mean.error);
    }
    free(estimates);
    return worst;
}

/* All projections, both inits, all kernels. 4.5 standard errors for each of 32 pairs: chance 2e-4 a
 * case. */
static void estimates_are_unbiased(void **unused) {
    (void)unused;
    enum { COLUMNS = 12, FEATURES = 30 };
    test_rows rows = rows_make(6, 2 * PAIRS, COLUMNS, 1);
    static const char *const PROJECTIONS[] = {"dense", "circulant", "circulant-diagonal", "dense"};
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        for (size_t which = 0; which < 4; which++) {
            layer_spec spec = make_spec(PROJECTIONS[which], kernel, COLUMNS, FEATURES);
            spec.init = which == 3 ? INIT_ORTHOGONAL : INIT_RANDOM;
            if (which == 3 && kernel != KERNEL_GAUSSIAN) {
                continue;
            }
            double target[PAIRS];
            for (size_t pair = 0; pair < PAIRS; pair++) {
                target[pair] = kernel_of(&spec, &rows, pair);
            }
            assert_true(worst_deviation(spec, &rows, target, SEEDS_MOST) < 4.5);
        }
    }
    rows_free(&rows);
}

/* Without phases the mean is K(x - y) + K(x + y), which a shift of both rows changes. */
static void without_phases_the_kernel_is_not_shift_invariant(void **unused) {
    (void)unused;
    enum { COLUMNS = 6, FEATURES = 40 };
    test_rows rows = rows_make(7, 2 * PAIRS, COLUMNS, 1);
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        layer_spec spec = make_spec("dense", kernel, COLUMNS, FEATURES);
        double invariant[PAIRS], target[PAIRS];
        spec.phases = false;
        for (size_t pair = 0; pair < PAIRS; pair++) {
            float minus[COLUMNS];
            const float *x = rows.values + 2 * pair * COLUMNS;
            for (size_t j = 0; j < COLUMNS; j++) {
                minus[j] = -x[COLUMNS + j];
            }
            invariant[pair] = kernel_of(&spec, &rows, pair);
            target[pair] = invariant[pair] + kernel_value(kernel, spec.gamma, x, minus, COLUMNS);
        }
        assert_true(worst_deviation(spec, &rows, target, SEEDS_MOST) < 4.5);
        assert_true(worst_deviation(spec, &rows, invariant, SEEDS_MOST) > 20);
    }
    rows_free(&rows);
}

static void kernel_values_follow_their_formulas(void **unused) {
    (void)unused;
    const float x[] = {1, -2, 0.5f}, y[] = {0.5f, 1, 0.5f};
    assert_true(fabs(kernel_value(KERNEL_GAUSSIAN, 0.3, x, y, 3) - exp(-0.3 * 9.25)) < 1e-15);
    assert_true(fabs(kernel_value(KERNEL_LAPLACIAN, 0.3, x, y, 3) - exp(-0.3 * 3.5)) < 1e-15);
    assert_true(fabs(kernel_value(KERNEL_CAUCHY, 2, x, y, 3) - 1 / (2.0 * 37.0)) < 1e-15);
    for (map_kernel kernel = KERNEL_GAUSSIAN; kernel <= KERNEL_CAUCHY; kernel++) {
        map_kernel found = KERNEL_GAUSSIAN;
        assert_true(kernel_find(kernel_name(kernel), &found));
        assert_int_equal(found, kernel);
        assert_true(kernel_value(kernel, 1, x, x, 3) == 1);
    }
    map_kernel found;
    assert_false(kernel_find("epanechnikov", &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_falls_as_one_over_k),
        cmocka_unit_test(orthogonal_directions_have_a_lower_error),
        cmocka_unit_test(circulant_error_is_near_dense_for_the_gaussian),
        cmocka_unit_test(signs_keep_the_error_of_smooth_differences_low),
        cmocka_unit_test(estimates_are_unbiased),
        cmocka_unit_test(without_phases_the_kernel_is_not_shift_invariant),
        cmocka_unit_test(kernel_values_follow_their_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
