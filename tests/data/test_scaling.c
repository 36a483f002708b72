/* Scaling: what each kind makes of the columns, dense and sparse alike. */
#include "data_support.h"

#include <float.h>

#include "data/scale/scaling.h"

enum { ROWS = 400, COLUMNS = 4 };

/* Column 0 uniform, 1 far from zero (with a base), 2 constant, 3 mostly zero. */
static void sample(float *values, double *base) {
    uint32_t word = 1;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            word = word * 1664525u + 1013904223u;
            const float uniform = (float)(word >> 8) / 16777216.0f;
            values[i * COLUMNS + j] = j == 0       ? 4 * uniform - 1
                                      : j == 1     ? 100 * uniform
                                      : j == 2     ? 3
                                      : i % 5 == 0 ? uniform - 0.25f
                                                   : 0;
        }
    }
    memset(base, 0, COLUMNS * sizeof *base);
    base[1] = 1e9;
}

static double scaled(const scaling *self, const float *values, const double *base, size_t i, size_t j) {
    return ((double)values[i * COLUMNS + j] + base[j] - self->offset[j]) * self->scale[j];
}

/* mean and root mean square of a scaled column. */
static void moments(const scaling *self, const float *values, const double *base, size_t j, double *mean,
                    double *root) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const double value = scaled(self, values, base, i, j);
        sum += value;
        squares += value * value;
    }
    *mean = sum / ROWS;
    *root = sqrt(squares / ROWS);
}

static rows_view dense_view(const float *values, const double *base) {
    return (rows_view){.rows = ROWS, .columns = COLUMNS, .values = values, .stride = COLUMNS, .base = base};
}

static void standard_gives_mean_0_and_deviation_1(void **state) {
    float values[ROWS * COLUMNS];
    double base[COLUMNS], mean, root;
    scaling fitted;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&fitted, SCALING_STANDARD, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < COLUMNS; j++) {
        moments(&fitted, values, base, j, &mean, &root);
        /* ROWS roundings of numbers of size 1; the base's own unit in the last place is 1.2e-7, its
         * scaled effect 4e-9 */
        assert_true(fabs(mean) < 1e-8);
        assert_true(j == 2 ? fitted.scale[j] == 0 && root == 0 : fabs(root - 1) < 1e-8);
    }
    scaling_free(&fitted);
}

/* Units do not matter: a column a million million times smaller than another counts. A column that
 * varies by less than float32 tells does not. */
static void standard_goes_by_each_column_alone(void **state) {
    (void)state;
    enum { MANY = 100 };
    float values[MANY * 3];
    for (size_t i = 0; i < MANY; i++) {
        values[3 * i] = (float)i * 1e6F;
        values[3 * i + 1] = (float)i * 1e-6F;
        values[3 * i + 2] = i == 7 ? 16777214.0F : 16777215.0F;
    }
    const rows_view rows = {.rows = MANY, .columns = 3, .values = values, .stride = 3};
    scaling fitted;
    assert_int_equal(scaling_fit(&fitted, SCALING_STANDARD, &rows, NULL), CNM_OK);
    assert_true(fabs(fitted.scale[1] / fitted.scale[0] - 1e12) <
                1e7); /* 1e12 times float32's rounding of 1e-6, and a margin */
    assert_true(fitted.scale[2] == 0.0);
    scaling_free(&fitted);
}

static void global_has_one_scale(void **state) {
    float values[ROWS * COLUMNS];
    double base[COLUMNS], mean, root, sum = 0;
    scaling fitted;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&fitted, SCALING_GLOBAL, &rows, NULL), CNM_OK);
    assert_true(fitted.scale[0] == fitted.scale[1] && fitted.scale[0] == fitted.scale[3] && fitted.scale[2] == 0);
    for (size_t j = 0; j < COLUMNS; j++) {
        moments(&fitted, values, base, j, &mean, &root);
        assert_true(fabs(mean) < 1e-8);
        sum += root * root;
    }
    assert_true(fabs(sum / COLUMNS - 1) < 1e-8);
    scaling_free(&fitted);
}

