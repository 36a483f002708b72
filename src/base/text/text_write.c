/* Converts numbers to text, without the locale. The shortest text is found by trying: every
 * candidate is read back exactly. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/bigint.h"
#include "base/text/decimal.h"
#include "base/text/text.h"

enum { DIGITS = 17 }; /* enough for every double */

static size_t put(char *out, const char *text) {
    const size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return length;
}

/* Writes nan, inf and -inf; returns 0 for finite numbers. */
static size_t put_special(char *out, double value) {
    if (isnan(value)) {
        return put(out, "nan");
    }
    return isinf(value) ? put(out, value < 0 ? "-inf" : "inf") : 0;
}

/* Returns value > 0 as integer * 10^-power with 17 digits, rounded down (or one less: the estimate
 * is from below); sets *half to whether the rest is at least a half. */
static uint64_t leading_digits(double value, int *power, bool *half) {
    int exponent;
    /* value = n * 2^(exponent - 53) */
    const uint64_t n = (uint64_t)ldexp(frexp(value, &exponent), 53);
    /* log10(2): the power is right, or one too many */
    *power = DIGITS - 1 - (int)floor((exponent - 1) * 0.30102999566398120);
    for (;; --*power) {
        const decimal_estimate estimate = decimal_scale(n, *power);
        const int drop = -(estimate.exponent + exponent - 53);
        const uint64_t digits = uint128_right(estimate.top, drop).low;
        if (digits < UINT64_C(100000000000000000)) {
            *half = uint128_right(estimate.top, drop - 1).low & 1;
            return digits;
        }
    }
}

/* Returns the shortest integer * 10^exponent with at most `most` digits that reads back to value >
 * 0 in that format. Both neighbours of value with that many digits are tried, the nearer first: if
 * any such number reads back, one of them does. */
static decimal shortest(double value, int first, int most, const decimal_format *format) {
    int power;
    bool half;
    const uint64_t digits = leading_digits(value, &power, &half);
    uint64_t unit = 1; /* 10^(17 - count) */
    for (int count = first; count < DIGITS; count++) {
        unit *= 10;
    }
    decimal candidate = {0, 0, false, NULL, NULL};
    for (int count = first; count <= most; count++, unit /= 10) {
        const uint64_t below = digits / unit;
        const bool up = digits % unit * 2 + half >= unit;
        candidate.exponent = DIGITS - count - power;
        for (int other = 0; other < 2; other++) {
            candidate.head = below + (up != (other == 1));
            if (decimal_round(&candidate, format) == value &&
                (format != &DECIMAL_FLOAT || (float)decimal_round(&candidate, &DECIMAL_DOUBLE) == (float)value)) {
                return candidate;
            }
        }
    }
    return candidate; /* not reached: 17 digits (9 for a float) always read back */
}

/* Writes digits (length of them) with the point behind the first `point`, which may be none or
 * negative: 0.00123, 12.3, 12300. */
static char *put_plain(char *at, const char *digits, int length, int point) {
    if (point <= 0) {
        at += put(at, "0.");
    }
    for (int i = point < 0 ? point : 0; i < length || i < point; i++) {
        if (i == point && i > 0) {
            *at++ = '.';
        }
        *at++ = i >= 0 && i < length ? digits[i] : '0';
    }
    return at;
}

/* Writes e-07 or e20. */
static char *put_exponent(char *at, int exponent) {
    char reversed[4];
    int count = 0;
    for (int rest = abs(exponent); rest > 0 || count < 2; rest /= 10) {
        reversed[count++] = (char)('0' + rest % 10);
    }
    at += put(at, exponent < 0 ? "e-" : "e");
    while (count > 0) {
        *at++ = reversed[--count];
    }
    return at;
}

static size_t write_shortest(char *out, double value, int first, int most, const decimal_format *format) {
    size_t sign = 0;
    if (signbit(value) && !isnan(value)) {
        sign = put(out, "-");
        value = -value;
    }
    if (!(value > 0 && value <= DBL_MAX)) {
        return sign + (value == 0 ? put(out + sign, "0") : put_special(out + sign, value));
    }
    decimal number = shortest(value, first, most, format);
    while (number.head % 10 == 0) {
        number.head /= 10;
        number.exponent++;
    }
    char digits[DIGITS + 2];
    int start = DIGITS + 2;
    for (; number.head > 0; number.head /= 10) {
        digits[--start] = (char)('0' + number.head % 10);
    }
    const int length = DIGITS + 2 - start;
    const int exponent = (int)number.exponent + length - 1; /* of the first digit */
    const bool plain = exponent >= -4 && exponent < 16;
    char *at = put_plain(out + sign, digits + start, length, plain ? exponent + 1 : 1);
    at = plain ? at : put_exponent(at, exponent);
    *at = '\0';
    return (size_t)(at - out);
}

/* Drops zeros instead of trying shorter texts up to DBL_DIG digits: such texts name different
 * normal doubles. */
size_t text_from_double(char out[TEXT_DOUBLE_SIZE], double value) {
    return write_shortest(out, value, fabs(value) < DBL_MIN ? 1 : DBL_DIG, DIGITS, &DECIMAL_DOUBLE);
}

size_t text_from_float(char out[TEXT_DOUBLE_SIZE], float value) {
    return write_shortest(out, (double)value, fabsf(value) < FLT_MIN ? 1 : FLT_DIG, 9, &DECIMAL_FLOAT);
}

/* Sets out = |value| * 10^decimals, rounded to the nearest integer, ties to even, exactly. */
static void scale_to_integer(double value, int decimals, bigint *out) {
    int exponent;
    const uint64_t n = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    uint64_t ten = 1;
    for (int i = 0; i < decimals; i++) {
        ten *= 10;
    }
    uint128 scaled = uint128_multiply(n, ten); /* below 2^83 */
    const int drop = 53 - exponent;
    bool up = false;
    if (drop > 0) {
        const uint128 half = uint128_left((uint128){0, 1}, drop < 128 ? drop - 1 : 127);
        const uint128 rest = drop < 128 ? uint128_right(uint128_left(scaled, 128 - drop), 128 - drop) : (uint128){0, 0};
        scaled = drop < 128 ? uint128_right(scaled, drop) : (uint128){0, 0};
        up = uint128_less(half, rest) || (!uint128_less(rest, half) && (scaled.low & 1));
    }
    scaled = uint128_add(scaled, up);
    bigint_set(out, scaled.high);
    bigint_multiply_power_of_two(out, 64);
    bigint low;
    bigint_set(&low, scaled.low);
    for (size_t i = 0; i < low.count; i++) {
        out->limbs[i] = low.limbs[i];
    }
    out->count = out->count > low.count ? out->count : low.count;
    bigint_multiply_power_of_two(out, drop < 0 ? (unsigned)-drop : 0);
}

size_t text_fixed(char out[TEXT_DOUBLE_SIZE + 320], double value, int decimals) {
    if (!isfinite(value)) {
        return put_special(out, value);
    }
    bigint rest;
    scale_to_integer(value, decimals, &rest);
    const bool negative = value < 0 && rest.count > 0; /* no "-0.00" */
    char reversed[TEXT_DOUBLE_SIZE + 320];
    size_t length = 0;
    for (int i = 0; i <= decimals || rest.count > 0; i++) {
        if (i == decimals && decimals > 0) {
            reversed[length++] = '.';
        }
        reversed[length++] = (char)('0' + bigint_divide(&rest, 10));
    }
    if (negative) {
        reversed[length++] = '-';
    }
    for (size_t i = 0; i < length; i++) {
        out[i] = reversed[length - 1 - i];
    }
    out[length] = '\0';
    return length;
}
