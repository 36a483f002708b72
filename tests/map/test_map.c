/* Maps as objects: what is drawn, refused, copied and scaled. */
#include "map/map_support.h"

#include "map/kernels.h"

static layer_spec make_spec(const char *projection, size_t columns, size_t features) {
    return (layer_spec){.projection = projection,
                        .activation = "cos",
                        .columns = columns,
                        .features = features,
                        .gamma = 0.5,
                        .phases = true,
                        .seed = 11};
}

static void expect_refusal(layer_spec spec, cnm_status status, const char *words) {
    cnm_error error = {0};
    layer *self = (layer *)&error; /* anything but NULL */
    assert_int_equal(layer_draw(&self, &spec, &error), status);
    assert_null(self);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' lacks '%s'", error.message, words);
    }
    assert_int_equal(layer_draw(&self, &spec, NULL), status);
}

static void a_dense_map_beyond_the_limit_is_refused_with_a_hint(void **unused) {
    (void)unused;
    expect_refusal(make_spec("dense", 1000000, 4096), CNM_NO_MEMORY,
                   "a dense map of 1000000 columns and 4096 features needs 16.4 GB, over the limit of 4.3 GB: use "
                   "--projection circulant, which needs 8.0 MB");
    expect_refusal(make_spec("dense", SIZE_MAX / 2, 5), CNM_NO_MEMORY, "more than 18.4 EB, over the limit of 4.3 GB");
    expect_refusal(make_spec("circulant", 3, SIZE_MAX), CNM_NO_MEMORY, "over the limit");
    assert_true(layer_bytes("dense", 1000000, 4096) == (size_t)1000000 * 4096 * 4);
    assert_true(layer_bytes("circulant", 1000000, 4096) == 8000000);
    assert_true(layer_bytes("circulant", 10, 25) == (30 + 10) * 4);
    assert_true(layer_bytes("identity", 10, 10) == 0);
    assert_true(layer_bytes("dense", SIZE_MAX, 2) == SIZE_MAX);
    assert_true(layer_bytes("toeplitz", 2, 2) == SIZE_MAX);
}

static void wrong_specifications_are_refused(void **unused) {
    (void)unused;
    layer_spec spec = make_spec("dense", 0, 4);
    expect_refusal(spec, CNM_BAD_ARGUMENT, "at least one column");
    expect_refusal(make_spec("circulant", 4, 0), CNM_BAD_ARGUMENT, "one feature");
    expect_refusal(make_spec("toeplitz", 4, 4), CNM_BAD_ARGUMENT, "unknown projection 'toeplitz'");
    expect_refusal(make_spec("identity", 4, 5), CNM_BAD_ARGUMENT, "identity map of 4 columns");
    spec = make_spec("dense", 4, 4);
    spec.activation = "tanh";
    expect_refusal(spec, CNM_BAD_ARGUMENT, "unknown activation 'tanh'");
    const double gammas[] = {0, -1, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof gammas / sizeof *gammas; i++) {
        spec = make_spec(i % 2 == 0 ? "dense" : "circulant", 4, 4);
        spec.gamma = gammas[i];
        expect_refusal(spec, CNM_BAD_ARGUMENT, "gamma must be between");
    }
    spec = make_spec("dense", 4, 4);
    spec.init = INIT_ORTHOGONAL;
    spec.kernel = KERNEL_LAPLACIAN;
    expect_refusal(spec, CNM_UNSUPPORTED, "--init orthogonal needs --kernel gaussian");
    spec = make_spec("circulant", 4, 4);
    spec.init = INIT_ORTHOGONAL;
    expect_refusal(spec, CNM_UNSUPPORTED, "--init orthogonal needs --projection dense");
}