static void range_ends_at_minus_one_and_one(void **state) {
    float values[ROWS * COLUMNS];
    double base[COLUMNS];
    scaling fitted;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&fitted, SCALING_RANGE, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < COLUMNS; j++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < ROWS; i++) {
            const double value = scaled(&fitted, values, base, i, j);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        const double end = j == 2 ? 0 : 1;
        assert_true(fabs(low + end) < 1e-8 && fabs(high - end) < 1e-8);
    }
    scaling_free(&fitted);
}

static int compare(const void *left, const void *right) {
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* Position p in [0, 1] of a sorted column, interpolated. */
static double quantile(const float *sorted, double p) {
    const double position = p * (ROWS - 1);
    const size_t low = (size_t)position;
    const double part = position - (double)low;
    return (double)sorted[low] + (part > 0 ? part * ((double)sorted[low + 1] - (double)sorted[low]) : 0);
}

static void asinh_uses_median_and_quartiles(void **state) {
    float values[ROWS * COLUMNS], sorted[ROWS];
    double base[COLUMNS], mean, root;
    scaling fitted;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&fitted, SCALING_ASINH, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < 2; j++) {
        for (size_t i = 0; i < ROWS; i++) {
            sorted[i] = values[i * COLUMNS + j];
        }
        qsort(sorted, ROWS, sizeof *sorted, compare);
        assert_true(fitted.offset[j] == quantile(sorted, 0.5) + base[j]);
        assert_true(fabs(fitted.scale[j] * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) - 1.35) < 1e-12);
    }
    assert_true(fitted.scale[2] == 0);
    /* its quartiles are 0: mean and deviation instead */
    moments(&fitted, values, base, 3, &mean, &root);
    assert_true(fabs(mean) < 1e-12 && fabs(root - 1) < 1e-12);
    scaling_free(&fitted);
}

/* Five times asinh's unit, the same middle: three deviations out it is within a tenth of straight,
 * a thousand out within 32. */
static void wide_is_nearly_straight_near_by(void **state) {
    float values[ROWS * COLUMNS];
    double base[COLUMNS];
    scaling narrow, wide;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&narrow, SCALING_ASINH, &rows, NULL), CNM_OK);
    assert_int_equal(scaling_fit(&wide, SCALING_WIDE, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < COLUMNS; j++) {
        assert_true(wide.offset[j] == narrow.offset[j]);
        assert_true(fabs(5.0 * wide.scale[j] - narrow.scale[j]) <= 1e-15 * narrow.scale[j]);
    }
    assert_true(scaling_is_asinh(SCALING_ASINH) && scaling_is_asinh(SCALING_WIDE) &&
                !scaling_is_asinh(SCALING_STANDARD));
    assert_true(5.0 * asinh(3.0 / 5.0) > 0.9 * 3.0 && 5.0 * asinh(1000.0 / 5.0) < 32.0);
    scaling_free(&narrow);
    scaling_free(&wide);
}

/* `few` cells of column j become `value`, every fifth of the rows from the first. */
static void throw_cells(float *values, size_t j, size_t few, float value) {
    for (size_t i = 0; i < few; i++) {
        values[5 * i * COLUMNS + j] = value;
    }
}

/* Whatever a hundredth of the cells at either end holds, the others keep the scale that quartiles
 * give them. */
static void asinh_keeps_its_scale_beside_outliers(void **state) {
    static const float FAR_OUT[] = {1e4F, 1e9F, 1e30F, -1e30F, FLT_MAX, -FLT_MAX};
    (void)state;
    for (size_t n = 0; n < 2 * sizeof FAR_OUT / sizeof *FAR_OUT; n++) {
        float values[ROWS * COLUMNS], sorted[ROWS];
        double base[COLUMNS];
        scaling fitted;
        sample(values, base);
        for (size_t j = 0; j < 2; j++) {
            throw_cells(values, j, n % 2 == 0 ? 1 : ROWS / 100, FAR_OUT[n / 2]);
        }
        const rows_view rows = dense_view(values, base);
        assert_int_equal(scaling_fit(&fitted, SCALING_ASINH, &rows, NULL), CNM_OK);
        for (size_t j = 0; j < 2; j++) {
            for (size_t i = 0; i < ROWS; i++) {
                sorted[i] = values[i * COLUMNS + j];
            }
            qsort(sorted, ROWS, sizeof *sorted, compare);
            assert_true(fitted.offset[j] == quantile(sorted, 0.5) + base[j]);
            assert_true(fabs(fitted.scale[j] * (quantile(sorted, 0.75) - quantile(sorted, 0.25)) - 1.35) < 1e-12);
        }
        scaling_free(&fitted);
    }
}

