/* The vectors that the SIMD code of one level is written in. Part of simd_body.h. */
#ifndef CNM_MATH_SIMD_SIMD_VECTOR_H
#define CNM_MATH_SIMD_SIMD_VECTOR_H

#include "math/simd/simd_dispatch.h"

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Unrolls loops early enough for the sums to live in registers from first to last. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

#if defined(__GNUC__)
#define EXPECT(place) __builtin_prefetch(place, 0, 3)
#else
#define EXPECT(place) (void)(place)
#endif

/* A vector behaves like a float: + - * with vectors and with floats. Loads and stores need no
 * alignment. */
#if VECTOR_FLOATS > 1
typedef float vector __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef float stored_vector __attribute__((vector_size(VECTOR_FLOATS * 4), aligned(4), may_alias));
typedef uint32_t bit_words __attribute__((vector_size(VECTOR_FLOATS * 4)));
#else
typedef float vector;
typedef float stored_vector;
typedef uint32_t bit_words;
#endif

/* Return the bits of floats, and floats of bits. */
INLINE bit_words bits_of(vector x) {
    bit_words out;
    memcpy(&out, &x, sizeof out);
    return out;
}

INLINE vector vector_of(bit_words x) {
    vector out;
    memcpy(&out, &x, sizeof out);
    return out;
}

/* Returns whether the highest bit of any lane is set. */
INLINE bool any_top(bit_words x) {
#if defined(VECTOR_TOPS)
    return VECTOR_TOPS(x) != 0;
#else
    uint32_t lanes[VECTOR_FLOATS], found = 0;
    memcpy(lanes, &x, sizeof lanes);
    for (size_t i = 0; i < VECTOR_FLOATS; i++) {
        found |= lanes[i];
    }
    return found >> 31 != 0;
#endif
}

INLINE vector load(const float *from) { return *(const stored_vector *)from; }

INLINE void store(float *to, vector value) { *(stored_vector *)to = value; }

/* Load and store fewer floats than a vector has, with zeros behind them; nothing behind them is
 * read or written. */
INLINE vector load_some(const float *from, size_t count) {
#if defined(VECTOR_LOAD_SOME)
    return VECTOR_LOAD_SOME(from, count);
#else
    float padded[VECTOR_FLOATS] = {0};
    memcpy(padded, from, count * sizeof *from);
    return load(padded);
#endif
}

INLINE void store_some(float *to, vector value, size_t count) {
#if defined(VECTOR_STORE_SOME)
    VECTOR_STORE_SOME(to, value, count);
#else
    float padded[VECTOR_FLOATS];
    store(padded, value);
    memcpy(to, padded, count * sizeof *to);
#endif
}

#endif
