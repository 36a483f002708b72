/* sin and cos of float arrays, branch-free so that the compiler turns the loop into vector code.
 *
 * Main path, |x| <= LIMIT: q = round(2x / pi), r = x - q pi/2 with pi/2 in three parts. The first two parts have so few
 * bits that q times them is exact for |q| < 2^15, and so are both subtractions; only the third rounds, and what it loses
 * is kept in `low`. Then polynomials in r on |r| <= pi/4 (minimax, own errors 2.6e-9 and 5e-10).
 * Bound on the absolute error: rounding of the result 3.0e-8 + of r^2 / 2 in the cosine 1.5e-8 + the polynomials'
 * arithmetic 0.7e-8; measured against long double over every float in [0.5, 8] and 10^8 others up to 1e4: 4.4e-8.
 *
 * Beyond LIMIT a second, rare pass multiplies by 2/pi in integers, with as many bits as any float needs, and evaluates in
 * double: within 0.501 units in the last place. NaN for infinities and NaN. */
#include "math/contraction.h"

#include "math/sincos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/cpu.h"
#include "math/elementary.h"

/* x is copied in runs of this many, so that outputs may overlay x. */
enum { RUN = 256 };

static const float LIMIT = 50000.0f;

static uint32_t float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float bits_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* One element; `low` is what r lost by rounding: sin(r + low) = sin r + low cos r, cos(r + low) = cos r - low sin r. */
CPU_INLINE void sincos_one(float x, float *sine, float *cosine) {
    const float shifted = x * 0.636619772f + 12582912.0f; /* 1.5 * 2^23: the last bits are now the integer q */
    const uint32_t q = float_bits(shifted);
    const float n = shifted - 12582912.0f;
    const float part = (x - n * 0x1.92p+0f) - n * 0x1.fbp-12f, third = n * 0x1.5110b4p-22f;
    const float r = part - third, low = (part - r) - third;
    const float z = r * r, half = 0.5f * z, one_less = 1.0f - half;
    const float s = r + (r * z * ((-0x1.98d89p-13f * z + 0x1.1105aep-7f) * z - 0x1.55554p-3f) + low * one_less);
    const float c = one_less + (((1.0f - one_less) - half) +
                                (z * z * ((0x1.9a00cep-16f * z - 0x1.6c0c86p-10f) * z + 0x1.55554ap-5f) - r * low));
    const uint32_t odd = 0u - (q & 1u), s_bits = float_bits(s), c_bits = float_bits(c);
    *sine = bits_float(((s_bits & ~odd) | (c_bits & odd)) ^ ((q & 2u) << 30));
    *cosine = bits_float(((c_bits & ~odd) | (s_bits & odd)) ^ (((q + 1u) & 2u) << 30));
}

/* The first 224 bits of 2/pi, after a word of zeros. */
static const uint32_t TWO_OVER_PI[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                       0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/* 32 bits of TWO_OVER_PI, from bit `first` on. */
static uint32_t bits_of_ratio(unsigned first) {
    const unsigned word = first / 32, shift = first % 32;
    const uint64_t pair = (uint64_t)TWO_OVER_PI[word] << 32 | TWO_OVER_PI[word + 1];
    return (uint32_t)(pair >> (32 - shift));
}

/* Any float with |x| >= 2^-7: x = mantissa * 2^e exactly. Bits of 2/pi that contribute multiples of 4 are left out; from
 * the next 96 the product's quarter turns modulo 4 come out with 62 bits behind the point. */
static void sincos_far(float x, float *sine, float *cosine) {
    const uint32_t bits = float_bits(x), exponent = (bits >> 23) & 0xff;
    if (exponent == 0xff) {
        *sine = *cosine = NAN;
        return;
    }
    const uint64_t mantissa = (bits & 0x7fffff) | 0x800000;
    const unsigned first = exponent - 150 + 30; /* e - 1, counted from 1, behind the 32 zeros */
    const uint64_t product = (mantissa * bits_of_ratio(first) << 32) + mantissa * bits_of_ratio(first + 32) +
                             (mantissa * bits_of_ratio(first + 64) >> 32);
    const uint64_t quarter = (product + (UINT64_C(1) << 61)) >> 62;
    const uint64_t rest = product - (quarter << 62); /* two's complement, |rest| <= 2^61 */
    const int negative = (int)(rest >> 63);
    const double turns = (double)(negative ? 0 - rest : rest) * 0x1p-64;
    double s, c;
    elementary_sincos_turns(turns, &s, &c);
    s = negative ? -s : s;
    const double sines[4] = {s, c, -s, -c};
    const double turned = sines[quarter & 3];
    *sine = (float)((bits >> 31) ? -turned : turned);
    *cosine = (float)sines[(quarter + 1) & 3];
}

/* A run that lies apart from its outputs; true when some element is beyond LIMIT, whose result is then meaningless. */
CPU_INLINE int run_both(const float *restrict x, size_t count, float *restrict sine, float *restrict cosine) {
    const uint32_t limit = float_bits(LIMIT);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        beyond |= (float_bits(x[i]) & 0x7fffffffu) > limit;
        sincos_one(x[i], &sine[i], &cosine[i]);
    }
    return beyond != 0;
}

CPU_INLINE int run_cosine(const float *restrict x, size_t count, float *restrict cosine) {
    const uint32_t limit = float_bits(LIMIT);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        float unused;
        beyond |= (float_bits(x[i]) & 0x7fffffffu) > limit;
        sincos_one(x[i], &unused, &cosine[i]);
    }
    return beyond != 0;
}

static void redo_far(const float *x, size_t count, float *sine, float *cosine) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(x[i]) <= LIMIT)) {
            float unused;
            sincos_far(x[i], sine != NULL ? &sine[i] : &unused, &cosine[i]);
        }
    }
}

/* sine may be NULL. */
CPU_INLINE void all_runs(const float *x, size_t count, float *sine, float *cosine) {
    float run[RUN];
    for (size_t start = 0; start < count; start += RUN) {
        const size_t size = count - start < RUN ? count - start : RUN;
        memcpy(run, x + start, size * sizeof *run);
        const int beyond =
            sine != NULL ? run_both(run, size, sine + start, cosine + start) : run_cosine(run, size, cosine + start);
        if (beyond) {
            redo_far(run, size, sine != NULL ? sine + start : NULL, cosine + start);
        }
    }
}

static void all_runs_baseline(const float *x, size_t count, float *sine, float *cosine) {
    all_runs(x, count, sine, cosine);
}

#if defined(CPU_HAS_LEVELS)
CPU_AVX2 static void all_runs_avx2(const float *x, size_t count, float *sine, float *cosine) {
    all_runs(x, count, sine, cosine);
}

CPU_AVX512 static void all_runs_avx512(const float *x, size_t count, float *sine, float *cosine) {
    all_runs(x, count, sine, cosine);
}

static void (*const LEVELS[])(const float *, size_t, float *, float *) = {all_runs_baseline, all_runs_avx2,
                                                                          all_runs_avx512};
#else
static void (*const LEVELS[])(const float *, size_t, float *, float *) = {all_runs_baseline};
#endif

void sincos_array(const float *x, size_t count, float *sine, float *cosine) {
    LEVELS[cpu_level_here()](x, count, sine, cosine);
}

void cos_array(const float *x, size_t count, float *cosine) { LEVELS[cpu_level_here()](x, count, NULL, cosine); }
