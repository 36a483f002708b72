/* Vectors of 64-bit words and of the bytes in them, on x86-64 with AVX2 or AVX-512. Part of
 * simd_numbers.h. */
#ifndef CNM_MATH_SIMD_SIMD_WORDS_H
#define CNM_MATH_SIMD_SIMD_WORDS_H

#include "math/simd/simd_vector.h"

/* LOOK: bytes that one comparison covers. FARTHEST_STOP: positions beyond it are not kept. */
enum { WORD_LANES = VECTOR_FLOATS / 2, LOOK = 64, FARTHEST_STOP = 1 << 30 };

typedef uint64_t words __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef uint8_t word_bytes __attribute__((vector_size(VECTOR_FLOATS * 4)));
typedef double word_values __attribute__((vector_size(VECTOR_FLOATS * 4)));

#define EACH_WORD(x) ((words){0} + (uint64_t)(x))

/* Returns a constant that the compiler does not know, and so keeps in a register: gcc would make it
 * anew for every use. */
INLINE words kept(uint64_t each) {
    words x = EACH_WORD(each);
    __asm__("" : "+v"(x));
    return x;
}

INLINE words words_load(const uint64_t *from) {
    words out;
    memcpy(&out, from, sizeof out);
    return out;
}

/* Converts whole numbers below 2^52. */
INLINE word_values small_values(words x) { return (word_values)(x | EACH_WORD(0x4330000000000000)) - 0x1p52; }

/* Counts the zero bits below the lowest one; 64 where there is none. */
INLINE size_t bits_zeros_below(uint64_t bits) { return (size_t)_tzcnt_u64(bits); }
/* Returns bits 0 to last, which is below 64. */
INLINE uint64_t bits_to(uint64_t last) { return (UINT64_C(2) << last) - 1; }
INLINE size_t bits_count(uint64_t bits) { return (size_t)_mm_popcnt_u64(bits); }

#if VECTOR_FLOATS == 16
typedef __m512i word_vector;
typedef __mmask8 word_lanes;
#define WORDS_(name) _mm512_##name
#else
typedef __m256i word_vector;
typedef words word_lanes;
#define WORDS_(name) _mm256_##name
#endif

/* Moves bits to the left; 0 for 64 and more, also where `by` is negative. */
INLINE words words_left_by(words x, words by) { return (words)WORDS_(sllv_epi64)((word_vector)x, (word_vector)by); }

/* Join neighbours to pairs of digits in 16 bits, and pairs to fours in 32; the first is the lowest
 * byte and counts most. */
INLINE words join_bytes(words x) {
    return (words)WORDS_(maddubs_epi16)((word_vector)x, WORDS_(set1_epi16)(10 | 1 << 8));
}
INLINE words join_pairs(words x) {
    return (words)WORDS_(madd_epi16)((word_vector)x, WORDS_(set1_epi32)(100 | 1 << 16));
}

/* Returns the sum of the bytes of each word. */
INLINE words bytes_sum(words x) { return (words)WORDS_(sad_epu8)((word_vector)x, (word_vector)(words){0}); }

/* Returns by how much each byte is above the limit's, 0 where it is not. */
INLINE words bytes_above(words x, words limit) { return (words)WORDS_(subs_epu8)((word_vector)x, (word_vector)limit); }

#if VECTOR_FLOATS == 16
/* Puts the positions of the bits, `first` added, one behind the other, and behind them a few of
 * anything. */
INLINE void put_places(uint64_t bits, uint32_t first, uint32_t *out) {
    __m512i places = _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                                      _mm512_set1_epi32((int)first));
    UNROLL
    for (unsigned part = 0; part < LOOK; part += 16, bits >>= 16) {
        const size_t count = bits_count(bits & 0xffff);
        const __m512i chosen = _mm512_maskz_compress_epi32((__mmask16)bits, places);
        _mm256_storeu_si256((__m256i *)(void *)out, _mm512_castsi512_si256(chosen));
        if (count > 8) { /* more than every other byte */
            _mm512_storeu_si512(out, chosen);
        }
        out += count;
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    }
}

