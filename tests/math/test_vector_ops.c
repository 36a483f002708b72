/* Small loops over arrays: what they compute, exactly, at every level and for awkward lengths. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/linalg/vector_ops.h"
#include "math/random/variates.h"
#include "math/simd/simd_dispatch.h"

enum { MOST = 1000 };
static const size_t LENGTHS[] = {1, 3, 15, 16, 17, 48, 64, 100, 1000};
enum { LENGTH_COUNT = sizeof LENGTHS / sizeof LENGTHS[0] };

static void fill(uint32_t part, size_t count, float *out) {
    variates_normal((random_stream){4, RANDOM_TEST, part}, 0, count, 1.0, out);
}

static void products_are_scaled(void **state) {
    float by[MOST], before[MOST], got[MOST];
    (void)state;
    fill(1, MOST, by);
    fill(2, MOST, before);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t l = 0; l < LENGTH_COUNT; l++) {
            memcpy(got, before, sizeof got);
            simd_level(level)->scale_product(LENGTHS[l], 0.3F, by, got);
            for (size_t i = 0; i < MOST; i++) {
                assert_true(got[i] == (i < LENGTHS[l] ? before[i] * (0.3F * by[i]) : before[i]));
            }
        }
    }
    vector_scale_product(MOST, 0.3F, by, before);
    assert_memory_equal(got, before, sizeof got);
}

/* Checks the function apart and in place, with and without offsets and scales; the values behind
 * stay. */
static void values_are_translated_and_scaled(void **state) {
    float x[MOST], offset[MOST], scale[MOST], got[MOST + 1], place[MOST];
    (void)state;
    fill(8, MOST, x);
    fill(9, MOST, offset);
    fill(10, MOST, scale);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t which = 0; which < 4 * LENGTH_COUNT; which++) {
            const size_t count = LENGTHS[which / 4];
            const float *by = which % 2 == 0 ? NULL : offset, *times = which / 2 % 2 == 0 ? NULL : scale;
            got[count] = 7.0F;
            memcpy(place, x, sizeof place);
            simd_level(level)->translate_scale(count, x, by, times, got);
            simd_level(level)->translate_scale(count, place, by, times, place);
            for (size_t i = 0; i < count; i++) {
                const float moved = by == NULL ? x[i] : x[i] - offset[i];
                const float expected = times == NULL ? moved : moved * scale[i];
                assert_true(got[i] == expected && place[i] == expected);
            }
            assert_true(got[count] == 7.0F);
        }
    }
}

static void arrays_are_summed_in_order(void **state) {
    static float x[5 * MOST];
    float got[MOST];
    (void)state;
    fill(3, 5 * MOST, x);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t arrays = 1; arrays <= 5; arrays++) {
            for (size_t l = 0; l < LENGTH_COUNT; l++) {
                simd_level(level)->sum_arrays(arrays, MOST, LENGTHS[l], x, got);
                for (size_t i = 0; i < LENGTHS[l]; i++) {
                    float sum = x[i];
                    for (size_t a = 1; a < arrays; a++) {
                        sum += x[a * MOST + i];
                    }
                    assert_true(got[i] == sum);
                }
            }
        }
    }
    float again[MOST];
    vector_sum(5, MOST, MOST, x, again);
    assert_memory_equal(got, again, sizeof got);
}

static void columns_are_summed_in_double(void **state) {
    static float x[7 * MOST];
    float got[MOST];
    (void)state;
    fill(4, 7 * MOST, x);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t l = 0; l < LENGTH_COUNT; l++) {
            const size_t columns = LENGTHS[l];
            simd_level(level)->column_sums(7, columns, x, got);
            for (size_t j = 0; j < columns; j++) {
                double sum = 0.0;
                for (size_t row = 0; row < 7; row++) {
                    sum += (double)x[row * columns + j];
                }
                assert_true(got[j] == (float)sum);
            }
        }
    }
    float none[3] = {1.0F, 2.0F, 3.0F};
    vector_column_sums(0, 3, x, none);
    assert_true(none[0] == 0.0F && none[1] == 0.0F && none[2] == 0.0F);
}

/* Checks two calls: the second adds to the sums of the first. */
static void scaled_columns_are_summed_as_they_are(void **state) {
    static float by[7 * MOST], before[7 * MOST], got[7 * MOST], expected[7 * MOST];
    (void)state;
    fill(6, 7 * MOST, by);
    fill(7, 7 * MOST, before);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t l = 0; l < LENGTH_COUNT; l++) {
            const size_t columns = LENGTHS[l];
            double sums[MOST] = {0};
            memcpy(expected, before, sizeof expected);
            memcpy(got, before, sizeof got);
            vector_scale_product(7 * columns, 0.3F, by, expected);
            simd_level(level)->scale_columns(4, columns, 0.3F, by, got, sums);
            simd_level(level)->scale_columns(3, columns, 0.3F, by + 4 * columns, got + 4 * columns, sums);
            assert_memory_equal(got, expected, sizeof got);
            for (size_t j = 0; j < columns; j++) {
                double sum = 0.0;
                for (size_t row = 0; row < 7; row++) {
                    sum += (double)expected[row * columns + j];
                }
                assert_true(sums[j] == sum);
            }
        }
    }
}

static void what_is_published_arrives(void **state) {
    float from[MOST];
    _Alignas(64) float to[MOST];
    (void)state;
    fill(5, MOST, from);
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t l = 0; l < LENGTH_COUNT; l++) {
            memset(to, 0, sizeof to);
            simd_level(level)->publish(LENGTHS[l], from, to);
            simd_level(level)->publish_end();
            assert_memory_equal(from, to, LENGTHS[l] * sizeof *to);
            for (size_t i = LENGTHS[l]; i < MOST; i++) {
                assert_true(to[i] == 0.0F);
            }
        }
    }
    vector_publish(MOST, from, to);
    vector_publish_end();
    assert_memory_equal(from, to, sizeof to);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_scaled),
        cmocka_unit_test(values_are_translated_and_scaled),
        cmocka_unit_test(arrays_are_summed_in_order),
        cmocka_unit_test(columns_are_summed_in_double),
        cmocka_unit_test(scaled_columns_are_summed_as_they_are),
        cmocka_unit_test(what_is_published_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
