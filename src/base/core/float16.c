/* Converts numbers and arrays to 16 bits and back, by integers: neither the rounding mode nor the
 * flushing of denormal numbers changes the results. */
#include "base/core/float16.h"

#include <math.h>
#include <string.h>

enum {
    SIGN = 0x8000,
    INFINITE = 0x7c00,
    DROPPED = 13, /* bits of a float's significand that a half does not have */
    BIAS = 127,
    HALF_BIAS = 15
};

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Returns number / 2^power rounded to the nearest integer, ties to even; power >= 1. */
static uint32_t divide_rounding(uint32_t number, uint32_t power) {
    const uint32_t kept = number >> power, rest = number - (kept << power), tie = (uint32_t)1 << (power - 1);
    return kept + (rest > tie || (rest == tie && kept % 2 == 1));
}

uint16_t float16_from_float(float value) {
    const uint32_t bits = bits_of(value), sign = bits >> 16 & SIGN, magnitude = bits & 0x7fffffff;
    const uint32_t exponent = magnitude >> 23;
    uint32_t half;
    if (magnitude > 0x7f800000) {
        half = INFINITE | 0x200;
    } else if (exponent > BIAS + HALF_BIAS) {
        half = INFINITE;
    } else if (exponent > BIAS - HALF_BIAS) {
        /* a carry out of the significand raises the exponent, up to infinity */
        half = divide_rounding(magnitude - ((uint32_t)(BIAS - HALF_BIAS) << 23), DROPPED);
    } else if (exponent > BIAS - HALF_BIAS - 11) { /* a multiple of 2^-24 */
        half = divide_rounding((magnitude & 0x7fffff) | 0x800000, 126 - exponent);
    } else {
        half = 0;
    }
    return (uint16_t)(sign | half);
}

float float16_to_float(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & SIGN) << 16, magnitude = half & 0x7fff;
    if (magnitude >= INFINITE) {
        return float_of(sign | 0x7f800000 | (magnitude & 0x3ff) << DROPPED);
    }
    if (magnitude < 0x400) {
        const float small = (float)magnitude * 0x1p-24F;
        return sign == 0 ? small : -small;
    }
    return float_of(sign | ((magnitude << DROPPED) + ((uint32_t)(BIAS - HALF_BIAS) << 23)));
}

int float16_exponent(const float *values, size_t count) {
    uint32_t largest = 0; /* finite magnitudes are ordered as their bits are */
    for (size_t i = 0; i < count; i++) {
        const uint32_t magnitude = bits_of(values[i]) & 0x7fffffff;
        largest = magnitude > largest ? magnitude : largest;
    }
    /* The exponent of the largest value once rounded to 11 bits, which may carry it to the next
     * power of two. */
    const int exponent = (int)((largest + (1 << (DROPPED - 1))) >> 23) - BIAS;
    if (largest == 0 || (exponent >= -4 && exponent < HALF_BIAS)) {
        return 0;
    }
    return exponent < FLOAT16_LEAST_EXPONENT  ? FLOAT16_LEAST_EXPONENT
           : exponent > FLOAT16_MOST_EXPONENT ? FLOAT16_MOST_EXPONENT
                                              : exponent;
}

static float decode(uint16_t half, double unit) { return (float)((double)float16_to_float(half) * unit); }

bool float16_encode(const float *values, size_t count, int exponent, uint16_t *out) {
    const double unit = ldexp(1.0, exponent), inverse = ldexp(1.0, -exponent);
    bool exact = true;
    for (size_t i = 0; i < count; i++) {
        out[i] = float16_from_float((float)((double)values[i] * inverse));
        if (isinf(decode(out[i], unit)) && isfinite(values[i])) {
            out[i]--; /* near the largest float: rounding up would leave its range */
        }
        exact = exact && decode(out[i], unit) == values[i];
    }
    return exact;
}

void float16_decode(const uint16_t *halves, size_t count, int exponent, float *out) {
    const double unit = ldexp(1.0, exponent);
    for (size_t i = 0; i < count; i++) {
        out[i] = decode(halves[i], unit);
    }
}

void float16_round(float *values, size_t count) {
    const int exponent = float16_exponent(values, count);
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        (void)float16_encode(values + i, 1, exponent, &half);
        float16_decode(&half, 1, exponent, values + i);
    }
}