/* Entry (column, feature) does not change when more columns or features are drawn. */
static void a_larger_map_starts_with_the_smaller_one(void **unused) {
    (void)unused;
    layer *small = draw_map(&(layer_spec){"dense", "cos", 5, 7, KERNEL_CAUCHY, INIT_RANDOM, 1, true, 3, 0});
    layer *large = draw_map(&(layer_spec){"dense", "cos", 9, 40, KERNEL_CAUCHY, INIT_RANDOM, 1, true, 3, 0});
    layer *other = draw_map(&(layer_spec){"dense", "cos", 5, 7, KERNEL_CAUCHY, INIT_RANDOM, 1, true, 4, 0});
    for (size_t j = 0; j < 5; j++) {
        for (size_t i = 0; i < 7; i++) {
            assert_true(small->tensors[0].values[j * 7 + i] == large->tensors[0].values[j * 40 + i]);
            assert_true(small->tensors[0].values[j * 7 + i] != other->tensors[0].values[j * 7 + i]);
            assert_true(small->phase[i] == large->phase[i]);
        }
    }
    layer_destroy(small);
    layer_destroy(large);
    layer_destroy(other);
}

static void phases_and_signs_are_what_they_should_be(void **unused) {
    (void)unused;
    layer *self = draw_map(&(layer_spec){"circulant", "cos", 4000, 4000, KERNEL_GAUSSIAN, INIT_RANDOM, 1, true, 8, 0});
    size_t negative = 0, low = 0;
    for (size_t i = 0; i < 4000; i++) {
        const float sign = self->tensors[1].values[i];
        assert_true(sign == 1 || sign == -1);
        assert_true(self->phase[i] >= 0 && (double)self->phase[i] < 6.2831853072);
        negative += sign < 0;
        low += self->phase[i] < 3.14159265f;
    }
    assert_true(negative > 1842 && negative < 2158); /* 5 standard deviations */
    assert_true(low > 1842 && low < 2158);
    assert_true(self->tensors[1].signs && !self->tensors[1].learned && self->tensors[0].learned);
    assert_true(self->tensors[2].optional && self->tensors[2].values == NULL);
    assert_true(fabs((double)self->scale - sqrt(2.0 / 4000)) < 1e-9);
    layer_destroy(self);
}

static double product_of(const layer *self, size_t a, size_t b) {
    const float *theta = self->tensors[0].values;
    double sum = 0;
    for (size_t j = 0; j < self->columns; j++) {
        sum += (double)theta[j * self->features + a] * (double)theta[j * self->features + b];
    }
    return sum;
}

/* Blocks of d columns: orthogonal inside and not between, with lengths whose squares average 2
 * gamma d. */
static void expect_orthogonal_blocks(size_t columns, size_t features) {
    layer_spec spec = make_spec("dense", columns, features);
    spec.init = INIT_ORTHOGONAL;
    layer *self = draw_map(&spec);
    double mean = 0, largest = 0, between = 0;
    for (size_t a = 0; a < features; a++) {
        const double square = product_of(self, a, a);
        mean += square / (double)features;
        assert_true(square > 0);
        for (size_t b = 0; b < a; b++) {
            const double cosine = fabs(product_of(self, a, b)) / sqrt(square * product_of(self, b, b));
            double *most = a / columns == b / columns ? &largest : &between;
            *most = fmax(*most, cosine);
        }
    }
    print_message("%zu columns: cosines inside blocks %.1e, between %.1e\n", columns, largest, between);
    /* Rounding, 2^-24 of a vector's length a coordinate, of what is at least 0.2 of the vector;
     * twice, for the one before it. */
    assert_true(largest < 2 * 0x1p-24 * sqrt((double)columns) / 0.2);
    assert_true(features <= columns || between > 0.05);
    /* chi-square with d degrees of freedom has variance 2 d; five standard errors of the features'
     * mean */
    assert_true(fabs(mean - (double)columns) < 5 * sqrt(2.0 * (double)columns / (double)features));
    layer_destroy(self);
}

/* One column, blocks in one piece, blocks that are halved several times and end with rows of which
 * little is left, a cut block. */
static void orthogonal_blocks_are_orthogonal(void **unused) {
    (void)unused;
    expect_orthogonal_blocks(1, 9);
    expect_orthogonal_blocks(3, 600);
    expect_orthogonal_blocks(24, 60);
    expect_orthogonal_blocks(47, 100);
    expect_orthogonal_blocks(210, 640);
    expect_orthogonal_blocks(300, 120);
}

