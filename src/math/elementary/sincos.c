/* sin and cos of float arrays. The main path is in simd_sincos.h; here are its method, its bound,
 * and the rest.
 *
 * Main path, |x| <= SINCOS_LIMIT: q = round(2x / pi), r = x - q pi/2 with pi/2 in three parts. The
 * first two parts have so few bits that q times them is exact for |q| < 2^15, and so are both
 * subtractions; only the third rounds, and what it loses is kept in `low`. Then polynomials in r on
 * |r| <= pi/4 (minimax, own errors 2.6e-9 and 5e-10). Bound on the absolute error: rounding of the
 * result 3.0e-8 + of r^2 / 2 in the cosine 1.5e-8 + the polynomials and their arithmetic 0.7e-8 =
 * 5.2e-8; measured over every other float in [0.5, 8] and 8e7 random ones up to 5e4: 4.8e-8.
 *
 * Beyond it a second, rare pass multiplies by 2/pi in integers, with as many bits as any float
 * needs, and evaluates in double: within 0.501 units in the last place. NaN for infinities and
 * NaN. */
#include "math/elementary/contraction.h"

#include "math/elementary/sincos.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/elementary/elementary.h"
#include "math/simd/simd_dispatch.h"

/* x is copied in runs of this many, so that outputs may overlay x. */
enum { RUN = 256 };

static uint32_t float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The first 224 bits of 2/pi, after a word of zeros. */
static const uint32_t TWO_OVER_PI[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                       0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

/* Returns 32 bits of TWO_OVER_PI, from bit `first` on. */
static uint32_t bits_of_ratio(unsigned first) {
    const unsigned word = first / 32, bit = first % 32;
    const uint64_t pair = (uint64_t)TWO_OVER_PI[word] << 32 | TWO_OVER_PI[word + 1];
    return (uint32_t)(pair >> (32 - bit));
}

/* Computes sin and cos of any float with |x| >= 2^-7: x = mantissa * 2^e exactly. Bits of 2/pi that
 * contribute multiples of 4 are left out; from the next 96 the product's quarter turns modulo 4
 * come out with 62 bits behind the point. */
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

static void redo_far(const float *x, size_t count, float *sine, float *cosine) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabsf(x[i]) <= (float)SINCOS_LIMIT)) {
            float unused;
            sincos_far(x[i], sine != NULL ? &sine[i] : &unused, &cosine[i]);
        }
    }
}

/* Computes all runs; sine may be NULL. */
static void all_runs(const float *x, size_t count, float *sine, float *cosine) {
    const simd_table *run = simd_active();
    float copy[RUN];
    for (size_t start = 0; start < count; start += RUN) {
        const size_t size = count - start < RUN ? count - start : RUN;
        float *sine_here = sine != NULL ? sine + start : NULL;
        memcpy(copy, x + start, size * sizeof *copy);
        if (!run->sincos(copy, size, sine_here, cosine + start)) {
            redo_far(copy, size, sine_here, cosine + start);
        }
    }
}

void sincos_array(const float *x, size_t count, float *sine, float *cosine) { all_runs(x, count, sine, cosine); }

/* Computes a row that the SIMD code did not take: too long, or with a value beyond its limit. */
static void cosine_row(size_t columns, const float *phase, float *p, float *slope) {
    for (size_t i = 0; i < columns; i++) {
        p[i] += phase[i];
    }
    sincos_array(p, columns, slope, p);
    for (size_t i = 0; i < columns; i++) {
        slope[i] = -slope[i];
    }
}

void cosine_rows(size_t rows, size_t columns, const float *phase, float *p, float *slope) {
    const simd_table *run = simd_active();
    size_t row = 0;
    while (row < rows) {
        if (columns <= SINCOS_COLUMNS) {
            row += run->cosine_rows(rows - row, columns, phase, p + row * columns, slope + row * columns);
        }
        if (row < rows) {
            cosine_row(columns, phase, p + row * columns, slope + row * columns);
            row++;
        }
    }
}

static void scaled_cosines(size_t columns, const float *phase, float scale, float *p) {
    for (size_t i = 0; i < columns; i++) {
        p[i] += phase[i];
    }
    cos_array(p, columns, p);
    for (size_t i = 0; i < columns; i++) {
        p[i] *= scale;
    }
}

void cosine_tile(size_t rows, size_t columns, const float *phase, float scale, float *p, size_t stride) {
    const simd_table *run = simd_active();
    size_t row = 0;
    while (row < rows) {
        if (columns <= SINCOS_COLUMNS) {
            row += run->cosine_tile(rows - row, columns, phase, scale, p + row * stride, stride);
        }
        if (row < rows) {
            scaled_cosines(columns, phase, scale, p + row * stride);
            row++;
        }
    }
}

void cos_array(const float *x, size_t count, float *cosine) { all_runs(x, count, NULL, cosine); }
