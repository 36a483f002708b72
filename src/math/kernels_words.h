/* Vectors of 64-bit words and of the bytes in them, on x86-64 with AVX2 or AVX-512. Part of kernels_numbers.h. */
#ifndef CNM_MATH_KERNELS_WORDS_H
#define CNM_MATH_KERNELS_WORDS_H

#include "math/kernels_vector.h"

enum { WORD_LANES = VECTOR_FLOATS / 2, LOOK = 64 };

typedef uint64_t words __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef int64_t signed_words __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef uint8_t word_bytes __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef double word_values __attribute__((vector_size(VECTOR_FLOATS * 4)));

#define EACH_WORD(x) ((words){0} + (uint64_t)(x))
#define EACH_BYTE(x) ((words){0} + UINT64_C(0x0101010101010101) * (x))

INLINE words words_load(const uint64_t *from) {
    words out;
    memcpy(&out, from, sizeof out);
    return out;
}

INLINE word_values choose(words where, double then, double otherwise) {
    const words a = (words)((word_values){0} + then), b = (words)((word_values){0} + otherwise);
    return (word_values)((where & a) | (~where & b));
}

/* 64 where there is none. */
INLINE size_t bits_zeros_below(uint64_t bits) { return (size_t)_tzcnt_u64(bits); }
/* Bits 0 to last, which is below 64. */
INLINE uint64_t bits_to(uint64_t last) { return (UINT64_C(2) << last) - 1; }
INLINE size_t bits_count(uint64_t bits) { return (size_t)_mm_popcnt_u64(bits); }

#if VECTOR_FLOATS == 16
typedef __m512i word_vector;
#define WORDS_(name) _mm512_##name
#else
typedef __m256i word_vector;
#define WORDS_(name) _mm256_##name
#endif

/* To the left; 0 by 64 and more, also where the shift is negative. */
INLINE words words_shift(words x, words by) { return (words)WORDS_(sllv_epi64)((word_vector)x, (word_vector)by); }

/* Neighbours become pairs of digits in 16 bits, pairs fours in 32; the first is the lowest byte and counts most. */
INLINE words join_bytes(words x) {
    return (words)WORDS_(maddubs_epi16)((word_vector)x, WORDS_(set1_epi16)(10 | 1 << 8));
}
INLINE words join_pairs(words x) {
    return (words)WORDS_(madd_epi16)((word_vector)x, WORDS_(set1_epi32)(100 | 1 << 16));
}

/* The sum of the bytes of each word. */
INLINE words bytes_sum(words x) { return (words)WORDS_(sad_epu8)((word_vector)x, (word_vector)(words){0}); }

/* x - 1 by a constant that the compiler does not see: gcc would make it anew each time, by an instruction that waits. */
INLINE words words_minus_one(words x) {
    words one = EACH_WORD(1);
    __asm__("" : "+v"(one));
    return x - one;
}

/* By how much each byte is above the limit's, 0 where it is not. */
INLINE words bytes_above(words x, words limit) { return (words)WORDS_(subs_epu8)((word_vector)x, (word_vector)limit); }

#if VECTOR_FLOATS == 16
INLINE words words_same(words x, words y) {
    return (words)_mm512_movm_epi64(_mm512_cmpeq_epi64_mask((__m512i)x, (__m512i)y));
}
INLINE words words_nonzero(words x) { return (words)_mm512_movm_epi64(_mm512_test_epi64_mask((__m512i)x, (__m512i)x)); }
INLINE words bytes_same(words x, words y) {
    return (words)_mm512_movm_epi8(_mm512_cmpeq_epi8_mask((__m512i)x, (__m512i)y));
}
INLINE words words_byte_left(words x, words where) {
    const __mmask8 chosen = _mm512_test_epi64_mask((__m512i)where, (__m512i)where);
    return (words)_mm512_mask_slli_epi64((__m512i)x, chosen, (__m512i)x, 8);
}
INLINE words words_byte_right(words x, words where) {
    const __mmask8 chosen = _mm512_test_epi64_mask((__m512i)where, (__m512i)where);
    return (words)_mm512_mask_srli_epi64((__m512i)x, chosen, (__m512i)x, 8);
}
/* 10^x, x <= 7. */
INLINE word_values power_of_ten(words x) {
    const word_values powers = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    return (word_values)_mm512_permutexvar_pd((__m512i)x, (__m512d)powers);
}

/* The bits of the words that are not 0. */
INLINE unsigned words_set(words x) { return _mm512_test_epi64_mask((__m512i)x, (__m512i)x); }

/* The bits of those of LOOK bytes that are `byte`. */
INLINE uint64_t bytes_equal(const char *at, char byte) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_set1_epi8(byte));
}
#else
INLINE words words_same(words x, words y) { return (words)(x == y); }
INLINE words words_nonzero(words x) { return (words)(x != 0); }
INLINE words bytes_same(words x, words y) { return (words)((word_bytes)x == (word_bytes)y); }
INLINE words words_byte_left(words x, words where) {
    return (words)_mm256_sllv_epi64((__m256i)x, (__m256i)((words)(where != 0) & 8));
}
INLINE words words_byte_right(words x, words where) {
    return (words)_mm256_srlv_epi64((__m256i)x, (__m256i)((words)(where != 0) & 8));
}
INLINE word_values power_of_ten(words x) {
    const __m256i upper = _mm256_setr_epi32(0x3ff00000, 0x40240000, 0x40590000, 0x408f4000, 0x40c38800, 0x40f86a00,
                                            0x412e8480, 0x416312d0); /* halves of the doubles; the lower ones are 0 */
    return (word_values)((words)_mm256_permutevar8x32_epi32(upper, (__m256i)x) << 32);
}

INLINE unsigned words_set(words x) { return (unsigned)_mm256_movemask_pd((__m256d)(words)(x != 0)); }

INLINE uint64_t bytes_equal(const char *at, char byte) {
    const __m256i wanted = _mm256_set1_epi8(byte);
    const __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)at);
    const __m256i second = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first, wanted));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second, wanted));
    return (uint64_t)high << 32 | low;
}
#endif

#endif