/* What one feature is by itself, a normal vector, it is in a block too: over many seeds, each entry
 * of the last feature of a block has mean 0 and variance 2 gamma, within five standard errors. */
static void a_feature_of_a_block_is_normal(void **unused) {
    (void)unused;
    enum { COLUMNS = 5, SEEDS = 4000 };
    double sums[COLUMNS] = {0}, squares[COLUMNS] = {0}, fourths = 0;
    for (size_t seed = 0; seed < SEEDS; seed++) {
        layer_spec spec = make_spec("dense", COLUMNS, COLUMNS);
        spec.init = INIT_ORTHOGONAL;
        spec.seed = seed;
        layer *self = draw_map(&spec);
        for (size_t j = 0; j < COLUMNS; j++) {
            const double x = (double)self->tensors[0].values[j * COLUMNS + COLUMNS - 1];
            sums[j] += x / SEEDS;
            squares[j] += x * x / SEEDS;
            fourths += x * x * x * x / SEEDS / COLUMNS;
        }
        layer_destroy(self);
    }
    for (size_t j = 0; j < COLUMNS; j++) {
        assert_true(fabs(sums[j]) < 5 / sqrt(SEEDS));
        assert_true(fabs(squares[j] - 1) < 5 * sqrt(2.0 / SEEDS));
    }
    /* as if the entries of a vector were one */
    assert_true(fabs(fourths - 3) < 5 * sqrt(96.0 / SEEDS));
}

static void a_copy_is_its_own_map(void **unused) {
    (void)unused;
    static const char *const PROJECTIONS[] = {"dense", "circulant", "identity", "circulant-diagonal"};
    for (size_t i = 0; i < 4; i++) {
        layer *self =
            draw_map(&(layer_spec){PROJECTIONS[i], "sigmoid", 6, 6, KERNEL_GAUSSIAN, INIT_RANDOM, 1, i != 2, 2, 0});
        test_rows rows = rows_make(i, 20, 6, 0.8);
        float before[120], after[120];
        const double factor[] = {1, 2, 3, 4, 5, 6};
        /* so that circulant maps have a diagonal to copy */
        if (self->projection->scale_columns != NULL) {
            assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
        }
        run_map(self, rows.dense, before, NULL);
        layer *copy;
        assert_int_equal(layer_copy(&copy, self, NULL), CNM_OK);
        for (size_t t = 0; t < self->tensor_count; t++) {
            const size_t count = self->tensors[t].rows * self->tensors[t].columns;
            memset(self->tensors[t].values, 0, count * sizeof(float));
        }
        layer_destroy(self);
        run_map(copy, rows.dense, after, NULL);
        assert_memory_equal(before, after, sizeof before);
        layer_destroy(copy);
        rows_free(&rows);
    }
    layer_destroy(NULL);
}

/* forward of a scaled map = forward of scaled rows, within the rounding of a sum of d products (and
 * of the transform). */
static void check_scaling(const char *projection, const double *factor, bool diagonal) {
    enum { COLUMNS = 10, FEATURES = 25, ROWS = 12 };
    layer_spec spec = make_spec(projection, COLUMNS, FEATURES);
    spec.activation = "identity";
    layer *self = draw_map(&spec);
    test_rows rows = rows_make(21, ROWS, COLUMNS, 1), scaled = rows_make(21, ROWS, COLUMNS, 1);
    float expected[ROWS * FEATURES], got[ROWS * FEATURES];
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        scaled.values[i] = (float)((double)scaled.values[i] * factor[i % COLUMNS]);
    }
    run_map(self, scaled.dense, expected, NULL);
    assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
    run_map(self, rows.dense, got, NULL);
    for (size_t i = 0; i < ROWS * FEATURES; i++) {
        double size = 0;
        for (size_t j = 0; j < COLUMNS; j++) {
            size += fabs((double)scaled.values[i / FEATURES * COLUMNS + j]);
        }
        /* 6.3: the phase */
        assert_true(fabs((double)got[i] - (double)expected[i]) <= 4e-6 * (size + 6.3));
    }
    assert_true((self->tensors[2].values != NULL) == diagonal);
    layer_destroy(self);
    rows_free(&rows);
    rows_free(&scaled);
}

