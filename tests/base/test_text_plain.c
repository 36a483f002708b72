/* The fast paths of reading numbers: the same bits as the slow, exact one, or no answer; and the
 * correct end of a number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/text/decimal.h"
#include "base/text/text.h"
#include "base/text/text_plain.h"

enum { TEXT_SIZE = 64, TEXTS = 3000000 };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A double as DECIMAL_DOUBLE, at another address: decimal_round takes no fast path. */
static const decimal_format EXACT = {53, -1074, INFINITY};

/* Reads digit by digit, always with exact arithmetic: sign, up to 19 digits with a point, exponent.
 * Returns the end, or NULL. */
static const char *read_slowly(const char *at, double *value) {
    decimal number = {0, 0, false, NULL, NULL};
    const bool negative = *at == '-';
    size_t digits = 0;
    int64_t exponent = 0, sign = 1;
    at += *at == '-' || *at == '+';
    for (bool point = false; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        number.head = number.head * 10 + (uint64_t)(*at - '0');
        number.exponent -= point;
        digits++;
    }
    if (digits == 0) {
        return NULL;
    }
    const char *behind = at + 1 + (at[1] == '-' || at[1] == '+');
    if ((*at == 'e' || *at == 'E') && *behind >= '0' && *behind <= '9') {
        sign = at[1] == '-' ? -1 : 1;
        for (at = behind; *at >= '0' && *at <= '9'; at++) {
            exponent = exponent * 10 + (*at - '0');
        }
    }
    number.exponent += sign * exponent;
    const double size = decimal_round(&number, &EXACT);
    *value = negative ? -size : size;
    return at;
}

/* Makes a text from random bits: at most 19 digits in all, then a byte that may end a cell. Returns
 * the text's length. */
static size_t make_text(uint64_t index, char out[TEXT_SIZE], char *behind) {
    static const char BEHIND[] = ", \n\t;|:#x";
    uint32_t words[4];
    random_words((random_stream){21, RANDOM_TEST, 0}, index, words);
    const size_t most = words[0] % 4 == 0 ? 19 : 9;
    const size_t digits = 1 + words[1] % most, point = words[2] % (2 * digits + 2), zeros = words[3] % 7 == 0 ? 3 : 0;
    uint64_t pool = (uint64_t)words[2] << 32 | words[3];
    size_t at = 0;
    if (words[0] >> 8 & 1) {
        out[at++] = words[0] >> 9 & 7 ? '-' : '+';
    }
    for (size_t i = 0; i < digits; i++) {
        if (i == point) {
            out[at++] = '.';
        }
        out[at++] = i < zeros ? '0' : (char)('0' + pool % 10);
        pool = pool / 10 ^ (uint64_t)words[i % 4] * 2654435761u;
    }
    if (point == digits) {
        out[at++] = '.';
    }
    if (words[0] >> 16 & 1 && most > 9) {
        at += (size_t)snprintf(out + at, TEXT_SIZE - at, "e%d", (int)((words[1] >> 8) % 661) - 330);
    } else if ((words[0] >> 17 & 15) == 0) {
        out[at++] = "eE.-+"[words[1] >> 8 & 3]; /* something that looks like more */
    }
    const size_t length = at;
    *behind = BEHIND[words[0] >> 24 & 7];
    out[at++] = *behind;
    /* never part of the text */
    memset(out + at, words[1] & 1 ? '7' : '\n', TEXT_SIZE - at);
    return length;
}

static void fail_on(const char *what, const char *text, size_t length, double read, double expected) {
    fail_msg("%s: %.*s read as %a, expected %a", what, (int)length, text, read, expected);
}

static void every_way_of_reading_gives_the_same_bits(void **state) {
    size_t plain = 0, few = 0;
    (void)state;
    for (uint64_t i = 0; i < TEXTS; i++) {
        char text[TEXT_SIZE], behind;
        double expected = 0, value = 0;
        const size_t length = make_text(i, text, &behind);
        const char *expected_end = read_slowly(text, &expected),
                   *end = text_read_double(text, text + TEXT_SIZE, &value);
        if (end != expected_end || bits_of(value) != bits_of(expected)) {
            fail_on("text_read_double", text, length, value, expected);
        }
        const size_t used = (size_t)(end - text);
        if (text_read_double(text, end, &value) != end || bits_of(value) != bits_of(expected)) {
            fail_on("text_read_double to its end", text, length, value, expected);
        }
        const char *stop = text_read_plain(text, &value);
        if (stop != NULL && (stop != end || bits_of(value) != bits_of(expected))) {
            fail_on("text_read_plain", text, length, value, expected);
        }
        plain += stop != NULL;
        if (used <= DIGITS_AT_ONCE && text_is_short(text, (unsigned)used, &value)) {
            if (bits_of(value) != bits_of(expected)) {
                fail_on("text_is_short", text, used, value, expected);
            }
            few++;
        }
        if (used < DIGITS_AT_ONCE) {
            /* the byte behind belongs to no number */
            assert_false(text_is_short(text, (unsigned)used + 1, &value));
        }
    }
    assert_true(plain > TEXTS / 2 && few > TEXTS / 3); /* the fast paths are the usual ones */
}

/* Tries all bytes in all places of a short text: a number only where the exact path finds one. */
static void no_other_byte_passes_for_a_digit(void **state) {
    (void)state;
    for (unsigned length = 1; length <= DIGITS_AT_ONCE; length++) {
        for (unsigned place = 0; place < length; place++) {
            for (int byte = 0; byte < 256; byte++) {
                char text[TEXT_PLAIN_SIZE];
                double value = 0, expected = 0;
                memset(text, ',', sizeof text);
                memset(text, '5', length);
                text[place] = (char)byte;
                const bool number = text_is_double(text, text + length, &expected);
                const bool found = text_is_short(text, length, &value);
                assert_true(!found || (number && bits_of(value) == bits_of(expected)));
                assert_true(found || !number || byte == '+' || byte == 'e' || byte == 'E');
                const char *stop = text_read_plain(text, &value);
                if (stop != NULL) {
                    double other;
                    assert_ptr_equal(text_read_double(text, text + sizeof text, &other), stop);
                    assert_true(bits_of(value) == bits_of(other));
                }
            }
        }
    }
}

static void the_first_of_a_byte_is_found_within_reach(void **state) {
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        for (unsigned place = 0; place <= DIGITS_REACH; place++) {
            char text[2 * DIGITS_REACH];
            for (unsigned i = 0; i < sizeof text;
                 i++) { /* neighbours of the byte, which carries could confuse with it */
                text[i] = (char)(byte + (i % 2 == 0 ? 1 : -1));
            }
            text[place] = (char)byte;
            text[DIGITS_REACH + 1] = (char)byte;
            assert_int_equal(digits_before(text, (char)byte), place);
            text[place] = (char)(byte ^ 0x80);
            assert_int_equal(digits_before(text, (char)byte), DIGITS_REACH);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_reading_gives_the_same_bits),
        cmocka_unit_test(no_other_byte_passes_for_a_digit),
        cmocka_unit_test(the_first_of_a_byte_is_found_within_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
