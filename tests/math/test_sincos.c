/* sincos: the bound of sincos.c against long double, float32 rounding beyond, independence of
 * elements, overlay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/elementary/sincos.h"
#include "math/simd/simd_dispatch.h"

enum { COUNT = 1000, ROUNDS = 1000 };

static const random_stream STREAM = {3, RANDOM_TEST, 1};
static const double BOUND = 5.2e-8;

static void check_run(const float *x, double bound) {
    float sine[COUNT], cosine[COUNT], cosine_alone[COUNT];
    sincos_array(x, COUNT, sine, cosine);
    cos_array(x, COUNT, cosine_alone);
    assert_memory_equal(cosine, cosine_alone, sizeof cosine);
    for (size_t i = 0; i < COUNT; i++) {
        const double s = (double)(sinl((long double)x[i]) - (long double)sine[i]);
        const double c = (double)(cosl((long double)x[i]) - (long double)cosine[i]);
        if (!(fabs(s) <= bound && fabs(c) <= bound)) {
            fail_msg("x = %a: errors %g and %g", (double)x[i], s, c);
        }
    }
}

static void errors_stay_below_the_bound_up_to_10000(void **state) {
    (void)state;
    float x[COUNT];
    for (uint64_t round = 0; round < ROUNDS; round++) {
        /* A third each: dense around 0, over the whole range, and next to multiples of pi / 2. */
        for (uint64_t i = 0; i < COUNT; i++) {
            const double u = 2 * random_uniform(STREAM, round * COUNT + i) - 1;
            const double near_multiple = floor(u * 6366) * 1.5707963267948966;
            x[i] = (float)(round % 3 == 0 ? 8 * u : round % 3 == 1 ? 1e4 * u : near_multiple);
        }
        check_run(x, BOUND);
    }
}

/* Within half a unit of the exact value and a thousandth: sinl and cosl reduce with all the bits
 * they need. */
static void far_arguments_are_right_to_float_rounding(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 1000000; i++) {
        uint32_t words[4];
        random_words(STREAM, i, words);
        const uint32_t exponent = 143 + words[0] % 112, bits = (words[1] & 0x807fffff) | exponent << 23;
        float x, s, c;
        memcpy(&x, &bits, sizeof x);
        sincos_array(&x, 1, &s, &c);
        const long double exact[2] = {sinl((long double)x), cosl((long double)x)};
        const float value[2] = {s, c};
        for (int which = 0; which < 2; which++) {
            int binary;
            frexpl(exact[which], &binary);
            const double error = (double)fabsl(ldexpl(exact[which] - (long double)value[which], 24 - binary));
            if (!(fabsf(x) <= (float)SINCOS_LIMIT ? fabs((double)(exact[which] - (long double)value[which])) <= BOUND
                                                  : error <= 0.501)) {
                fail_msg("x = %a: %a instead of %La", (double)x, (double)value[which], exact[which]);
            }
        }
    }
}

static void infinities_and_nan_give_nan_and_harm_nobody(void **state) {
    (void)state;
    float clean[COUNT], x[COUNT], sine[COUNT], cosine[COUNT], clean_sine[COUNT], clean_cosine[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        clean[i] = x[i] = (float)(200 * random_uniform(STREAM, i) - 100);
    }
    const float strange[4] = {INFINITY, -INFINITY, NAN, 1e30f};
    for (size_t i = 0; i < COUNT; i += 7) {
        x[i] = strange[i % 4];
    }
    sincos_array(x, COUNT, sine, cosine);
    sincos_array(clean, COUNT, clean_sine, clean_cosine);
    for (size_t i = 0; i < COUNT; i++) {
        if (i % 7 != 0) {
            assert_memory_equal(&sine[i], &clean_sine[i], sizeof(float));
            assert_memory_equal(&cosine[i], &clean_cosine[i], sizeof(float));
        } else if (i % 4 != 3) {
            assert_true(isnan(sine[i]) && isnan(cosine[i]));
        } else {
            assert_true(fabsf(sine[i]) <= 1.0f && fabsf(cosine[i]) <= 1.0f);
        }
    }
}

/* An element's bits do not depend on its place: alone, or behind any number of others. */
static void an_element_keeps_its_bits_in_any_place(void **state) {
    (void)state;
    float x[64], sine[64], cosine[64];
    for (uint64_t i = 0; i < 64; i++) {
        x[i] = (float)(2000 * random_uniform(STREAM, 5000 + i) - 1000);
    }
    sincos_array(x, 64, sine, cosine);
    for (size_t first = 0; first < 64; first++) {
        for (size_t count = 1; first + count <= 64; count++) {
            float s[64], c[64];
            sincos_array(x + first, count, s, c);
            assert_memory_equal(s, sine + first, count * sizeof(float));
            assert_memory_equal(c, cosine + first, count * sizeof(float));
        }
    }
}

/* Compares every SIMD level, with and without the sine, with the bits of the baseline. */
static void levels_agree_bit_for_bit(void **state) {
    (void)state;
    float x[COUNT], expected_sine[COUNT], expected[COUNT], sine[COUNT], cosine[COUNT];
    for (uint64_t round = 0; round < 100; round++) {
        for (uint64_t i = 0; i < COUNT; i++) {
            x[i] =
                (float)((2 * random_uniform(STREAM, round * COUNT + i) - 1) * SINCOS_LIMIT * (double)(round + 1) / 100);
        }
        assert_true(simd_level(0)->sincos(x, COUNT, expected_sine, expected));
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            assert_true(simd_level(level)->sincos(x, COUNT, sine, cosine));
            assert_memory_equal(sine, expected_sine, sizeof sine);
            assert_memory_equal(cosine, expected, sizeof cosine);
            assert_true(simd_level(level)->sincos(x, COUNT, NULL, cosine));
            assert_memory_equal(cosine, expected, sizeof cosine);
        }
    }
}

