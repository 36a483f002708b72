/* Philox4x32-10 for many counters side by side, for shuffle.h, and the sums of digits that
 * cheap_normal.h makes of its words. Part of simd_body.h.
 *
 * A word stands in a lane of 64 bits, whose upper half may hold anything until the end: the product
 * of two words then needs no shuffles. Integers and exact floats but for the last product: the same
 * bits as cheap_normal.c's plain loop. */
#ifndef CNM_MATH_SIMD_SIMD_NOISE_H
#define CNM_MATH_SIMD_SIMD_NOISE_H

#include "base/core/philox.h"
#include "math/simd/simd_transpose.h"
#include "math/simd/simd_vector.h"

#if VECTOR_FLOATS > 1 && defined(HAS_SHUFFLES) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NOISE_VECTORS 1
enum { NOISE_COUNTERS = VECTOR_FLOATS / 2 };

typedef uint64_t wide_words __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef int32_t whole_numbers __attribute__((vector_size(VECTOR_FLOATS * 4)));

#if !defined(LANES_PRODUCT) /* of the lower halves */
#define LANES_PRODUCT(a, b) (((a)&UINT64_C(0xffffffff)) * (b))
#endif

enum { NOISE_SETS = 2 };

/* Makes four words for each counter, in w; each round has its two keys. `sets` (a constant) sets of
 * counters alternate: a round waits for the one before it, and another set's work fills the
 * time. */
INLINE void philox(size_t sets, wide_words w[][4], const wide_words keys[PHILOX_ROUNDS][2]) {
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        UNROLL for (size_t set = 0; set < sets; set++) {
            wide_words *own = w[set];
            const wide_words first = LANES_PRODUCT(own[0], (wide_words){0} + PHILOX_MULTIPLIER_0);
            const wide_words second = LANES_PRODUCT(own[2], (wide_words){0} + PHILOX_MULTIPLIER_1);
            own[0] = (second >> 32) ^ own[1] ^ keys[round][0];
            own[1] = second;
            own[2] = (first >> 32) ^ own[3] ^ keys[round][1];
            own[3] = first;
        }
    }
}

static void philox_keys(uint64_t seed, wide_words keys[PHILOX_ROUNDS][2]) {
    uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
    for (int round = 0; round < PHILOX_ROUNDS; round++, low += PHILOX_KEY_STEP_0, high += PHILOX_KEY_STEP_1) {
        keys[round][0] = (wide_words){0} + low;
        keys[round][1] = (wide_words){0} + high;
    }
}

INLINE wide_words both_words(wide_words low, wide_words high) { return (low & UINT64_C(0xffffffff)) | high << 32; }

/* Returns the sums of the four bytes, each below 16, of each word. */
INLINE wide_words byte_sums(wide_words digits) {
#if defined(LANES_BYTE_SUMS)
    return LANES_BYTE_SUMS(digits);
#else
    const wide_words pairs = digits + (digits >> 8);
    return (pairs + (pairs >> 16)) & UINT64_C(0x000000ff000000ff);
#endif
}

/* Returns the sums of the lower digits of the four bytes of each word, as floats. */
INLINE wide_words digit_sums(wide_words words) {
    const wide_words sums = byte_sums(words & UINT64_C(0x0f0f0f0f0f0f0f0f));
    return (wide_words) __builtin_convertvector((whole_numbers)sums, vector);
}

#if VECTOR_FLOATS == 4
#define PAIRS_OF(a, b, first) __builtin_shufflevector(a, b, 0 + first, 2 + first)
#elif VECTOR_FLOATS == 8
#define PAIRS_OF(a, b, first) __builtin_shufflevector(a, b, 0 + first, 4 + first, 1 + first, 5 + first)
#else
#define PAIRS_OF(a, b, first)                                                                                          \
    __builtin_shufflevector(a, b, 0 + first, 8 + first, 1 + first, 9 + first, 2 + first, 10 + first, 3 + first,        \
                            11 + first)
#endif

/* Sets out (2 vectors) = x + unit * (sums - 30), first and second two words of each counter side by
 * side. */
INLINE void add_noise(wide_words first, wide_words second, float unit, const float *x, float *out) {
    const vector low = (vector)PAIRS_OF(first, second, 0);
    const vector high = (vector)PAIRS_OF(first, second, NOISE_COUNTERS / 2);
    store(out, load(x) + unit * (low - 30.0f));
    store(out + VECTOR_FLOATS, load(x + VECTOR_FLOATS) + unit * (high - 30.0f));
}