static void scaling_columns_equals_scaling_rows(void **unused) {
    (void)unused;
    double equal[10], unequal[10];
    for (size_t j = 0; j < 10; j++) {
        equal[j] = 0.37;
        unequal[j] = 0.1 + 0.3 * (double)j;
    }
    check_scaling("dense", equal, false);
    check_scaling("dense", unequal, false);
    check_scaling("circulant", equal, false);
    check_scaling("circulant", unequal, true);
}

static void a_scale_that_overflows_changes_nothing(void **unused) {
    (void)unused;
    static const char *const PROJECTIONS[] = {"dense", "circulant"};
    const double factors[][3] = {{1, 2, 1e300}, {1e300, 1e300, 1e300}, {1, NAN, 1}};
    for (size_t i = 0; i < 6; i++) {
        const layer_spec spec = make_spec(PROJECTIONS[i % 2], 3, 3);
        layer *self = draw_map(&spec);
        cnm_error error = {0};
        float before[9];
        const size_t bytes = self->tensors[0].rows * self->tensors[0].columns * sizeof(float);
        memcpy(before, self->tensors[0].values, bytes);
        assert_int_equal(self->projection->scale_columns(self, factors[i / 2], &error), CNM_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, "cannot be scaled by"));
        assert_memory_equal(before, self->tensors[0].values, bytes);
        assert_null(self->tensors[2].values);
        layer_destroy(self);
    }
}

