/* 16-bit numbers: all of them, and every place where rounding turns from one to the next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/random.h"

enum { INFINITE = 0x7c00, SIGN = 0x8000 };

/* Returns the value of a finite 16-bit number, by its definition. */
static double value_of(uint16_t half) {
    const int exponent = half >> 10 & 31, significand = half & 0x3ff;
    const double size = exponent == 0 ? ldexp(significand, -24) : ldexp(1024 + significand, exponent - 25);
    return half >= SIGN ? -size : size;
}

static bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

static void every_half_is_itself_as_a_float(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < 65536; i++) {
        const uint16_t half = (uint16_t)i;
        const float value = float16_to_float(half);
        if ((half & 0x7fff) > INFINITE) {
            assert_true(isnan(value) && isnan(float16_to_float(float16_from_float(value))));
        } else {
            const double expected =
                (half & 0x7fff) == INFINITE ? (half >= SIGN ? -INFINITY : INFINITY) : value_of(half);
            assert_true(same_bits(value, (float)expected) && (double)value == expected);
            assert_int_equal(float16_from_float(value), half);
        }
    }
}

/* Checks what lies between a 16-bit number and the next: nearer to the first, in the middle, and
 * nearer to the next. */
static void floats_go_to_the_nearest_half_and_ties_to_even(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < INFINITE; i++) {
        const uint16_t half = (uint16_t)i, next = (uint16_t)(i + 1);
        const double above = next == INFINITE ? 65536.0 : value_of(next);
        const float middle = (float)(0.5 * (value_of(half) + above)); /* exact: 12 bits */
        assert_int_equal(float16_from_float(middle), i % 2 == 0 ? half : next);
        assert_int_equal(float16_from_float(nextafterf(middle, 0.0F)), half);
        assert_int_equal(float16_from_float(nextafterf(middle, INFINITY)), next);
        assert_int_equal(float16_from_float(-middle), SIGN | (i % 2 == 0 ? half : next));
    }
    assert_int_equal(float16_from_float(FLT_MAX), INFINITE);
    assert_int_equal(float16_from_float(FLT_TRUE_MIN), 0);
    assert_int_equal(float16_from_float(-0.0F), SIGN);
}

/* ---- Arrays ---- */

enum { COUNT = 400 };

/* Fills values with numbers over eight powers of ten below `largest`, of both signs. */
static void fill(float *values, double largest, uint64_t seed) {
    const random_stream stream = {seed, RANDOM_TEST, 0};
    for (size_t i = 0; i < COUNT; i++) {
        const double size = largest * pow(10.0, -8.0 * random_uniform(stream, 2 * i));
        values[i] = (float)(random_uniform(stream, 2 * i + 1) < 0.5 ? -size : size);
    }
    values[7] = (float)largest;
    values[8] = 0.0F;
}

/* Checks that every array once rounded comes back to the bit, and that rounding again changes
 * nothing. */
static void a_rounded_array_comes_back(void **unused) {
    (void)unused;
    static const double LARGEST[] = {
        1.0,  0.06,       0.0625, 0.99999, 1.99999, 32767.9, 32768.0,         65504.0, 65520.0,  1e6,
        3e-4, 1.9999e-20, 1e-37,  1e-41,   1e38,    3.4e38,  (double)FLT_MAX, 0.9998,  16383.99, 31.9999};
    for (size_t at = 0; at < sizeof LARGEST / sizeof *LARGEST; at++) {
        float values[COUNT], rounded[COUNT], back[COUNT];
        uint16_t halves[COUNT];
        fill(values, LARGEST[at], at);
        memcpy(rounded, values, sizeof values);
        const int exponent = float16_exponent(values, COUNT);
        float16_round(rounded, COUNT);
        assert_int_equal(float16_exponent(rounded, COUNT), exponent);
        assert_true(float16_encode(rounded, COUNT, exponent, halves));
        float16_decode(halves, COUNT, exponent, back);
        assert_memory_equal(rounded, back, sizeof back);
        float16_round(back, COUNT);
        assert_memory_equal(rounded, back, sizeof back);
        /* half a unit of 11 bits, down to a thousandth of the largest */
        for (size_t i = 0; i < COUNT; i++) {
            const double error = fabs((double)rounded[i] - (double)values[i]), size = fabs((double)values[i]);
            const double bound = size > 1e-3 * LARGEST[at] ? size : 1e-3 * LARGEST[at];
            /* the last float below infinity cannot be rounded up; differences below float32's own
             * are allowed */
            assert_true(error <= bound * (LARGEST[at] > 3.4e38 ? 0x1p-10 : 0x1p-11) + 0x1p-149);
        }
    }
}

static void an_array_that_would_lose_bits_is_told(void **unused) {
    (void)unused;
    const float third[] = {1.0F, 1.0F / 3.0F}, fine[] = {1.0F, 0.5F}, far[] = {1.0F, 0x1p-25F};
    uint16_t halves[2];
    assert_false(float16_encode(third, 2, 0, halves));
    assert_true(float16_encode(fine, 2, 0, halves));
    assert_false(float16_encode(far, 2, 0, halves));
    assert_int_equal(float16_exponent((const float[]){0.0F, -0.0F}, 2), 0);
    assert_int_equal(float16_exponent(NULL, 0), 0);
    assert_int_equal(float16_exponent((const float[]){-3e-3F}, 1), -9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_itself_as_a_float),
        cmocka_unit_test(floats_go_to_the_nearest_half_and_ties_to_even),
        cmocka_unit_test(a_rounded_array_comes_back),
        cmocka_unit_test(an_array_that_would_lose_bits_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
