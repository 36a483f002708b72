/* Runs of decimal digits, eight bytes at a time, and the ends of cells: the inner loops of reading
 * numbers. Bytes are compared as ASCII, without the locale. Only readers of text use this file. */
#ifndef CNM_BASE_TEXT_DIGITS_H
#define CNM_BASE_TEXT_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { DIGITS_AT_ONCE = 8, DIGITS_REACH = 16 };

/* Counts the zero bits below the lowest one of bits, which is not 0. */
static inline unsigned digits_zeros_below(uint64_t bits) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned zeros = 0;
    for (unsigned step = 32; step > 0; step /= 2) {
        if ((bits & ((UINT64_C(1) << step) - 1)) == 0) {
            zeros += step;
            bits >>= step;
        }
    }
    return zeros;
#endif
}

/* Loads the eight bytes at `at`, the first one lowest, each digit as its value: one or two
 * instructions on any machine. */
static inline uint64_t digits_load(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    const uint64_t low = (uint64_t)byte[0] | (uint64_t)byte[1] << 8 | (uint64_t)byte[2] << 16 | (uint64_t)byte[3] << 24;
    const uint64_t high =
        (uint64_t)byte[4] | (uint64_t)byte[5] << 8 | (uint64_t)byte[6] << 16 | (uint64_t)byte[7] << 24;
    return (low | high << 32) ^ UINT64_C(0x3030303030303030);
}

/* Counts how many of the loaded bytes, from the first, are digits: 0 to 8. */
static inline unsigned digits_run(uint64_t loaded) {
    /* A byte's highest bit is set where it is above 9. A carry reaches only bytes behind the first
     * of these. */
    const uint64_t others = ((loaded + UINT64_C(0x7676767676767676)) | loaded) & UINT64_C(0x8080808080808080);
    if (others == 0) {
        return DIGITS_AT_ONCE;
    }
    return digits_zeros_below(others) / 8;
}

/* Returns the number that all eight loaded digits make. Neighbours are joined to pairs, pairs to
 * fours, fours to eight. */
static inline uint64_t digits_eight(uint64_t loaded) {
    const uint64_t pairs = loaded * 10 + (loaded >> 8);
    const uint64_t first = (pairs & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064);
    const uint64_t second = (pairs >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001);
    return (uint32_t)((first + second) >> 32);
}

/* Returns the number that the first `run` digits make, 0 <= run < 8: zeros are put before them. */
static inline uint64_t digits_some(uint64_t loaded, unsigned run) {
    return digits_eight(loaded << 8 << (56 - 8 * run));
}

/* Counts how many of the 16 bytes at `at` stand before the first that equals `byte`; 16 where none
 * does. The start of the next number follows from this count alone, so that a processor reads
 * several numbers at once. */
static inline unsigned digits_before(const char *at, char byte) {
#if defined(__SSE2__)
    const __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8(byte));
    return digits_zeros_below((uint64_t)(unsigned)_mm_movemask_epi8(same) | UINT64_C(1) << DIGITS_REACH);
#else
    const uint64_t ones = UINT64_C(0x0101010101010101), wanted = (ones * (unsigned char)byte) ^ (ones * '0');
    const uint64_t first = digits_load(at) ^ wanted, second = digits_load(at + DIGITS_AT_ONCE) ^ wanted;
    const uint64_t in_first = (first - ones) & ~first & ones << 7, in_second = (second - ones) & ~second & ones << 7;
    if (in_first != 0) {
        return digits_zeros_below(in_first) / 8;
    }
    return in_second != 0 ? DIGITS_AT_ONCE + digits_zeros_below(in_second) / 8 : DIGITS_REACH;
#endif
}

#endif