static void the_dense_form_agrees_with_forward(void **unused) {
    (void)unused;
    static const layer_spec SPECS[] = {
        {"dense", "identity", 12, 31, KERNEL_LAPLACIAN, INIT_RANDOM, 0.1, false, 1, 0},
        {"circulant", "identity", 12, 31, KERNEL_GAUSSIAN, INIT_RANDOM, 0.5, false, 2, 0},
        {"identity", "identity", 12, 12, KERNEL_GAUSSIAN, INIT_RANDOM, 0, false, 3, 0},
    };
    const double factor[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    for (size_t i = 0; i < 3; i++) {
        layer *self = draw_map(&SPECS[i]);
        if (self->projection->scale_columns != NULL) {
            assert_int_equal(self->projection->scale_columns(self, factor, NULL), CNM_OK);
        }
        const size_t k = self->features;
        test_rows rows = rows_make(31, 20, 12, 0.5);
        float theta[12 * 31], z[20 * 31];
        assert_int_equal(self->projection->to_dense(self, theta, NULL), CNM_OK);
        for (size_t view = 0; view < 2; view++) {
            run_map(self, view == 0 ? rows.dense : rows.sparse, z, NULL);
            for (size_t at = 0; at < 20 * k; at++) {
                double expected = 0, size = 0, filters = 0;
                for (size_t j = 0; j < 12; j++) {
                    const double weight = (double)theta[j * k + at % k], x = (double)rows.values[at / k * 12 + j];
                    expected += weight * x;
                    size += weight * weight;
                    filters += x * x * factor[j] * factor[j];
                }
                assert_true(fabs((double)z[at] - expected) <= 3e-6 * sqrt(144 * size * filters));
            }
        }
        rows_free(&rows);
        layer_destroy(self);
    }
}

/* An undrawn map is zero until it is filled and refreshed. */
static void a_created_map_waits_for_its_values(void **unused) {
    (void)unused;
    const layer_spec spec = {.projection = "circulant", .activation = "identity", .columns = 5, .features = 8};
    layer *self;
    assert_int_equal(layer_create(&self, &spec, NULL), CNM_OK);
    assert_null(self->phase);
    test_rows rows = rows_make(1, 3, 5, 1);
    float z[24];
    run_map(self, rows.dense, z, NULL);
    for (size_t i = 0; i < 24; i++) {
        assert_true(z[i] == 0);
    }
    for (size_t j = 0; j < 5; j++) {
        self->tensors[1].values[j] = 1;
    }
    self->tensors[0].values[0] = 1; /* r = e_0: the circulant identity */
    layer_refresh(self);
    run_map(self, rows.dense, z, NULL);
    for (size_t i = 0; i < 24; i++) {
        const double expected = i % 8 < 5 ? (double)rows.values[i / 8 * 5 + i % 8] : 0;
        assert_true(fabs((double)z[i] - expected) < 1e-5);
    }
    rows_free(&rows);
    layer_destroy(self);
}

static void sigmoid_and_relu_keep_their_digits(void **unused) {
    (void)unused;
    const activation_ops *sigmoid = activation_find("sigmoid"), *relu = activation_find("relu");
    for (int i = -8800; i <= 8800; i++) {
        const float p = (float)i / 100;
        const double e = exp(-fabs((double)p)), exact = (i < 0 ? e : 1) / (1 + e), exact_slope = e / (1 + e) / (1 + e);
        float z, slope, alone;
        sigmoid->value_and_slope(&p, 1, &z, &slope);
        sigmoid->value(&p, 1, &alone);
        assert_true(z == alone);
        if (i >= -8700 && i <= 8700) {
            assert_true(fabs((double)z - exact) <= 6e-7 * exact);
            assert_true(fabs((double)slope - exact_slope) <= 9e-7 * exact_slope);
        }
        relu->value_and_slope(&p, 1, &z, &slope);
        assert_true(z == (i > 0 ? p : 0) && slope == (i > 0 ? 1 : 0));
    }
    const float ends[] = {-INFINITY, INFINITY};
    float z[2];
    sigmoid->value(ends, 2, z);
    assert_true(z[0] >= 0 && z[0] < 1e-37f && z[1] == 1);
    assert_null(activation_find("tanh"));
}

/* Options may name every row but the identity, which only the linear model uses. */
static void tables_list_what_options_may_name(void **unused) {
    (void)unused;
    size_t projections, activations, kernels;
    const projection_ops *const *projection = projection_table(&projections);
    const activation_ops *activation = activation_table(&activations);
    const kernel_ops *kernel = kernel_table(&kernels);
    for (size_t i = 0; i < projections; i++) {
        assert_ptr_equal(projection_find(projection[i]->name), projection[i]);
        assert_int_equal(projection_index(projection[i]), i);
        assert_true(projection[i]->help != NULL && !projection[i]->identity);
        /* part by part, parameters of a feature's own can be computed and pruned alone */
        assert_int_equal(projection[i]->own_parameters, projection[i]->forward_part != NULL);
    }
    for (size_t i = 0; i < activations; i++) {
        assert_ptr_equal(activation_find(activation[i].name), &activation[i]);
        assert_int_equal(activation_index(&activation[i]), i);
    }
    for (size_t i = 0; i < kernels; i++) {
        map_kernel found;
        assert_true(kernel_find(kernel[i].name, &found));
        assert_int_equal(found, i);
        assert_ptr_equal(kernel_name(found), kernel[i].name);
    }
    assert_null(kernel_name((map_kernel)kernels));
    assert_true(projection_find("identity")->identity);
    assert_int_equal(projection_index(projection_find("identity")), -1);
    assert_int_equal(activation_index(activation_find("identity")), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dense_map_beyond_the_limit_is_refused_with_a_hint),
        cmocka_unit_test(wrong_specifications_are_refused),
        cmocka_unit_test(a_larger_map_starts_with_the_smaller_one),
        cmocka_unit_test(phases_and_signs_are_what_they_should_be),
        cmocka_unit_test(orthogonal_blocks_are_orthogonal),
        cmocka_unit_test(a_feature_of_a_block_is_normal),
        cmocka_unit_test(a_copy_is_its_own_map),
        cmocka_unit_test(scaling_columns_equals_scaling_rows),
        cmocka_unit_test(a_scale_that_overflows_changes_nothing),
        cmocka_unit_test(the_dense_form_agrees_with_forward),
        cmocka_unit_test(a_created_map_waits_for_its_values),
        cmocka_unit_test(sigmoid_and_relu_keep_their_digits),
        cmocka_unit_test(tables_list_what_options_may_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
