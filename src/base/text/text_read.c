/* Converts text to numbers, without the locale. The syntax is here; the exact rounding is in
 * decimal.c. */
#include <float.h>
#include <math.h>

#include "base/text/decimal.h"
#include "base/text/digits.h"
#include "base/text/text.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Sets head = head * 10 + digit for all digits from `at` on; wraps beyond 19 digits. Returns the
 * byte behind them. */
static inline const char *read_digits(const char *at, const char *end, uint64_t *head) {
    static const uint64_t TEN[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    uint64_t sum = *head;
    while (end - at >= DIGITS_AT_ONCE) {
        const uint64_t loaded = digits_load(at);
        const unsigned run = digits_run(loaded);
        if (run < DIGITS_AT_ONCE) {
            *head = sum * TEN[run] + digits_some(loaded, run);
            return at + run;
        }
        sum = sum * 100000000 + digits_eight(loaded);
        at += DIGITS_AT_ONCE;
    }
    for (; at < end && is_digit(*at); at++) {
        sum = sum * 10 + (uint64_t)(*at - '0');
    }
    *head = sum;
    return at;
}

/* Reads the exponent at [text, end); returns text itself where there is none. Exponents stop
 * growing at 10^18. */
static const char *read_exponent(const char *text, const char *end, int64_t *exponent) {
    const char *at = text;
    *exponent = 0;
    if (at == end || (*at != 'e' && *at != 'E')) {
        return text;
    }
    at++;
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    if (at == end || !is_digit(*at)) {
        return text;
    }
    for (; at < end && is_digit(*at); at++) {
        if (*exponent < INT64_C(100000000000000000)) {
            *exponent = *exponent * 10 + (*at - '0');
        }
    }
    if (negative) {
        *exponent = -*exponent;
    }
    return at;
}

/* Cuts a head that has wrapped: [digits, end) holds `count` digits and perhaps a '.'. Where there
 * are more than head can hold, leading zeros apart, head becomes the first 19 and the exponent
 * theirs. */
static void cut_head(decimal *self, const char *digits, const char *end, int64_t count) {
    while (digits < end && (*digits == '0' || *digits == '.')) {
        count -= *digits == '0';
        digits++;
    }
    if (count <= DECIMAL_HEAD) {
        return;
    }
    self->cut = true;
    self->digits = digits;
    self->end = end;
    self->head = 0;
    self->exponent += count - DECIMAL_HEAD;
    for (int used = 0; used < DECIMAL_HEAD; digits++) {
        if (*digits != '.') {
            self->head = self->head * 10 + (uint64_t)(*digits - '0');
            used++;
        }
    }
}

/* Converts to double. Where head and the power of ten are exact doubles, one rounded operation is
 * exact rounding (Clinger 1990). */
static double to_double(const decimal *self) {
#if FLT_EVAL_METHOD == 0
    static const double TEN[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (self->head <= (uint64_t)1 << 53 && self->exponent >= -22 && self->exponent <= 22 && !self->cut) {
        const double head = (double)self->head;
        return self->exponent < 0 ? head / TEN[-self->exponent] : head * TEN[self->exponent];
    }
#endif
    return decimal_round(self, &DECIMAL_DOUBLE);
}

/* Skips `word` (lower case) at [at, end) in any case; returns NULL when it is absent. */
static const char *skip_word(const char *at, const char *end, const char *word) {
    for (; *word != '\0'; word++, at++) {
        if (at == end || (*at | 0x20) != *word) {
            return NULL;
        }
    }
    return at;
}

static const char *read_special(const char *at, const char *end, double *value) {
    static const struct {
        const char *word;
        double value;
    } WORDS[] = {{"infinity", INFINITY}, {"inf", INFINITY}, {"nan", NAN}};
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        const char *after = skip_word(at, end, WORDS[i].word);
        if (after != NULL) {
            *value = WORDS[i].value;
            return after;
        }
    }
    return NULL;
}

static const char *read_unsigned(const char *text, const char *end, double *value) {
    decimal number = {0, 0, false, NULL, NULL};
    const char *at = read_digits(text, end, &number.head);
    int64_t count = at - text;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = read_digits(fraction, end, &number.head);
        number.exponent = -(int64_t)(at - fraction);
        count -= number.exponent;
    }
    if (count == 0) {
        return read_special(text, end, value);
    }
    int64_t exponent;
    const char *after = read_exponent(at, end, &exponent);
    number.exponent += exponent;
    if (count > DECIMAL_HEAD) {
        cut_head(&number, text, at, count);
    }
    *value = to_double(&number);
    return after;
}

const char *text_read_double(const char *text, const char *end, double *value) {
    const bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+')) {
        text++;
    }
    double size;
    const char *after = read_unsigned(text, end, &size);
    if (after != NULL) {
        *value = negative ? -size : size;
    }
    return after;
}

bool text_is_double(const char *text, const char *end, double *value) {
    double read = 0;
    const char *after = text_read_double(text, end, &read);
    if (after == NULL || after != end) {
        return false;
    }
    *value = read;
    return true;
}

bool text_is_count(const char *text, const char *end, uint64_t *value) {
    uint64_t sum = 0;
    if (text == end) {
        return false;
    }
    for (; text < end; text++) {
        const uint64_t digit = (uint64_t)(unsigned char)*text - '0';
        if (!is_digit(*text) || sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}
