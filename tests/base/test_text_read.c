/* Reading numbers: as the C library in the C locale does, for every kind of text, and never beyond
 * the end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/text/text.h"

enum { LONGEST_TEXT = 4000 };

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double random_double(uint32_t part, uint64_t index) {
    uint32_t words[4];
    random_words((random_stream){1, RANDOM_TEST, part}, index, words);
    const uint64_t bits = (uint64_t)words[0] << 32 | words[1];
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads from memory that ends with the text: a sanitizer sees any access beyond. */
static const char *read_exact(const char *text, size_t length, double *value, size_t *used) {
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    const char *after = text_read_double(copy, copy + length, value);
    *used = after == NULL ? 0 : (size_t)(after - copy);
    free(copy);
    return after == NULL ? NULL : text + *used;
}

static void assert_reads_as_strtod(const char *text) {
    double value;
    size_t used;
    char *expected_end;
    const double expected = strtod(text, &expected_end);
    if (read_exact(text, strlen(text), &value, &used) == NULL) {
        fail_msg("%.60s was not read", text);
    }
    if (bits_of(value) != bits_of(expected) || text + used != expected_end) {
        fail_msg("%.60s: read %a, expected %a", text, value, expected);
    }
}

static void random_bits_at_any_precision_read_as_strtod(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 1000000; i++) {
        char text[64];
        const double value = random_double(0, i);
        if (isfinite(value)) {
            (void)snprintf(text, sizeof text, "%.*e", (int)(i % 26), value);
            double read;
            assert_ptr_equal(text_read_double(text, text + strlen(text), &read), text + strlen(text));
            if (bits_of(read) != bits_of(strtod(text, NULL))) {
                fail_msg("%s read as %a", text, read);
            }
        }
    }
}

static void everyday_decimals_read_as_strtod(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 300000; i++) {
        char text[64];
        const random_stream stream = {2, RANDOM_TEST, 0};
        const int decimals = (int)random_below(stream, 3 * i, 20);
        const double value =
            (random_uniform(stream, 3 * i + 1) - 0.5) * pow(10, (double)random_below(stream, 3 * i + 2, 18));
        (void)snprintf(text, sizeof text, "%.*f", decimals, value);
        double read;
        assert_true(text_is_double(text, text + strlen(text), &read));
        if (bits_of(read) != bits_of(strtod(text, NULL))) {
            fail_msg("%s read as %a", text, read);
        }
    }
}

/* Checks the exact decimal of a midpoint, then the same with its last digit changed, a far 1
 * behind, and a cut digit. */
static void midpoints_round_to_even_and_their_neighbours_do_not(void **state) {
    (void)state;
    static char text[LONGEST_TEXT];
    for (uint64_t i = 0; i < 3000; i++) {
        double value = fabs(random_double(3, i));
        if (i % 4 == 0) {
            value = ldexp(0x1p-1074, (int)(i / 4 % 54)) * (1 + random_uniform((random_stream){3, RANDOM_TEST, 1}, i));
        }
        if (!isfinite(value) || value > 0x1p1000) {
            continue;
        }
        const long double middle = ((long double)value + (long double)nextafter(value, INFINITY)) / 2;
        const int length = snprintf(text, sizeof text - 800, "%.1100Lf", middle);
        assert_true(length > 0 && (size_t)length < sizeof text - 800);
        assert_reads_as_strtod(text);
        memset(text + length, '0', 700);
        (void)strcpy(text + length + 700, "1");
        assert_reads_as_strtod(text); /* just above */
        text[length] = '\0';
        char *last = text + length - 1;
        while (*last == '0' || *last == '.') {
            last--;
        }
        *last = (char)(*last - 1);
        assert_reads_as_strtod(text); /* just below */
    }
}

static void integers_around_2_to_the_53_read_as_strtod(void **state) {
    (void)state;
    char text[64];
    for (uint64_t i = 0; i < 4000; i++) {
        for (int power = 53; power < 64; power++) {
            const char *forms[] = {"%llu",    "%llue0",  "%llu0e-1", "%llu.0",
                                   "%llue22", "%llue23", "%llue-22", "%llue-23"};
            (void)snprintf(text, sizeof text, forms[i % 8], (unsigned long long)((UINT64_C(1) << power) + i / 8 - 128));
            assert_reads_as_strtod(text);
        }
    }
}

/* The midpoint between the largest double and 2^1024: the first number that rounds to infinity. */
#define LARGEST_MIDPOINT                                                                                               \
    "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330"        \
    "286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069"        \
    "855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792"

