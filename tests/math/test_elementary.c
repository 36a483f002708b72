/* elementary: each function within 2 units in the last place of long double's over its whole
 * domain. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "math/elementary/elementary.h"

enum { SAMPLES = 200000 };

static const random_stream STREAM = {7, RANDOM_TEST, 0};

/* Returns |value - exact| in units in the last place of the double nearest to exact (of 2^-1074
 * where that is denormal). */
static long double error_in_ulps(double value, long double exact) {
    int exponent;
    frexpl(exact, &exponent);
    const int ulp = exponent - 53 < -1074 ? -1074 : exponent - 53;
    return fabsl(ldexpl((long double)value - exact, -ulp));
}

/* Uniform in (low, high), sample number i. */
static double sample(uint64_t i, double low, double high) { return low + (high - low) * random_uniform(STREAM, i); }

/* Positive, log-uniform over 2^low .. 2^high. */
static double sample_scale(uint64_t i, int low, int high) {
    return exp2(sample(2 * i, low, high - 1)) * (1.0 + random_uniform(STREAM, 2 * i + 1));
}

static void check(double argument, double value, long double exact) {
    const long double error = error_in_ulps(value, exact);
    if (!(error < 2.0L)) {
        fail_msg("at %a: %a instead of %La, %Lf ulp", argument, value, exact, error);
    }
}

static void log_is_within_two_ulps(void **state) {
    (void)state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const double near_one = sample(i, 0.5, 2.0), any = sample_scale(i, -1074, 1024);
        check(near_one, elementary_log(near_one), logl((long double)near_one));
        check(any, elementary_log(any), logl((long double)any));
    }
    assert_true(elementary_log(1.0) == 0.0);
    check(0x1p-1074, elementary_log(0x1p-1074), logl(0x1p-1074L));
    check(0x1.fffffffffffffp1023, elementary_log(0x1.fffffffffffffp1023), logl(0x1.fffffffffffffp1023L));
    check(0x1.fffffffffffffp-1, elementary_log(0x1.fffffffffffffp-1), logl(0x1.fffffffffffffp-1L));
}

static void exp_is_within_two_ulps(void **state) {
    (void)state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const double small = sample(i, -1.0, 1.0), any = sample(i, -746.0, 709.78);
        check(small, elementary_exp(small), expl((long double)small));
        check(any, elementary_exp(any), expl((long double)any));
    }
    assert_true(elementary_exp(0.0) == 1.0);
}

static void exp_reaches_infinity_and_zero(void **state) {
    (void)state;
    assert_true(isinf(elementary_exp(709.8)) && isinf(elementary_exp(1e300)) && isinf(elementary_exp(INFINITY)));
    assert_true(elementary_exp(-746.0) == 0.0 && elementary_exp(-1e300) == 0.0 && elementary_exp(-INFINITY) == 0.0);
    assert_true(isfinite(elementary_exp(709.78)) && elementary_exp(-745.0) > 0.0);
    assert_true(isnan(elementary_exp(NAN)));
}

/* In long double 2 pi t is rounded, so near the zeros the exact value comes from the distance to
 * them. */
static void exact_sincos_turns(double turns, long double *s, long double *c) {
    const long double tau = 6.283185307179586476925286766559005768L;
    const double quarters = floor(turns * 4 + 0.5);
    const long double t = tau * ((long double)turns - (long double)quarters / 4);
    const long double sines[4] = {sinl(t), cosl(t), -sinl(t), -cosl(t)};
    *s = sines[(int)quarters & 3];
    *c = sines[((int)quarters + 1) & 3];
}

static void sincos_turns_is_within_two_ulps(void **state) {
    (void)state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const double places[3] = {random_uniform(STREAM, i), sample_scale(i, -60, 0), 0.75 + sample_scale(i, -50, -2)};
        for (int p = 0; p < 3; p++) {
            double s, c;
            long double exact_s, exact_c;
            elementary_sincos_turns(places[p], &s, &c);
            exact_sincos_turns(places[p], &exact_s, &exact_c);
            check(places[p], s, exact_s);
            check(places[p], c, exact_c);
        }
    }
}

static void sincos_of_quarter_turns_is_exact(void **state) {
    (void)state;
    for (int quarter = 0; quarter <= 4; quarter++) {
        double s, c;
        elementary_sincos_turns(quarter * 0.25, &s, &c);
        assert_true(s == (quarter % 2 == 0 ? 0.0 : quarter == 1 ? 1.0 : -1.0));
        assert_true(c == (quarter % 2 == 1 ? 0.0 : quarter == 2 ? -1.0 : 1.0));
    }
}

static void asinh_is_within_two_ulps_and_odd(void **state) {
    (void)state;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        const double middle = sample(i, 0.0, 4.0), any = sample_scale(i, -1000, 1024), small = sample_scale(i, -40, 40);
        check(middle, elementary_asinh(middle), asinhl((long double)middle));
        check(any, elementary_asinh(any), asinhl((long double)any));
        check(small, elementary_asinh(small), asinhl((long double)small));
        assert_true(elementary_asinh(-middle) == -elementary_asinh(middle));
    }
    assert_true(elementary_asinh(0.0) == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_within_two_ulps),           cmocka_unit_test(exp_is_within_two_ulps),
        cmocka_unit_test(exp_reaches_infinity_and_zero),    cmocka_unit_test(sincos_turns_is_within_two_ulps),
        cmocka_unit_test(sincos_of_quarter_turns_is_exact), cmocka_unit_test(asinh_is_within_two_ulps_and_odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