/* Makes the four words of `sets` (a constant) sets of counters, from `number` on. */
INLINE void words_of_sets(size_t sets, const random_counter *counter, wide_words number,
                          const wide_words keys[PHILOX_ROUNDS][2], wide_words w[][4]) {
    UNROLL for (size_t set = 0; set < sets; set++) {
        const wide_words own = number + set * NOISE_COUNTERS;
        w[set][0] = own;
        w[set][1] = own >> 32;
        w[set][2] = (wide_words){0} + counter->id;
        w[set][3] = (wide_words){0} + counter->part;
    }
    philox(sets, w, keys);
}

/* Adds the values of all sets to x, at the places where each set's values begin. */
INLINE void add_sets(size_t sets, const random_counter *counter, wide_words number,
                     const wide_words keys[PHILOX_ROUNDS][2], float unit, const size_t places[], const float *x,
                     float *out) {
    wide_words w[NOISE_SETS][4];
    words_of_sets(sets, counter, number, keys, w);
    UNROLL for (size_t set = 0; set < sets; set++) {
        const wide_words first = both_words(w[set][0], w[set][1]), second = both_words(w[set][2], w[set][3]);
        const size_t low = places[set], high = low + NOISE_GROUP / 2;
        add_noise(digit_sums(first), digit_sums(second), unit, x + low, out + low);
        add_noise(digit_sums(first >> 4), digit_sums(second >> 4), unit, x + high, out + high);
    }
}

static wide_words first_numbers(const random_counter *counter) {
    wide_words out;
    for (size_t lane = 0; lane < NOISE_COUNTERS; lane++) {
        out[lane] = counter->index + lane;
    }
    return out;
}

/* Adds the values of as many whole groups as count holds; returns how many values that was. */
static size_t noise_run(const random_counter *counter, size_t count, float unit, const float *x, float *out) {
    /* STEP values of each half come from one set */
    enum { HALF = NOISE_GROUP / 2, STEP = 4 * NOISE_COUNTERS };
    /* out might be over it, for all the compiler knows */
    const random_counter own = *counter;
    const size_t all = count / NOISE_GROUP * HALF;
    wide_words number = first_numbers(&own), keys[PHILOX_ROUNDS][2];
    size_t at = 0; /* values of first halves that are done */
    philox_keys(own.seed, keys);
    for (; at + 2 * STEP <= all; at += 2 * STEP, number += 2 * NOISE_COUNTERS) {
        const size_t next = at + STEP;
        const size_t places[] = {at / HALF * NOISE_GROUP + at % HALF, next / HALF * NOISE_GROUP + next % HALF};
        add_sets(2, &own, number, keys, unit, places, x, out);
    }
    for (; at < all; at += STEP, number += NOISE_COUNTERS) {
        const size_t place = at / HALF * NOISE_GROUP + at % HALF;
        add_sets(1, &own, number, keys, unit, &place, x, out);
    }
    return all / HALF * NOISE_GROUP;
}

/* Makes the first two words of each counter, the first below; as many as whole sets hold. Returns
 * how many that was. */
static size_t random_bits_run(const random_counter *counter, size_t count, uint64_t *out) {
    enum { STEP = NOISE_SETS * NOISE_COUNTERS };
    const random_counter own = *counter;
    wide_words number = first_numbers(&own), keys[PHILOX_ROUNDS][2], w[NOISE_SETS][4];
    size_t done = 0;
    philox_keys(own.seed, keys);
    for (; done + STEP <= count; done += STEP, number += STEP) {
        words_of_sets(NOISE_SETS, &own, number, keys, w);
        UNROLL for (size_t set = 0; set < NOISE_SETS; set++) {
            const wide_words bits = both_words(w[set][0], w[set][1]);
            memcpy(out + done + set * NOISE_COUNTERS, &bits, sizeof bits);
        }
    }
    return done;
}
#else
static size_t noise_run(const random_counter *counter, size_t count, float unit, const float *x, float *out) {
    (void)counter, (void)count, (void)unit, (void)x, (void)out;
    return 0; /* the plain loop does it */
}

static size_t random_bits_run(const random_counter *counter, size_t count, uint64_t *out) {
    (void)counter, (void)count, (void)out;
    return 0;
}
#endif

#endif
