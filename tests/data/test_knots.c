/* Quantile scaling: columns become normal scores, in the order of their values; what is constant,
 * binary, mostly zero, missing or beyond the rows. */
#include "data_support.h"

#include "base/core/float16.h"
#include "data/scale/scaling.h"

enum { ROWS = 2000, COLUMNS = 6 };

/* Column 0 uniform, 1 with a long tail, 2 constant, 3 binary and rare, 4 of seven values, 5 nearly
 * normal. */
static void sample(float *values) {
    uint32_t word = 5;
    for (size_t i = 0; i < ROWS; i++) {
        double uniform[13], sum = -6.0;
        for (size_t j = 0; j < 13; j++) {
            word = word * 1664525u + 1013904223u;
            uniform[j] = (double)(word >> 8) / 16777216.0;
            sum += j < 12 ? uniform[j] : 0.0;
        }
        float *row = values + i * COLUMNS;
        row[0] = (float)(4.0 * uniform[0] - 1.0);
        row[1] = (float)exp(9.0 * uniform[1]);
        row[2] = 3.0F;
        row[3] = i % 50 == 0 ? 1.0F : 0.0F;
        row[4] = (float)floor(7.0 * uniform[4] * uniform[4]);
        row[5] = (float)(100.0 + 5.0 * sum);
    }
}

static scaling fitted_to(const float *values) {
    const rows_view rows = {.rows = ROWS, .columns = COLUMNS, .values = values, .stride = COLUMNS};
    scaling out;
    assert_int_equal(scaling_fit(&out, SCALING_QUANTILE, &rows, NULL), CNM_OK);
    assert_non_null(out.knots);
    return out;
}

static float scaled(const scaling *self, size_t column, float x) {
    return knots_value(self->knots, column, (float)(((double)x - self->offset[column]) * self->scale[column]));
}

static size_t knots_of(const scaling *self, size_t column) {
    return self->knots->starts[column + 1] - self->knots->starts[column];
}

static void columns_get_mean_0_and_deviation_1(void **state) {
    static float values[ROWS * COLUMNS];
    (void)state;
    sample(values);
    scaling fitted = fitted_to(values);
    for (size_t j = 0; j < COLUMNS; j++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < ROWS; i++) {
            const double value = (double)scaled(&fitted, j, values[i * COLUMNS + j]);
            sum += value;
            squares += value * value;
        }
        /* column 4 has a third of its rows at one value, whose score is the mid-rank's */
        assert_true(fabs(sum / ROWS) < (j == 4 ? 0.1 : 0.02));
        if (j == 2) {
            assert_true(squares == 0.0);
        } else {
            assert_true(fabs(sqrt(squares / ROWS) - 1.0) < (j == 4 ? 0.15 : 0.03));
        }
    }
    scaling_free(&fitted);
}

static void order_is_kept_and_ends_hold(void **state) {
    static float values[ROWS * COLUMNS];
    (void)state;
    sample(values);
    scaling fitted = fitted_to(values);
    for (size_t j = 0; j < COLUMNS; j++) {
        float last = -INFINITY;
        for (int step = -3000; step <= 3000; step++) {
            const float value = knots_value(fitted.knots, j, (float)step * 0.01F);
            assert_true(value >= last && fabsf(value) <= (j == 3 ? 10.0F : 3.0F));
            last = value;
        }
        assert_true(knots_value(fitted.knots, j, INFINITY) == last && isnan(knots_value(fitted.knots, j, NAN)));
        assert_true(knots_value(fitted.knots, j, -INFINITY) == knots_value(fitted.knots, j, -3e30F));
    }
    scaling_free(&fitted);
}

static void knots_on_a_line_are_left_out(void **state) {
    static float values[ROWS * COLUMNS];
    (void)state;
    sample(values);
    scaling fitted = fitted_to(values);
    static const size_t MOST[COLUMNS] = {30, KNOTS_MOST, 1, 2, 7, 30};
    for (size_t j = 0; j < COLUMNS; j++) {
        if (knots_of(&fitted, j) > MOST[j]) {
            fail_msg("column %zu has %zu knots", j, knots_of(&fitted, j));
        }
    }
    assert_true(knots_of(&fitted, 1) > 16);
    scaling_free(&fitted);
}