static void named_cases_read_as_strtod(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"0",
                                        "-0",
                                        "+0",
                                        "0.0",
                                        ".5",
                                        "5.",
                                        "-.5",
                                        "+5.",
                                        "1e5",
                                        "1E+5",
                                        "1e-5",
                                        "00012",
                                        "0000.00012e3",
                                        "1e0000000001",
                                        "2.2250738585072011e-308",
                                        "2.2250738585072012e-308",
                                        "2.2250738585072014e-308",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "2.4703282292062328e-324",
                                        "1e-323",
                                        "1e-400",
                                        "1e-99999999999999999999",
                                        "0e9999999999999",
                                        "1.7976931348623157e308",
                                        "1.7976931348623158e308",
                                        "1.7976931348623159e308",
                                        "1e309",
                                        "1e99999999999999999999",
                                        (LARGEST_MIDPOINT),
                                        "6.631236846766476e-316",
                                        "3.2378839133029012895883524125015321748630376694231080599012970495523e-319",
                                        "9007199254740993",
                                        "9007199254740992.99999999999999999999999999999999999999",
                                        "9007199254740993.00000000000000000000000000000000000000000000001",
                                        "1e23",
                                        "8.5e22",
                                        "inf",
                                        "-INF",
                                        "Infinity",
                                        "-infinity",
                                        "infinit",
                                        "1x",
                                        "1e",
                                        "1e+",
                                        "1e-x",
                                        "1.5.5",
                                        "1-1",
                                        "1,5",
                                        "12 34",
                                        "5.684341886080802e-14"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        assert_reads_as_strtod(TEXTS[i]);
    }
}

static void long_texts_read_as_strtod(void **state) {
    (void)state;
    static char text[LONGEST_TEXT];
    for (uint64_t i = 0; i < 2000; i++) {
        const random_stream stream = {4, RANDOM_TEST, (uint32_t)i};
        const size_t length = 1 + (size_t)random_below(stream, 0, LONGEST_TEXT - 100);
        const size_t point = (size_t)random_below(stream, 1, length);
        const size_t zeros = (size_t)random_below(stream, 2, length);
        for (size_t j = 0; j < length; j++) {
            text[j] = j == point ? '.' : j < zeros ? '0' : (char)('0' + random_below(stream, j + 9, 10));
        }
        (void)snprintf(text + length, 100, "9e%d", (int)random_below(stream, 3, 9000) - 4500);
        assert_reads_as_strtod(text);
    }
}

static void nan_keeps_its_kind(void **state) {
    (void)state;
    double value = 0;
    size_t used;
    assert_non_null(read_exact("nan", 3, &value, &used));
    assert_true(isnan(value));
    assert_non_null(read_exact("-NaN", 4, &value, &used));
    assert_true(isnan(value) && used == 4);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"",    "-", "+",  ".",  "-.", "e5", ".e5", "+-1",
                                        "--1", "x", " 1", "in", "na", "?",  "_1"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        double value = 7;
        size_t used;
        assert_null(read_exact(TEXTS[i], strlen(TEXTS[i]), &value, &used));
        assert_true(value == 7);
        assert_false(text_is_double(TEXTS[i], TEXTS[i] + strlen(TEXTS[i]), &value));
    }
    double value;
    assert_false(text_is_double(NULL, NULL, &value));
}

static void every_prefix_is_read_without_looking_beyond(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"-12.5e-10", "+infinity", "-nan", "12345678901234567890123.5e+17", ".000001e1"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        for (size_t length = 0; length <= strlen(TEXTS[i]); length++) {
            double value;
            size_t used;
            (void)read_exact(TEXTS[i], length, &value, &used);
            assert_true(used <= length);
        }
    }
}

static void counts_must_be_whole_and_fit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } CASES[] = {{"0", true, 0},
                 {"007", true, 7},
                 {"18446744073709551615", true, UINT64_MAX},
                 {"18446744073709551616", false, 0},
                 {"99999999999999999999", false, 0},
                 {"184467440737095516150", false, 0},
                 {"", false, 0},
                 {"-1", false, 0},
                 {"+1", false, 0},
                 {"1.0", false, 0},
                 {"1 ", false, 0},
                 {"/", false, 0},
                 {":", false, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint64_t value = 5;
        const char *text = CASES[i].text;
        assert_int_equal(text_is_count(text, text + strlen(text), &value), CASES[i].good);
        assert_true(value == (CASES[i].good ? CASES[i].value : 5));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bits_at_any_precision_read_as_strtod),
        cmocka_unit_test(everyday_decimals_read_as_strtod),
        cmocka_unit_test(midpoints_round_to_even_and_their_neighbours_do_not),
        cmocka_unit_test(integers_around_2_to_the_53_read_as_strtod),
        cmocka_unit_test(named_cases_read_as_strtod),
        cmocka_unit_test(long_texts_read_as_strtod),
        cmocka_unit_test(nan_keeps_its_kind),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(every_prefix_is_read_without_looking_beyond),
        cmocka_unit_test(counts_must_be_whole_and_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
