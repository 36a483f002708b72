/* Rows of one scaling, rescaled, are rows of the other, for every pair of scalings; nothing
 * leaves the range of numbers. */
#include "data_support.h"

#include "data/scale/rescale.h"
#include "math/elementary/elementary.h"

enum { ROWS = 300, COLUMNS = 4 };

static const scaling_kind KINDS[] = {SCALING_NONE,  SCALING_GLOBAL, SCALING_STANDARD,
                                     SCALING_RANGE, SCALING_ASINH,  SCALING_WIDE};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* Column 0 uniform, 1 with a long tail, 2 constant, 3 small numbers around 5. */
static void sample(float *values) {
    uint32_t word = 7;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            word = word * 1664525u + 1013904223u;
            const double uniform = (double)(word >> 8) / 16777216.0;
            values[i * COLUMNS + j] = (float)(j == 0   ? 40.0 * uniform - 10.0
                                              : j == 1 ? elementary_exp(8.0 * uniform)
                                              : j == 2 ? 3.0
                                                       : 5.0 + 0.01 * uniform);
        }
    }
}

static void scale_rows(const scaling *by, const float *values, float *out) {
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        const double plain = ((double)values[i] - by->offset[i % COLUMNS]) * by->scale[i % COLUMNS];
        out[i] = (float)(scaling_is_asinh(by->kind) ? elementary_asinh(plain) : plain);
    }
}

static scaling fit(scaling_kind kind, const float *values) {
    const rows_view rows = {.rows = ROWS, .columns = COLUMNS, .values = values, .stride = COLUMNS};
    scaling out;
    assert_int_equal(scaling_fit(&out, kind, &rows, NULL), CNM_OK);
    return out;
}

static void every_way_becomes_every_other(void **state) {
    (void)state;
    static float values[ROWS * COLUMNS], from[ROWS * COLUMNS], to[ROWS * COLUMNS], got[ROWS * COLUMNS];
    sample(values);
    for (size_t n = 0; n < KIND_COUNT * KIND_COUNT; n++) {
        scaling first = fit(KINDS[n / KIND_COUNT], values), second = fit(KINDS[n % KIND_COUNT], values);
        rescale between;
        assert_int_equal(rescale_create(&between, &first, &second, NULL), CNM_OK);
        scale_rows(&first, values, from);
        scale_rows(&second, values, to);
        rescale_rows(&between, ROWS, from, got);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            const size_t j = i % COLUMNS;
            /* A unit in the last place of u, which sinh makes as many times larger as u is, in the
             * units of v; and one of v. */
            const double u = (double)from[i], grown = scaling_is_asinh(KINDS[n / KIND_COUNT]) ? cosh(u) : 1.0;
            const double bound = 1.2e-7 * (fabs(u) * grown * between.factor[j] + fabs((double)to[i])) + 1e-7;
            if (first.scale[j] > 0.0 && fabs((double)got[i] - (double)to[i]) > bound) {
                fail_msg("%s to %s, row %zu, column %zu: %g for %g", scaling_name(first.kind),
                         scaling_name(second.kind), i / COLUMNS, j, (double)got[i], (double)to[i]);
            }
            assert_true(first.scale[j] > 0.0 || got[i] == 0.0F);
        }
        rescale_free(&between);
        scaling_free(&first);
        scaling_free(&second);
    }
}

static void what_is_far_out_stays_a_number(void **state) {
    (void)state;
    static float values[ROWS * COLUMNS];
    const float rows[2 * COLUMNS] = {3e38F, -3e38F, 0.0F, 1e30F, 80.0F, -80.0F, 0.0F, 700.0F};
    float got[2 * COLUMNS];
    sample(values);
    for (size_t n = 0; n < KIND_COUNT * KIND_COUNT; n++) {
        scaling first = fit(KINDS[n / KIND_COUNT], values), second = fit(KINDS[n % KIND_COUNT], values);
        rescale between;
        assert_int_equal(rescale_create(&between, &first, &second, NULL), CNM_OK);
        rescale_rows(&between, 2, rows, got);
        for (size_t i = 0; i < 2 * COLUMNS; i++) {
            assert_true(fabs((double)got[i]) <= 1.001 * RESCALE_MOST);
        }
        rescale_free(&between);
        scaling_free(&first);
        scaling_free(&second);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_becomes_every_other),
        cmocka_unit_test(what_is_far_out_stays_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
