/* Decimal numbers and the binary numbers nearest to them: the arithmetic below text.h, without any
 * syntax. */
#ifndef CNM_BASE_TEXT_DECIMAL_H
#define CNM_BASE_TEXT_DECIMAL_H

#include <stdbool.h>

#include "base/text/uint128.h"

enum { DECIMAL_HEAD = 19 }; /* as many digits always fit 64 bits */

/* A decimal number: head * 10^exponent, when cut is false. When it is true, head is the first 19
 * digits of a longer number whose digits, from the first that is not 0, are the text [digits, end);
 * there may be one '.' among them. */
typedef struct decimal {
    uint64_t head;
    int64_t exponent;
    bool cut;
    const char *digits, *end;
} decimal;

/* A binary format: numbers n * 2^e with n < 2^precision, e >= lowest, all below limit. */
typedef struct decimal_format {
    int precision, lowest;
    double limit; /* infinity where the doubles themselves are the limit */
} decimal_format;

extern const decimal_format DECIMAL_DOUBLE, DECIMAL_FLOAT;

/* Returns the number of that format nearest to self, ties to the even n; infinity from limit on.
 * Exact for any length. */
double decimal_round(const decimal *self, const decimal_format *format);

/* value is in [top, top + DECIMAL_SLACK) * 2^exponent, with the highest bit of top set. */
typedef struct decimal_estimate {
    uint128 top;
    int exponent;
} decimal_estimate;

enum { DECIMAL_SLACK = 8, DECIMAL_LOWEST = -364, DECIMAL_HIGHEST = 363 };

/* Estimates head * 10^power to almost 128 bits; head >= 1, DECIMAL_LOWEST <= power <=
 * DECIMAL_HIGHEST. */
decimal_estimate decimal_scale(uint64_t head, int power);

#endif
