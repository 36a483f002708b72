/* Reads plain decimals, the most common numbers in files: up to seven digits, and up to seven more
 * behind a point. All others (more digits, exponents, infinities, words) are read by text.h, which
 * gives the same bits for plain ones. */
#ifndef CNM_BASE_TEXT_TEXT_PLAIN_H
#define CNM_BASE_TEXT_TEXT_PLAIN_H

#include <float.h>
#include <stdbool.h>

#include "base/text/digits.h"

/* So many bytes from the first byte of a number on may be read, also behind its end. */
enum { TEXT_PLAIN_SIZE = 32 };

#if FLT_EVAL_METHOD == 0
/* Returns (double)head / 10^decimals, negative where wanted, as one exactly rounded quotient: both
 * parts are exact doubles. */
static inline double text_plain_value(uint64_t head, unsigned decimals, bool negative) {
    static const double TEN[2][DIGITS_AT_ONCE] = {{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7},
                                                  {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7}};
    return (double)(int64_t)head / TEN[negative][decimals];
}
#endif

/* Reads the number at `at`; returns the byte behind it, or NULL when the number is not plain
 * (*value is then undefined). */
static inline const char *text_read_plain(const char *at, double *value) {
#if FLT_EVAL_METHOD == 0
    static const uint64_t WHOLE[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    const bool negative = *at == '-';
    at += negative;
    uint64_t loaded = digits_load(at);
    unsigned run = digits_run(loaded);
    if (run == 0 || run == DIGITS_AT_ONCE) {
        return NULL;
    }
    uint64_t head = digits_some(loaded, run);
    at += run;
    run = 0;
    if (*at == '.') {
        loaded = digits_load(++at);
        run = digits_run(loaded);
        if (run == DIGITS_AT_ONCE) {
            return NULL;
        }
        head = head * WHOLE[run] + digits_some(loaded, run);
        at += run;
    }
    *value = text_plain_value(head, run, negative);
    return (*at | 0x20) == 'e' ? NULL : at;
#else
    (void)at, (void)value;
    return NULL;
#endif
}

/* Returns whether the `length` bytes at `at`, 1 to 8, are a plain number, without a branch on where
 * its point is. */
static inline bool text_is_short(const char *at, unsigned length, double *value) {
#if FLT_EVAL_METHOD == 0
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const unsigned unused = 64 - 8 * length;
    const bool negative = *at == '-';
    /* The text with each digit as its value, behind zeros; the sign becomes one more zero. */
    uint64_t digits = digits_load(at) << unused ^ (uint64_t)(('-' ^ '0') * negative) << unused;
    const uint64_t others = digits ^ ones * ('.' ^ '0');
    /* its lowest bit marks the first point */
    const uint64_t point = (others - ones) & ~others & ones << 7;
    unsigned decimals = 0;
    if (point != 0) { /* what is before it takes its place */
        const uint64_t before = ((point & (0 - point)) >> 7) - 1;
        digits = (digits & ~(before << 8 | 0xff)) | (digits & before) << 8;
        decimals = 7 - digits_zeros_below(point) / 8;
    }
    *value = text_plain_value(digits_eight(digits), decimals, negative);
    return digits_run(digits) == DIGITS_AT_ONCE && length > (unsigned)negative + (point != 0);
#else
    (void)at, (void)length, (void)value;
    return false;
#endif
}

#endif
