/* Pairs of normal variates from random bits, branch-free so that the compiler turns the loop into
 * vector code; variates.h documents them. Part of simd_body.h. The operations of elementary_log and
 * elementary_sincos_turns in their order, none fused: every level gives their bits. */
#ifndef CNM_MATH_SIMD_SIMD_VARIATES_H
#define CNM_MATH_SIMD_SIMD_VARIATES_H

#include <math.h>

#include "math/simd/simd_exponential.h"
#include "math/simd/simd_noise.h"

/* Returns the middle of interval `bits` of the 2^52 equal ones in (0, 1): exact. */
INLINE double middle_of(uint64_t bits) {
    return ((bits_double(bits | UINT64_C(0x4330000000000000)) - 0x1p52) + 0.5) * 0x1p-52;
}

/* Returns log(x), 2^-53 <= x < 1: 2^n m with m behind sqrt(1/2), n from -53 to 0. */
INLINE double log_below_one(double x) {
    const uint64_t bits = double_bits(x) + (UINT64_C(64) << 52);
    const uint64_t exponent = (bits - UINT64_C(0x3fe6a09e667f3bce)) >> 52;
    const double m = bits_double(bits - (exponent << 52)),
                 n = bits_double(exponent | UINT64_C(0x4330000000000000)) - 0x1p52 - 64;
    const double f = m - 1.0, s = f / (2.0 + f);
    const double correction = s * (f - log_tail(s * s));
    return n * 0x1.62e42feep-1 + (f - (correction - n * 0x1.a39ef35793c76p-33));
}

INLINE double sin_sum(double z) {
    double sum = 1.0;
    sum = 1.0 - sum * z / 272;
    sum = 1.0 - sum * z / 210;
    sum = 1.0 - sum * z / 156;
    sum = 1.0 - sum * z / 110;
    sum = 1.0 - sum * z / 72;
    sum = 1.0 - sum * z / 42;
    return 1.0 - sum * z / 20;
}

INLINE double cos_sum(double z) {
    double sum = 1.0;
    sum = 1.0 - sum * z / 306;
    sum = 1.0 - sum * z / 240;
    sum = 1.0 - sum * z / 182;
    sum = 1.0 - sum * z / 132;
    sum = 1.0 - sum * z / 90;
    sum = 1.0 - sum * z / 56;
    sum = 1.0 - sum * z / 30;
    return 1.0 - sum * z / 12;
}

/* Computes sin and cos of 0 < turns < 1: swapped in odd quarters, signs by the second bit of the
 * quarter and of the next. */
INLINE void sincos_of_turns(double turns, double *s, double *c) {
    const double x = turns * 4.0 + 0.5, near = (x + 0x1p52) - 0x1p52;
    const uint64_t above = 0 - (double_bits(x - near) >> 63); /* all bits where rounding went up */
    const double quarters = near - bits_double(above & UINT64_C(0x3ff0000000000000));
    const double r = turns - quarters * 0.25;
    const double r_high = bits_double(double_bits(r) & ~UINT64_C(0x7ffffff)), r_low = r - r_high;
    const double t = r_high * 0x1.921fb58p+2 + (r_low * 0x1.921fb58p+2 + r * -0x1.dde973dcb3b3ap-25), z = t * t;
    const uint64_t sine = double_bits(t - t * z / 6 * sin_sum(z)), cosine = double_bits(1.0 - z * 0.5 * cos_sum(z));
    const uint64_t quarter = double_bits(quarters + 0x1p52), swap = 0 - (quarter & 1);
    *s = bits_double(((cosine & swap) | (sine & ~swap)) ^ (quarter & 2) << 62);
    *c = bits_double(((sine & swap) | (cosine & ~swap)) ^ ((quarter + 1) & 2) << 62);
}

/* Makes u and v (pairs): the upper 52 bits of the first and last two words of each counter, for
 * whole vectors; returns for how many. */
#if defined(NOISE_VECTORS)
static size_t random_run(const random_counter *counter, size_t pairs, uint64_t *u, uint64_t *v) {
    wide_words number, keys[PHILOX_ROUNDS][2];
    size_t done = 0;
    philox_keys(counter->seed, keys);
    for (size_t lane = 0; lane < NOISE_COUNTERS; lane++) {
        number[lane] = counter->index + lane;
    }
    for (; done + NOISE_COUNTERS <= pairs; done += NOISE_COUNTERS, number += NOISE_COUNTERS) {
        wide_words w[4] = {number, number >> 32, (wide_words){0} + counter->id, (wide_words){0} + counter->part};
        philox(1, &w, keys);
        w[1] = both_words(w[1], w[0]) >> 12;
        w[3] = both_words(w[3], w[2]) >> 12;
        memcpy(u + done, &w[1], sizeof w[1]);
        memcpy(v + done, &w[3], sizeof w[3]);
    }
    return done;
}
#else
static size_t random_run(const random_counter *counter, size_t pairs, uint64_t *u, uint64_t *v) {
    (void)counter, (void)pairs, (void)u, (void)v;
    return 0; /* the plain loop does it */
}
#endif

/* Sets out (2 pairs) = scale * sqrt(-2 log u) (cos, sin)(2 pi v) for the middles u and v of the
 * intervals. */
static void normal_run(size_t pairs, const uint64_t *restrict u, const uint64_t *restrict v, double scale,
                       float *restrict out) {
    for (size_t i = 0; i < pairs; i++) {
        const double radius = sqrt(-2.0 * log_below_one(middle_of(u[i])));
        double s, c;
        sincos_of_turns(middle_of(v[i]), &s, &c);
        out[2 * i] = (float)(scale * (radius * c));
        out[2 * i + 1] = (float)(scale * (radius * s));
    }
}

#endif
