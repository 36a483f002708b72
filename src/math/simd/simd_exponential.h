/* exp and log of arrays of doubles, asinh of arrays of floats, branch-free so that the compiler
 * turns the loops into vector code; exp_log.c has the methods and their bounds. Part of
 * simd_body.h. No fused multiply-add: every level gives the same bits. */
#ifndef CNM_MATH_SIMD_SIMD_EXPONENTIAL_H
#define CNM_MATH_SIMD_SIMD_EXPONENTIAL_H

#include <math.h>

#include "math/simd/simd_sincos.h"
#include "math/simd/simd_vector.h"

INLINE uint64_t double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE double bits_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns exp(x), |x| <= 700. Adding 1.5 * 2^52 leaves the nearest integer in the last bits. */
INLINE double exp_one(double x) {
    const double biased = x * 0x1.71547652b82fep+0 + 0x1.8p52, n = biased - 0x1.8p52;
    const double r = (x - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
    double sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    return (1.0 + (r + r * r * sum)) * bits_double((double_bits(biased) + 1023) << 52);
}

static void exp_run(const double *restrict x, size_t count, double least, double *restrict out) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t below = 0 - (double_bits(x[i] - least) >> 63); /* all bits where x < least */
        const double inside = bits_double((double_bits(least) & below) | (double_bits(x[i]) & ~below));
        out[i] = bits_double(double_bits(exp_one(inside)) & ~below) + 0.0 * x[i];
    }
}

/* Returns 2 (atanh(s) / s - 1) for z = s^2. */
INLINE double log_tail(double z) {
    double sum = 2.0 / 25;
    sum = sum * z + 2.0 / 23;
    sum = sum * z + 2.0 / 21;
    sum = sum * z + 2.0 / 19;
    sum = sum * z + 2.0 / 17;
    sum = sum * z + 2.0 / 15;
    sum = sum * z + 2.0 / 13;
    sum = sum * z + 2.0 / 11;
    sum = sum * z + 2.0 / 9;
    sum = sum * z + 2.0 / 7;
    sum = sum * z + 2.0 / 5;
    sum = sum * z + 2.0 / 3;
    return sum * z;
}

/* Returns log(x), x >= sqrt(1/2): 2^n m with m between sqrt(1/2) and sqrt(2). Adding 0 x makes a
 * NaN of NaN and infinity. */
INLINE double log_one(double x) {
    const uint64_t bits = double_bits(x), raised = bits - UINT64_C(0x3fe6a09e667f3bcd), exponent = raised >> 52;
    const double m = bits_double(bits - (exponent << 52)),
                 n = bits_double(exponent | UINT64_C(0x4330000000000000)) - 0x1p52;
    const double f = m - 1.0, s = f / (2.0 + f), z = s * s;
    const double correction = s * (f - log_tail(z));
    return (n * 0x1.62e42feep-1 + (f - (correction - n * 0x1.a39ef35793c76p-33))) + 0.0 * x;
}

/* Returns asinh(a), 2^-28 <= a <= 2^28: elementary_asinh's operations in its order, without its
 * branches. */
INLINE double asinh_one(double a) {
    const double w = a * a / (1.0 + sqrt(1.0 + a * a));
    const double y = a + w, y_low = w - (y - a);
    const double u = 1.0 + y, low_small = y - (u - 1.0), low_large = 1.0 - (u - y);
    const uint64_t small = 0 - (double_bits(y - 1.0) >> 63); /* all bits where y < 1 */
    const double u_low = bits_double((double_bits(low_small) & small) | (double_bits(low_large) & ~small)) + y_low;
    /* behind sqrt(1/2) */
    const uint64_t bits = double_bits(u), exponent = (bits - UINT64_C(0x3fe6a09e667f3bce)) >> 52;
    const double m = bits_double(bits - (exponent << 52)),
                 n = bits_double(exponent | UINT64_C(0x4330000000000000)) - 0x1p52;
    const double f = m - 1.0, s = f / (2.0 + f);
    const double correction = s * (f - log_tail(s * s)) - u_low / u;
    return n * 0x1.62e42feep-1 + (f - (correction - n * 0x1.a39ef35793c76p-33));
}

/* Returns false when some |x| is beyond 2^28 or NaN: the results of those are meaningless. */
static bool asinh_run(const float *restrict x, size_t count, float *restrict out) {
    const uint32_t most = float_bits(0x1p28f), least = float_bits(0x1p-28f);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = float_bits(x[i]), size = bits & 0x7fffffffu, tiny = 0u - (size < least);
        const float a = bits_float((size & ~tiny) | (least & tiny));
        const uint32_t result = float_bits((float)asinh_one((double)a));
        beyond |= size > most;
        out[i] = bits_float((bits & 0x80000000u) | (result & ~tiny) | (size & tiny));
    }
    return beyond == 0;
}

static void log_run(const double *restrict x, size_t count, double *restrict out) {
    for (size_t i = 0; i < count; i++) {
        out[i] = log_one(x[i]);
    }
}

#endif