static void outputs_may_overlay_the_input(void **state) {
    (void)state;
    float x[COUNT], sine[COUNT], cosine[COUNT], other[COUNT], overlaid[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        x[i] = (float)(1e5 * random_uniform(STREAM, i));
    }
    sincos_array(x, COUNT, sine, cosine);
    memcpy(overlaid, x, sizeof x);
    sincos_array(overlaid, COUNT, overlaid, other);
    assert_memory_equal(overlaid, sine, sizeof sine);
    assert_memory_equal(other, cosine, sizeof cosine);
    memcpy(overlaid, x, sizeof x);
    sincos_array(overlaid, COUNT, other, overlaid);
    assert_memory_equal(other, sine, sizeof sine);
    assert_memory_equal(overlaid, cosine, sizeof cosine);
    memcpy(overlaid, x, sizeof x);
    cos_array(overlaid, COUNT, overlaid);
    assert_memory_equal(overlaid, cosine, sizeof cosine);
}

/* Compares rows with phases with sincos_array: widths with SIMD code of their own, other widths,
 * and more than the SIMD code takes; some values beyond the main path's limit, infinities and NaN
 * among them, in rows of their own and beside others. */
static void rows_with_phases_have_the_bits_of_single_values(void **state) {
    static const size_t WIDTHS[] = {1, 16, 31, 32, 48, 63, 64, 65, 200};
    (void)state;
    for (size_t w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++) {
        enum { ROWS = 9, MOST = 200 };
        const size_t columns = WIDTHS[w], count = ROWS * columns;
        float phase[MOST], p[ROWS * MOST], slope[ROWS * MOST], x[ROWS * MOST], sine[ROWS * MOST], cosine[ROWS * MOST];
        float tile[ROWS * (MOST + 3)];
        for (size_t i = 0; i < count; i++) {
            phase[i % columns] = (float)(6.28 * random_uniform(STREAM, i % columns));
            p[i] = (float)(40.0 * random_uniform(STREAM, 1000 + i) - 20.0);
        }
        p[3 * columns] = 1e9F;
        p[4 * columns + columns / 2] = -7e30F;
        p[7 * columns + columns - 1] = NAN;
        p[8 * columns] = INFINITY;
        for (size_t i = 0; i < count; i++) {
            x[i] = p[i] + phase[i % columns];
        }
        memset(tile, 1, sizeof tile); /* with gaps of 3 floats, which stay as they are */
        for (size_t i = 0; i < ROWS; i++) {
            memcpy(tile + i * (columns + 3), p + i * columns, columns * sizeof *p);
        }
        sincos_array(x, count, sine, cosine);
        cosine_rows(ROWS, columns, phase, p, slope);
        cosine_tile(ROWS, columns, phase, 0.3F, tile, columns + 3);
        for (size_t i = 0; i < count; i++) {
            const float got = tile[i / columns * (columns + 3) + i % columns];
            assert_true(isnan(x[i]) || isinf(x[i]) ? isnan(got) : got == 0.3F * cosine[i]);
        }
        for (size_t i = 0; i < 3 * ROWS; i++) {
            assert_memory_equal(&tile[i / 3 * (columns + 3) + columns + i % 3], "\1\1\1\1", sizeof(float));
        }
        for (size_t i = 0; i < count; i++) {
            assert_true(isnan(x[i]) || isinf(x[i]) ? isnan(p[i]) && isnan(slope[i])
                                                   : p[i] == cosine[i] && slope[i] == -sine[i]);
        }
    }
}

static void rows_with_phases_have_the_same_bits_at_every_level(void **state) {
    enum { ROWS = 20, COLUMNS = 48 };
    float phase[COLUMNS], first[ROWS * COLUMNS], slope[ROWS * COLUMNS], again[ROWS * COLUMNS], other[ROWS * COLUMNS];
    (void)state;
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        float *p = level == 0 ? first : again, *s = level == 0 ? slope : other;
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            phase[i % COLUMNS] = (float)(6.28 * random_uniform(STREAM, i % COLUMNS));
            p[i] = (float)(40.0 * random_uniform(STREAM, 1000 + i) - 20.0);
        }
        assert_int_equal(simd_level(level)->cosine_rows(ROWS, COLUMNS, phase, p, s), ROWS);
        assert_memory_equal(first, p, sizeof first);
        assert_memory_equal(slope, s, sizeof slope);
    }
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            again[i] = (float)(40.0 * random_uniform(STREAM, 1000 + i) - 20.0);
        }
        assert_int_equal(simd_level(level)->cosine_tile(ROWS, COLUMNS, phase, 1.0F, again, COLUMNS), ROWS);
        assert_memory_equal(first, again, sizeof first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_phases_have_the_bits_of_single_values),
        cmocka_unit_test(rows_with_phases_have_the_same_bits_at_every_level),
        cmocka_unit_test(errors_stay_below_the_bound_up_to_10000),
        cmocka_unit_test(far_arguments_are_right_to_float_rounding),
        cmocka_unit_test(infinities_and_nan_give_nan_and_harm_nobody),
        cmocka_unit_test(an_element_keeps_its_bits_in_any_place),
        cmocka_unit_test(levels_agree_bit_for_bit),
        cmocka_unit_test(outputs_may_overlay_the_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