/* A column that is mostly 0: the deviation of its other cells without outliers. */
static void asinh_takes_the_deviation_of_the_bulk(void **state) {
    static const float FAR_OUT[] = {1e6F, 1e30F, -FLT_MAX};
    (void)state;
    for (size_t n = 0; n < sizeof FAR_OUT / sizeof *FAR_OUT; n++) {
        enum { FEW = 3, J = 3 };
        float values[ROWS * COLUMNS];
        double base[COLUMNS], sum = 0, squares = 0, high = -1;
        scaling fitted;
        sample(values, base);
        throw_cells(values, J, FEW, FAR_OUT[n]);
        const rows_view rows = dense_view(values, base);
        assert_int_equal(scaling_fit(&fitted, SCALING_ASINH, &rows, NULL), CNM_OK);
        for (size_t i = 5 * FEW; i < ROWS; i++) {
            const double value = scaled(&fitted, values, base, i, J);
            sum += value;
            squares += value * value;
            high = fmax(high, value);
        }
        /* A hundredth at either end may be missing from the bulk: 8 cells, of at most `high` in
         * size each */
        assert_true(fabs(sum) <= 8 * high && high < 10);
        assert_true(squares / ROWS > 0.9 && squares / ROWS < 1.3);
        scaling_free(&fitted);
    }
}

/* What differs in a few cells alone, or but by rounding in all others, has no bulk to go by. */
static void asinh_leaves_rare_values_their_deviation(void **state) {
    (void)state;
    /* few cells, the least of them still in the bulk */
    static const float RARE[] = {1e-3F, 1e-2F, 0.1F, 1, 10};
    static const double BASE[COLUMNS];
    float values[ROWS * COLUMNS] = {0};
    double mean, root;
    scaling fitted;
    for (size_t i = 0; i < ROWS; i++) {
        values[i * COLUMNS] = i % 80 == 7 ? RARE[i / 80] : 0;
        values[i * COLUMNS + 1] = i % 50 == 7;
        values[i * COLUMNS + 2] = i % 2 == 0 ? 0.3F : nextafterf(0.3F, 1);
    }
    throw_cells(values, 2, 2, 5);
    throw_cells(values, 3, 1, 1e30F);
    const rows_view rows = dense_view(values, NULL);
    assert_int_equal(scaling_fit(&fitted, SCALING_ASINH, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < COLUMNS; j++) {
        moments(&fitted, values, BASE, j, &mean, &root);
        assert_true(fabs(mean) < 1e-12 && fabs(root - 1) < 1e-12);
    }
    scaling_free(&fitted);
}

/* The same cells with zeros left out. */
static rows_view sparse_view(const float *values, float *kept, uint32_t *index, size_t *starts) {
    size_t at = 0;
    for (size_t i = 0; i < ROWS; i++) {
        starts[i] = at;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            if (values[i * COLUMNS + j] != 0) {
                index[at] = j;
                kept[at++] = values[i * COLUMNS + j];
            }
        }
    }
    starts[ROWS] = at;
    return (rows_view){.rows = ROWS, .columns = COLUMNS, .values = kept, .starts = starts, .index = index};
}