INLINE words words_widen(const uint32_t *from) {
    return (words)_mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)from));
}

/* Return the lanes where two words are the same, and where one is not 0. */
INLINE word_lanes words_same(words x, words y) { return _mm512_cmpeq_epi64_mask((__m512i)x, (__m512i)y); }
INLINE word_lanes words_nonzero(words x) { return _mm512_test_epi64_mask((__m512i)x, (__m512i)x); }

/* Sets all bits of the bytes that are the same. */
INLINE words bytes_same(words x, words y) {
    return (words)_mm512_movm_epi8(_mm512_cmpeq_epi8_mask((__m512i)x, (__m512i)y));
}

/* Move some lanes a byte to the left or right; below, x + 8 and -x in some lanes. */
INLINE words words_left_in(word_lanes some, words x) {
    return (words)_mm512_mask_slli_epi64((__m512i)x, some, (__m512i)x, 8);
}
INLINE words words_right_in(word_lanes some, words x) {
    return (words)_mm512_mask_srli_epi64((__m512i)x, some, (__m512i)x, 8);
}
/* Takes a in some lanes, b in all others. */
INLINE word_values choose(word_lanes some, double a, double b) {
    return (word_values)_mm512_mask_mov_pd(_mm512_set1_pd(b), some, _mm512_set1_pd(a));
}
INLINE words words_plus_8_in(word_lanes some, words x) {
    return (words)_mm512_mask_add_epi64((__m512i)x, some, (__m512i)x, _mm512_set1_epi64(8));
}
INLINE word_values minus_in(word_lanes some, word_values x) {
    return (word_values)_mm512_mask_xor_pd((__m512d)x, some, (__m512d)x, _mm512_set1_pd(-0.0));
}

/* Returns 10^x, x <= 7. */
INLINE word_values power_of_ten(words x) {
    const word_values powers = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    return (word_values)_mm512_permutexvar_pd((__m512i)x, (__m512d)powers);
}

/* Returns a bit for each word that is not 0. */
INLINE unsigned words_set(words x) { return _mm512_test_epi64_mask((__m512i)x, (__m512i)x); }

/* Returns a bit for each of LOOK bytes that equals `byte`. */
INLINE uint64_t bytes_equal(const char *at, char byte) {
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_set1_epi8(byte));
}
#else
INLINE void put_places(uint64_t bits, uint32_t first, uint32_t *out) {
    enum { ROUND = 4 }; /* one branch for so many */
    for (size_t i = 0, count = bits_count(bits); i < count; i += ROUND) {
        UNROLL
        for (size_t k = 0; k < ROUND; k++, bits &= bits - 1) {
            out[i + k] = first + (uint32_t)bits_zeros_below(bits);
        }
    }
}

INLINE words words_widen(const uint32_t *from) {
    return (words)_mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)from));
}

INLINE word_lanes words_same(words x, words y) { return (words)(x == y); }
INLINE word_lanes words_nonzero(words x) { return (words)(x != 0); }
INLINE words bytes_same(words x, words y) { return (words)((word_bytes)x == (word_bytes)y); }

INLINE words words_left_in(word_lanes some, words x) { return words_left_by(x, some & 8); }
INLINE words words_right_in(word_lanes some, words x) {
    return (words)_mm256_srlv_epi64((__m256i)x, (__m256i)(some & 8));
}
INLINE word_values choose(word_lanes some, double a, double b) {
    return (word_values)_mm256_blendv_pd(_mm256_set1_pd(b), _mm256_set1_pd(a), (__m256d)some);
}
INLINE words words_plus_8_in(word_lanes some, words x) { return x + (some & 8); }
INLINE word_values minus_in(word_lanes some, word_values x) {
    return (word_values)((words)x ^ (some & EACH_WORD(0x8000000000000000)));
}

INLINE word_values power_of_ten(words x) {
    /* upper halves of the doubles; the lower ones are 0 */
    const __m256i upper = _mm256_setr_epi32(0x3ff00000, 0x40240000, 0x40590000, 0x408f4000, 0x40c38800, 0x40f86a00,
                                            0x412e8480, 0x416312d0);
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