static void knots_fit_into_16_bits(void **state) {
    static float values[ROWS * COLUMNS];
    (void)state;
    sample(values);
    scaling fitted = fitted_to(values);
    for (size_t i = 0; i < fitted.knots->starts[COLUMNS]; i++) {
        assert_true(float16_to_float(float16_from_float(fitted.knots->at[i])) == fitted.knots->at[i]);
        assert_true(float16_to_float(float16_from_float(fitted.knots->value[i])) == fitted.knots->value[i]);
    }
    scaling_free(&fitted);
}

/* The same rows as CSR give the same knots. */
static void sparse_rows_give_the_knots_of_dense_ones(void **state) {
    static float values[ROWS * COLUMNS], stored[ROWS * COLUMNS];
    static size_t starts[ROWS + 1];
    static uint32_t index[ROWS * COLUMNS];
    size_t count = 0;
    (void)state;
    sample(values);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        if (i % 5 == 0) {
            values[i] = 0.0F;
        }
        if (values[i] != 0.0F) {
            stored[count] = values[i];
            index[count++] = (uint32_t)(i % COLUMNS);
        }
        starts[i / COLUMNS + 1] = count;
    }
    scaling dense = fitted_to(values), sparse;
    const rows_view rows = {.rows = ROWS, .columns = COLUMNS, .values = stored, .starts = starts, .index = index};
    assert_int_equal(scaling_fit(&sparse, SCALING_QUANTILE, &rows, NULL), CNM_OK);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        const float expected = scaled(&dense, i % COLUMNS, values[i]), got = scaled(&sparse, i % COLUMNS, values[i]);
        assert_true(fabsf(got - expected) < 2e-3F);
    }
    scaling_free(&dense);
    scaling_free(&sparse);
}

/* So many sparse columns get no offset, and 0 stays 0. */
static void zero_stays_zero_where_rows_stay_sparse(void **state) {
    enum { MANY = SCALING_CENTRE_LIMIT + 1, CELLS = 40 };
    static float stored[CELLS * 2];
    static size_t starts[CELLS + 1];
    static uint32_t index[CELLS * 2];
    scaling fitted;
    (void)state;
    for (size_t i = 0; i < CELLS; i++) {
        stored[2 * i] = (float)(i % 9) - 3.0F;
        stored[2 * i + 1] = 2.0F;
        index[2 * i + 1] = (uint32_t)(1 + i % 2);
        starts[i + 1] = 2 * (i + 1);
    }
    const rows_view rows = {.rows = CELLS, .columns = MANY, .values = stored, .starts = starts, .index = index};
    assert_int_equal(scaling_fit(&fitted, SCALING_QUANTILE, &rows, NULL), CNM_OK);
    for (size_t j = 0; j < MANY; j++) {
        assert_true(fitted.offset[j] == 0.0 && knots_value(fitted.knots, j, 0.0F) == 0.0F);
    }
    assert_true(scaled(&fitted, 0, 5.0F) > 0.5F && scaled(&fitted, 0, -3.0F) < -0.2F);
    assert_true(scaled(&fitted, 1, 2.0F) > 1.0F);
    scaling_free(&fitted);
}

static void unsound_tables_are_told(void **state) {
    static const struct {
        float at[2], value[2];
        bool sound;
    } CASES[] = {{{0, 1}, {0, 1}, true},         {{0, 1}, {1, 1}, true},      {{1, 1}, {0, 1}, false},
                 {{1, 0}, {0, 1}, false},        {{0, 1}, {1, 0}, false},     {{0, NAN}, {0, 1}, false},
                 {{0, 1}, {0, INFINITY}, false}, {{0, 1e-40F}, {0, 1}, false}};
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        knot_table *made;
        assert_int_equal(knots_create(&made, 1, (const uint8_t[]){2}, NULL), CNM_OK);
        memcpy(made->at, CASES[i].at, sizeof CASES[i].at);
        memcpy(made->value, CASES[i].value, sizeof CASES[i].value);
        assert_int_equal(knots_prepare(made), CASES[i].sound);
        knots_destroy(made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_get_mean_0_and_deviation_1),
        cmocka_unit_test(order_is_kept_and_ends_hold),
        cmocka_unit_test(knots_on_a_line_are_left_out),
        cmocka_unit_test(knots_fit_into_16_bits),
        cmocka_unit_test(sparse_rows_give_the_knots_of_dense_ones),
        cmocka_unit_test(zero_stays_zero_where_rows_stay_sparse),
        cmocka_unit_test(unsound_tables_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