static void sparse_rows_give_the_same_as_dense(void **state) {
    float values[ROWS * COLUMNS], kept[ROWS * COLUMNS];
    uint32_t index[ROWS * COLUMNS];
    size_t starts[ROWS + 1];
    double base[COLUMNS];
    (void)state;
    sample(values, base);
    for (size_t i = 0; i < ROWS; i++) { /* quartiles among and beside the zeros */
        values[i * COLUMNS + 0] = i % 3 == 0 ? values[i * COLUMNS + 0] : 0;
        values[i * COLUMNS + 1] = i % 8 == 0 ? 0 : values[i * COLUMNS + 1] - 50;
        values[i * COLUMNS + 2] = i == 9 ? 1e30F : i % 4 == 0 ? 0 : values[i * COLUMNS + 3] + 3;
    }
    throw_cells(values, 3, 2, -1e30F); /* and a bulk around zeros */
    const rows_view dense = dense_view(values, NULL), sparse = sparse_view(values, kept, index, starts);
    for (int kind = SCALING_NONE; kind < SCALING_KINDS; kind++) {
        scaling one, other;
        assert_int_equal(scaling_fit(&one, (scaling_kind)kind, &dense, NULL), CNM_OK);
        assert_int_equal(scaling_fit(&other, (scaling_kind)kind, &sparse, NULL), CNM_OK);
        for (size_t j = 0; j < COLUMNS; j++) {
            assert_true(fabs(one.offset[j] - other.offset[j]) <= 1e-12 * fabs(one.offset[j]));
            assert_true(fabs(one.scale[j] - other.scale[j]) <= 1e-12 * fabs(one.scale[j]));
        }
        scaling_free(&one);
        scaling_free(&other);
    }
}

static void wide_sparse_rows_are_not_shifted(void **state) {
    static const float VALUES[] = {5, 6, 7};
    static const uint32_t INDEX[] = {0, 0, 5000};
    static const size_t STARTS[] = {0, 1, 3};
    const rows_view rows = {.rows = 2, .columns = 6000, .values = VALUES, .starts = STARTS, .index = INDEX};
    (void)state;
    for (int kind = SCALING_GLOBAL; kind < SCALING_KINDS; kind++) {
        scaling fitted;
        assert_int_equal(scaling_fit(&fitted, (scaling_kind)kind, &rows, NULL), CNM_OK);
        assert_true(fitted.offset[0] == 0 && fitted.offset[5000] == 0);
        assert_true(fitted.scale[0] > 0 && fitted.scale[5000] > 0 && fitted.scale[1] == 0);
        scaling_free(&fitted);
    }
}

static void none_changes_nothing_and_names_are_known(void **state) {
    float values[ROWS * COLUMNS];
    double base[COLUMNS];
    scaling fitted;
    scaling_kind kind;
    (void)state;
    sample(values, base);
    const rows_view rows = dense_view(values, base);
    assert_int_equal(scaling_fit(&fitted, SCALING_NONE, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < COLUMNS; j++) {
        assert_true(fitted.offset[j] == 0 && fitted.scale[j] == 1);
    }
    scaling_free(&fitted);
    size_t count;
    const scaling_ops *scalings = scaling_table(&count);
    assert_int_equal(count, SCALING_KINDS);
    for (int i = SCALING_NONE; i < SCALING_KINDS; i++) {
        assert_ptr_equal(scaling_name((scaling_kind)i), scalings[i].name);
        assert_true(scaling_find(scaling_name((scaling_kind)i), &kind));
        assert_int_equal(kind, i);
    }
    assert_false(scaling_find("minmax", &kind));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_gives_mean_0_and_deviation_1),
        cmocka_unit_test(standard_goes_by_each_column_alone),
        cmocka_unit_test(global_has_one_scale),
        cmocka_unit_test(range_ends_at_minus_one_and_one),
        cmocka_unit_test(asinh_uses_median_and_quartiles),
        cmocka_unit_test(wide_is_nearly_straight_near_by),
        cmocka_unit_test(asinh_keeps_its_scale_beside_outliers),
        cmocka_unit_test(asinh_takes_the_deviation_of_the_bulk),
        cmocka_unit_test(asinh_leaves_rare_values_their_deviation),
        cmocka_unit_test(sparse_rows_give_the_same_as_dense),
        cmocka_unit_test(wide_sparse_rows_are_not_shifted),
        cmocka_unit_test(none_changes_nothing_and_names_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
