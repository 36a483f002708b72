/* exp and log of arrays: their bounds against long double, the floor of exp, NaN, and the same bits
 * at every level. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/elementary/elementary.h"
#include "math/elementary/exp_log.h"
#include "math/simd/simd_dispatch.h"

enum { COUNT = 1003, ROUNDS = 300 };

static const random_stream STREAM = {5, RANDOM_TEST, 6};
static const double BOUND = 2.0; /* units in the last place */

/* Returns |got - exact| in units in the last place of exact. */
static double units(double got, long double exact) {
    const double next = nextafter(fabs((double)exact), INFINITY) - fabs((double)exact);
    return (double)fabsl((long double)got - exact) / next;
}

/* Arguments over the whole range, and dense around `middle`. */
static void fill(uint64_t round, double low, double high, double middle, double *x) {
    for (uint64_t i = 0; i < COUNT; i++) {
        const double u = random_uniform(STREAM, round * COUNT + i);
        x[i] = round % 2 == 0 ? low + u * (high - low) : middle + (u - 0.5) * 0.01 * (high - low);
    }
}

static void exp_stays_within_its_bound(void **state) {
    static const double LIMITS[] = {700.0, 30.0, 1.0};
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double x[COUNT], got[COUNT];
        const double limit = LIMITS[round % 3];
        fill(round, -limit, limit, 0.0, x);
        exp_array(x, COUNT, -700.0, got);
        for (size_t i = 0; i < COUNT; i++) {
            if (!(units(got[i], expl((long double)x[i])) <= BOUND)) {
                fail_msg("exp(%a) = %a", x[i], got[i]);
            }
        }
    }
}

static void log_stays_within_its_bound(void **state) {
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        double x[COUNT], got[COUNT];
        fill(round, 0.7072, round % 3 == 0 ? 1e300 : 12.0, 1.0, x);
        for (size_t i = 0; i < COUNT; i++) {
            x[i] = x[i] < 0.7072 ? 0.7072 : x[i];
        }
        x[0] = 1.0;
        log_array(x, COUNT, got);
        assert_true(got[0] == 0.0);
        for (size_t i = 1; i < COUNT; i++) {
            if (!(units(got[i], logl((long double)x[i])) <= BOUND)) {
                fail_msg("log(%a) = %a", x[i], got[i]);
            }
        }
    }
}

static void what_is_below_the_floor_is_0_and_nan_stays(void **state) {
    (void)state;
    const double x[] = {0.0, -40.0, -40.000001, -1e300, -INFINITY, NAN, 2.0, -NAN};
    double got[8];
    exp_array(x, 8, -40.0, got);
    assert_true(got[0] == 1.0 && got[1] > 0.0 && got[6] > 7.3);
    assert_true(got[2] == 0.0 && got[3] == 0.0);
    assert_true(isnan(got[4]) && isnan(got[5]) && isnan(got[7]));
    const double y[] = {NAN, INFINITY, 1.0};
    log_array(y, 3, got);
    assert_true(isnan(got[0]) && isnan(got[1]) && got[2] == 0.0);
}

static void every_level_gives_the_same_bits(void **state) {
    (void)state;
    for (uint64_t round = 0; round < 20; round++) {
        double x[COUNT], first[COUNT], other[COUNT];
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            double *out = level == 0 ? first : other;
            fill(round, -100.0, 100.0, 0.0, x);
            simd_level(level)->exponential(x, COUNT, -50.0, out);
            assert_memory_equal(first, out, sizeof first);
        }
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            double *out = level == 0 ? first : other;
            fill(round, 1.0, 1000.0, 30.0, x);
            simd_level(level)->logarithm(x, COUNT, out);
            assert_memory_equal(first, out, sizeof first);
        }
    }
}

/* Random bits: floats of every size and sign, NaN and infinities among them; and sizes around the
 * polynomial's seams. */
static void asinh_has_the_bits_of_single_numbers_at_every_level(void **state) {
    (void)state;
    enum { FLOATS = 1 << 16 };
    float *x = malloc(FLOATS * sizeof *x), *got = malloc(FLOATS * sizeof *got);
    assert_true(x != NULL && got != NULL);
    for (size_t i = 0; i < FLOATS; i += 4) {
        uint32_t words[4];
        random_words((random_stream){1, RANDOM_TEST, 9}, i, words);
        memcpy(x + i, words, 2 * sizeof *x);
        x[i + 2] = (float)((double)words[2] * 0x1p-29 - 4.0);
        x[i + 3] = (float)ldexp(1.0 + (double)words[3] * 0x1p-50, (int)(i / 4 % 60) - 32);
    }
    memcpy(got, x, FLOATS * sizeof *x);
    asinh_array(got, FLOATS);
    for (size_t i = 0; i < FLOATS; i++) {
        const float expected = (float)elementary_asinh((double)x[i]);
        if (memcmp(&expected, &got[i], sizeof expected) != 0 && !isnan(x[i])) {
            fail_msg("asinh(%a) = %a, expected %a", (double)x[i], (double)got[i], (double)expected);
        }
        assert_true(!isnan(x[i]) || isnan(got[i]));
    }
    for (size_t level = 0; simd_level(level) != NULL; level++) {
        for (size_t first = 0; first + 2 <= FLOATS; first += 4) {
            float out[2];
            assert_true(simd_level(level)->asinh(x + first + 2, 2, out));
            assert_memory_equal(out, got + first + 2, sizeof out);
        }
    }
    free(x);
    free(got);
}

/* Checks scaled cells beyond the range of floats: their results stay in order with the others. */
static void asinh_of_infinity_is_that_of_the_largest_float(void **state) {
    (void)state;
    float x[] = {INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1.0F, NAN};
    asinh_array(x, sizeof x / sizeof *x);
    assert_true(x[0] == x[2] && x[1] == x[3] && x[0] == -x[1]);
    assert_true(x[2] == (float)elementary_asinh((double)FLT_MAX) && x[4] == (float)elementary_asinh(1.0));
    assert_true(isnan(x[5]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_stays_within_its_bound),
        cmocka_unit_test(log_stays_within_its_bound),
        cmocka_unit_test(what_is_below_the_floor_is_0_and_nan_stays),
        cmocka_unit_test(every_level_gives_the_same_bits),
        cmocka_unit_test(asinh_has_the_bits_of_single_numbers_at_every_level),
        cmocka_unit_test(asinh_of_infinity_is_that_of_the_largest_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
