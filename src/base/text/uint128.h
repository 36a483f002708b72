/* 128-bit products of 64-bit integers: in plain C11, and by the machine's own instructions where the compiler offers them. */
#ifndef CNM_BASE_TEXT_UINT128_H
#define CNM_BASE_TEXT_UINT128_H

#include <stdint.h>

/* high * 2^64 + low */
typedef struct wide {
    uint64_t high, low;
} wide;

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide_native;

/* a * b, exactly. */
static inline wide wide_multiply(uint64_t a, uint64_t b) {
    const wide_native product = (wide_native)a * b;
    return (wide){(uint64_t)(product >> 64), (uint64_t)product};
}
#else
/* a * b, exactly, from four products of 32-bit halves. */
static inline wide wide_multiply(uint64_t a, uint64_t b) {
    const uint64_t half = 0xffffffffU;
    const uint64_t low = (a & half) * (b & half);
    const uint64_t first = (a >> 32) * (b & half) + (low >> 32); /* below 2^64: (2^32 - 1)^2 + 2^32 - 1 */
    const uint64_t second = (a & half) * (b >> 32) + (first & half);
    return (wide){(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), (second << 32) | (low & half)};
}
#endif

static inline wide wide_add(wide a, uint64_t b) {
    const uint64_t low = a.low + b;
    return (wide){a.high + (low < b), low};
}

static inline int wide_less(wide a, wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

/* Zero bits above the highest one of a, which is not 0. */
static inline int wide_leading_zeros(uint64_t a) {
#if defined(__GNUC__)
    return __builtin_clzll(a);
#else
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (a >> (64 - step) == 0) {
            zeros += step;
            a <<= step;
        }
    }
    return zeros;
#endif
}

/* a * 2^shift and a / 2^shift (rounded down), 0 <= shift < 128; bits that leave are lost. */
static inline wide wide_left(wide a, int shift) {
    if (shift >= 64) {
        return (wide){a.low << (shift - 64), 0};
    }
    return shift == 0 ? a : (wide){a.high << shift | a.low >> (64 - shift), a.low << shift};
}

static inline wide wide_right(wide a, int shift) {
    if (shift >= 64) {
        return (wide){0, a.high >> (shift - 64)};
    }
    return shift == 0 ? a : (wide){a.high >> shift, a.low >> shift | a.high << (64 - shift)};
}

#endif
