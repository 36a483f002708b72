/* Decimal to binary, rounded exactly (Clinger 1990; Lemire 2021).
 *
 * head * 10^q is estimated from below with 128 bits and an error below 8 units of the last; where
 * the whole interval rounds to one number (all but about one text in 2^60, and ties) that number is
 * the answer. Otherwise integers of many words compare the decimal with the midpoint of the two
 * candidates. */
#include "base/text/decimal.h"

#include <math.h>
#include <string.h>

#include "base/text/bigint.h"

const decimal_format DECIMAL_DOUBLE = {53, -1074, INFINITY};
const decimal_format DECIMAL_FLOAT = {24, -149, 0x1p128};

enum { STEP = 28, FIRST_STEP = -13 };

/* All powers 5^i below 2^64. */
static const uint64_t FIVE[STEP] = {
    1U,
    5U,
    25U,
    125U,
    625U,
    3125U,
    15625U,
    78125U,
    390625U,
    1953125U,
    9765625U,
    48828125U,
    244140625U,
    1220703125U,
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* 5^(28 i), i = -13 .. 12, as top * 2^exponent rounded down to 128 bits: floor(5^(28 i) /
 * 2^exponent), computed exactly. */
static const decimal_estimate POWERS[] = {
    {{0xe1afa13afbd14d6d, 0x82189c09a3a1ec21}, -973}, /* 5^-364 */
    {{0xe3e27a444d8d98b7, 0xfd1b1b2308169b25}, -908}, /* 5^-336 */
    {{0xe61acf033d1a45df, 0x6fb92487298e33bd}, -843}, /* 5^-308 */
    {{0xe858ad248f5c22c9, 0xd1b3400f8f9cff68}, -778}, /* 5^-280 */
    {{0xea9c227723ee8bcb, 0x465e15a979c1cadc}, -713}, /* 5^-252 */
    {{0xece53cec4a314ebd, 0xa4f8bf5635246428}, -648}, /* 5^-224 */
    {{0xef340a98172aace4, 0x86fb897116c87c34}, -583}, /* 5^-196 */
    {{0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1}, -518}, /* 5^-168 */
    {{0xf3e2f893dec3f126, 0x5a89dba3c3efccfa}, -453}, /* 5^-140 */
    {{0xf64335bcf065d37d, 0x4d4617b5ff4a16d5}, -388}, /* 5^-112 */
    {{0xf8a95fcf88747d94, 0x75a44c6397ce912a}, -323}, /* 5^-84 */
    {{0xfb158592be068d2e, 0xeed6e2f0f0d56712}, -258}, /* 5^-56 */
    {{0xfd87b5f28300ca0d, 0x8bca9d6e188853fc}, -193}, /* 5^-28 */
    {{0x8000000000000000, 0x0000000000000000}, -127}, /* 5^0 */
    {{0x813f3978f8940984, 0x4000000000000000}, -62},  /* 5^28 */
    {{0x82818f1281ed449f, 0xbff8f10e7a8921a4}, 3},    /* 5^56 */
    {{0x83c7088e1aab65db, 0x792667c6da79e0fa}, 68},   /* 5^84 */
    {{0x850fadc09923329e, 0x03e2cf6bc604ddb0}, 133},  /* 5^112 */
    {{0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2}, 198},  /* 5^140 */
    {{0x87aa9aff79042286, 0x90fb44d2f05d0842}, 263},  /* 5^168 */
    {{0x88fcf317f22241e2, 0x441fece3bdf81f03}, 328},  /* 5^196 */
    {{0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f}, 393},  /* 5^224 */
    {{0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e}, 458},  /* 5^252 */
    {{0x8d07e33455637eb2, 0xdb0b487b6423e1e8}, 523},  /* 5^280 */
    {{0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648}, 588},  /* 5^308 */
    {{0x8fcac257558ee4e6, 0x213a4f0aa5e8a7b1}, 653},  /* 5^336 */
};

/* With M = head * 5^b (exact, below 2^127) scaled to 128 bits and P the power of the table, top is
 * the sum of the three upper partial products of M * P / 2^128: at most 3 units too small, and M /
 * 2^128 < 1 unit more as P was rounded down. Doubling once to set the highest bit doubles these
 * 4. */
static inline decimal_estimate scale_head(uint64_t head, int power) {
    const int step = (power - FIRST_STEP * STEP) / STEP;
    const decimal_estimate *scale = &POWERS[step];
    uint128 exact = uint128_multiply(head, FIVE[power - (step + FIRST_STEP) * STEP]);
    const int zeros = exact.high != 0 ? uint128_leading_zeros(exact.high) : 64 + uint128_leading_zeros(exact.low);
    exact = uint128_left(exact, zeros);
    uint128 top = uint128_multiply(exact.high, scale->top.high);
    top = uint128_add(top, uint128_multiply(exact.high, scale->top.low).high);
    top = uint128_add(top, uint128_multiply(exact.low, scale->top.high).high);
    const int carry = (int)(top.high >> 63);
    return (decimal_estimate){uint128_left(top, 1 - carry), 127 + carry - zeros + scale->exponent + power};
}

decimal_estimate decimal_scale(uint64_t head, int power) { return scale_head(head, power); }

/* Midpoints between doubles have at most 767 significant digits: later ones matter only by not
 * being 0. */
enum { LONGEST = 800 };

/* Loads the digits of self into out, at most LONGEST; *exponent is that of the last one used.
 * Returns whether a later digit is not 0. */
static bool load_digits(const decimal *self, bigint *out, int *exponent) {
    bigint_set(out, self->head);
    *exponent = (int)self->exponent;
    if (!self->cut) {
        return false;
    }
    out->count = 0;
    int used = 0;
    for (const char *at = self->digits; at < self->end; at++) {
        if (*at != '.' && used < LONGEST) {
            bigint_multiply(out, 10, (uint32_t)(*at - '0'));
            used++;
        } else if (*at != '.' && *at != '0') {
            *exponent -= used - DECIMAL_HEAD;
            return true;
        }
    }
    *exponent -= used - DECIMAL_HEAD;
    return false;
}

/* Returns a number below 0, 0 or above 0 as self is below, at or above (n + 1/2) * 2^unit. Both are
 * within a factor of 16 of each other, so that 800 digits against 54 bits * 5^1125 stay below 3000
 * bits. */
static int compare_with_midpoint(const decimal *self, uint64_t n, int unit) {
    bigint left, right;
    int exponent;
    const bool more = load_digits(self, &left, &exponent);
    bigint_set(&right, 2 * n + 1);
    if (exponent >= 0) {
        bigint_multiply_power_of_five(&left, (unsigned)exponent);
    } else {
        bigint_multiply_power_of_five(&right, (unsigned)-exponent);
    }
    const int power = unit - 1 - exponent;
    bigint_multiply_power_of_two(power >= 0 ? &right : &left, (unsigned)(power >= 0 ? power : -power));
    const int order = bigint_compare(&left, &right);
    return order == 0 && more ? 1 : order;
}

/* Returns whether self, in [top, top + slack) * 2^unit / 2^drop, is above (or at, when n is odd)
 * the midpoint (n + 1/2) * 2^unit. */
static bool rounds_up(const decimal *self, uint128 top, int drop, uint64_t n, int unit) {
    if (drop < 128) {
        const uint128 rest = uint128_right(uint128_left(top, 128 - drop), 128 - drop);
        const uint128 half = uint128_left((uint128){0, 1}, drop - 1);
        /* Later digits of a cut head add less than 1e-18 of the whole: below 2^69 - 8 units. */
        const uint128 slack = self->cut ? (uint128){1 << 5, 0} : (uint128){0, DECIMAL_SLACK};
        const uint128 most = uint128_add((uint128){rest.high + slack.high, rest.low}, slack.low);
        if (uint128_less(half, rest)) {
            return true;
        }
        if (!uint128_less(half, most)) {
            return false;
        }
    }
    const int order = compare_with_midpoint(self, n, unit);
    return order > 0 || (order == 0 && n % 2 == 1);
}

/* Returns 2^exponent, made from its bits; exponent >= -1074. */
static double power_of_two(int exponent) {
    uint64_t bits = exponent < -1022 ? (uint64_t)1 << (exponent + 1074) : (uint64_t)(exponent + 1023) << 52;
    if (exponent > 1023) {
        bits = (uint64_t)2047 << 52; /* infinity */
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds in the common case of decimal_round: a double that is not denormal, where the estimate's
 * slack does not matter. Below the 53 bits of n lie 11 of top.high, whose highest is a half, and
 * all of top.low. */
static bool round_plainly(decimal_estimate estimate, double *value) {
    const int unit = estimate.exponent + 128 - 53;
    const uint64_t half = 1 << 10, rest = estimate.top.high & (2 * half - 1);
    const bool above = rest > half || (rest == half && estimate.top.low > 0);
    const bool below = rest < half - 1 || (rest == half - 1 && estimate.top.low < UINT64_MAX - DECIMAL_SLACK);
    if (above == below || unit < -1074 || unit > 970) {
        return false;
    }
    *value = (double)(int64_t)((estimate.top.high >> 11) + above) * power_of_two(unit);
    return true;
}

double decimal_round(const decimal *self, const decimal_format *format) {
    double plain;
    if (self->head == 0 || self->exponent < -350) { /* below 1e19 * 1e-351 */
        return 0;
    }
    if (self->exponent > 310) {
        return INFINITY;
    }
    const decimal_estimate estimate = scale_head(self->head, (int)self->exponent);
    if (format == &DECIMAL_DOUBLE && !self->cut && round_plainly(estimate, &plain)) {
        return plain;
    }
    int unit = estimate.exponent + 128 - format->precision;
    if (unit < format->lowest) {
        unit = format->lowest; /* a denormal has fewer bits */
    }
    const int drop = unit - estimate.exponent; /* bits of top below the unit */
    if (drop > 130) {
        return 0; /* below a quarter of the smallest number */
    }
    uint64_t n = drop < 128 ? uint128_right(estimate.top, drop).low : 0;
    n += rounds_up(self, estimate.top, drop, n, unit);
    /* n has at most 53 bits, or is 2^53: exact */
    const double value = n == 0 ? 0 : (double)n * power_of_two(unit);
    return value < format->limit ? value : INFINITY;
}
