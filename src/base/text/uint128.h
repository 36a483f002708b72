/* 128-bit products of 64-bit integers: by the machine's own instructions where the compiler offers
 * them, else in plain C11. */
#ifndef CNM_BASE_TEXT_UINT128_H
#define CNM_BASE_TEXT_UINT128_H

#include <stdint.h>

/* The value high * 2^64 + low. */
typedef struct uint128 {
    uint64_t high, low;
} uint128;

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide_native;

/* Returns a * b, exactly. */
static inline uint128 uint128_multiply(uint64_t a, uint64_t b) {
    const wide_native product = (wide_native)a * b;
    return (uint128){(uint64_t)(product >> 64), (uint64_t)product};
}
#else
/* Returns a * b, exactly, from four products of 32-bit halves. */
static inline uint128 uint128_multiply(uint64_t a, uint64_t b) {
    const uint64_t half = 0xffffffffU;
    const uint64_t low = (a & half) * (b & half);
    /* below 2^64: (2^32 - 1)^2 + 2^32 - 1 */
    const uint64_t first = (a >> 32) * (b & half) + (low >> 32);
    const uint64_t second = (a & half) * (b >> 32) + (first & half);
    return (uint128){(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), (second << 32) | (low & half)};
}
#endif

static inline uint128 uint128_add(uint128 a, uint64_t b) {
    const uint64_t low = a.low + b;
    return (uint128){a.high + (low < b), low};
}

static inline int uint128_less(uint128 a, uint128 b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

/* Counts the zero bits above the highest one of a, which is not 0. */
static inline int uint128_leading_zeros(uint64_t a) {
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

/* Return a * 2^power and a / 2^power (rounded down), 0 <= power < 128; bits beyond 128 are lost. */
static inline uint128 uint128_left(uint128 a, int power) {
    if (power >= 64) {
        return (uint128){a.low << (power - 64), 0};
    }
    return power == 0 ? a : (uint128){a.high << power | a.low >> (64 - power), a.low << power};
}

static inline uint128 uint128_right(uint128 a, int power) {
    if (power >= 64) {
        return (uint128){0, a.high >> (power - 64)};
    }
    return power == 0 ? a : (uint128){a.high >> power, a.low >> power | a.high << (64 - power)};
}

#endif
