/* Writing numbers and texts: what is written reads back, is as short as can be, and looks as
 * promised. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/text/text.h"

static uint64_t random_bits(uint32_t part, uint64_t index) {
    uint32_t words[4];
    random_words((random_stream){6, RANDOM_TEST, part}, index, words);
    return (uint64_t)words[0] << 32 | words[1];
}

/* Counts the digits of a text without leading and trailing zeros. */
static int significant(const char *text) {
    int count = 0, kept = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (kept > 0 || *text != '0')) {
            count++;
            kept = *text != '0' ? count : (kept > 0 ? kept : 0);
        }
    }
    return kept;
}

/* Checks that value reads back by both readers to the same bits, and that no text of fewer digits
 * from printf does. */
static void check_double(double value) {
    char text[TEXT_DOUBLE_SIZE], shorter[64];
    const size_t length = text_from_double(text, value);
    double read = 0;
    assert_int_equal(length, strlen(text));
    assert_true(length < TEXT_DOUBLE_SIZE);
    assert_true(text_is_double(text, text + length, &read));
    if (memcmp(&read, &value, sizeof value) != 0 || strtod(text, NULL) != value) {
        fail_msg("%a was written as %s", value, text);
    }
    const int digits = significant(text);
    (void)snprintf(shorter, sizeof shorter, "%.*e", digits > 1 ? digits - 2 : 0, value);
    if (digits > 1 && strtod(shorter, NULL) == value) {
        fail_msg("%s is shorter than %s", shorter, text);
    }
}

static void check_float(float value) {
    char text[TEXT_DOUBLE_SIZE], shorter[64];
    const size_t length = text_from_float(text, value);
    double read = 0;
    assert_true(text_is_double(text, text + length, &read));
    if ((float)read != value || strtof(text, NULL) != value) {
        fail_msg("%a was written as %s", (double)value, text);
    }
    const int digits = significant(text);
    (void)snprintf(shorter, sizeof shorter, "%.*e", digits > 1 ? digits - 2 : 0, (double)value);
    if (digits > 1 && strtof(shorter, NULL) == value) {
        fail_msg("%s is shorter than %s", shorter, text);
    }
}

static void doubles_of_any_bits_read_back_and_are_short(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 600000; i++) {
        uint64_t bits = random_bits(0, i);
        double value;
        if (i % 8 == 0) {
            bits &= UINT64_C(0x800fffffffffffff) >> (i / 8 % 52); /* denormals of every size */
        }
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value) && value != 0) {
            check_double(value);
        }
    }
}

static void powers_of_two_and_of_ten_and_their_neighbours_read_back(void **state) {
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        const double value = ldexp(1, e);
        check_double(value);
        check_double(nextafter(value, INFINITY));
        if (e > -1074) {
            check_double(nextafter(value, 0));
        }
        if (e >= -149 && e < 128) {
            check_float((float)value);
            check_float(nextafterf((float)value, INFINITY));
        }
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        (void)snprintf(text, sizeof text, "1e%d", e);
        check_double(strtod(text, NULL));
        check_double(nextafter(strtod(text, NULL), 0));
    }
    check_double(DBL_MAX);
    check_float(FLT_MAX);
}

static void floats_of_any_bits_read_back_and_are_short(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 600000; i++) {
        const uint32_t bits = (uint32_t)random_bits(1, i) & (i % 8 == 0 ? 0x807fffffU : 0xffffffffU);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value) && value != 0) {
            check_float(value);
        }
    }
}

static void numbers_look_as_promised(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } CASES[] = {{0, "0"},
                 {-0.0, "-0"},
                 {3, "3"},
                 {-0.25, "-0.25"},
                 {0.1, "0.1"},
                 {100, "100"},
                 {12.5, "12.5"},
                 {0.001, "0.001"},
                 {0.0001, "0.0001"},
                 {0.00001, "1e-05"},
                 {1.25e-7, "1.25e-07"},
                 {1e-7, "1e-07"},
                 {123456789012345680, "1.2345678901234568e17"},
                 {1e15, "1000000000000000"},
                 {0x1p53, "9007199254740992"},
                 {1e16, "1e16"},
                 {-1e20, "-1e20"},
                 {1e23, "1e23"},
                 {5e-324, "5e-324"},
                 {1.0 / 3, "0.3333333333333333"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {0x1p-44, "5.684341886080802e-14"},
                 {INFINITY, "inf"},
                 {-INFINITY, "-inf"},
                 {NAN, "nan"}};
    char text[TEXT_DOUBLE_SIZE];
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(text_from_double(text, CASES[i].value), strlen(CASES[i].text));
        assert_string_equal(text, CASES[i].text);
    }
    (void)text_from_float(text, 0.1f);
    assert_string_equal(text, "0.1");
    (void)text_from_float(text, 16777216.0f);
    assert_string_equal(text, "16777216");
    (void)text_from_float(text, 1.0f / 3);
    assert_string_equal(text, "0.33333334");
}

static void a_comma_locale_changes_nothing(void **state) {
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    char text[TEXT_DOUBLE_SIZE], fixed[TEXT_DOUBLE_SIZE + 320];
    double read = 0;
    (void)text_from_double(text, 1.5);
    (void)text_fixed(fixed, 1234567.5, 1);
    static const char HALF[] = "0.5";
    const bool whole = text_is_double(HALF, HALF + 3, &read);
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.5");
    assert_string_equal(fixed, "1234567.5");
    assert_true(whole && read == 0.5);
}

/* Compares with printf, which rounds the exact value to nearest, ties to even, as text_fixed does;
 * only printf writes "-0.00". */
static void fixed_agrees_with_printf(void **state) {
    (void)state;
    static char text[TEXT_DOUBLE_SIZE + 320], expected[400];
    for (uint64_t i = 0; i < 200000; i++) {
        const uint64_t bits = random_bits(2, i);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 4 != 0) { /* near 1, and often a tie in a few decimals */
            value = (double)(int64_t)(bits >> 32) / (double)(UINT64_C(1) << bits % 40) * (i % 2 == 0 ? 1 : -1);
        }
        if (!isfinite(value)) {
            continue;
        }
        const int decimals = (int)(i % 10);
        (void)snprintf(expected, sizeof expected, "%.*f", decimals, value);
        const char *wanted =
            expected[0] == '-' && strspn(expected + 1, "0.") == strlen(expected + 1) ? expected + 1 : expected;
        assert_int_equal(text_fixed(text, value, decimals), strlen(wanted));
        assert_string_equal(text, wanted);
    }
    (void)text_fixed(text, -INFINITY, 2);
    assert_string_equal(text, "-inf");
    (void)text_fixed(text, NAN, 2);
    assert_string_equal(text, "nan");
    assert_int_equal(text_fixed(text, -DBL_MAX, 9), 320);
}

static void buffers_grow_and_stay_terminated(void **state) {
    (void)state;
    text_buffer buffer = {NULL, 0, 0};
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(text_add(&buffer, "ab", 2, NULL), CNM_OK);
        assert_int_equal(buffer.length, 2 * (i + 1));
        assert_int_equal(strlen(buffer.bytes), buffer.length);
    }
    text_free(&buffer);
    assert_null(buffer.bytes);
    assert_int_equal(text_add(&buffer, NULL, 0, NULL), CNM_OK);
    assert_string_equal(buffer.bytes, "");
    assert_int_equal(text_add_count(&buffer, 0, NULL), CNM_OK);
    assert_int_equal(text_add_string(&buffer, " ", NULL), CNM_OK);
    assert_int_equal(text_add_count(&buffer, UINT64_MAX, NULL), CNM_OK);
    assert_string_equal(buffer.bytes, "0 18446744073709551615");
    cnm_error err;
    assert_int_equal(text_add(&buffer, "x", SIZE_MAX, &err), CNM_NO_MEMORY);
    assert_string_equal(buffer.bytes, "0 18446744073709551615");
    text_free(&buffer);
}

static void json_strings_are_escaped(void **state) {
    (void)state;
    text_buffer buffer = {NULL, 0, 0};
    assert_int_equal(text_add_json(&buffer, "a\"b\\c\n\r\t\b\f\x01\x1f\x7f/\xc3\xa9", NULL), CNM_OK);
    assert_string_equal(buffer.bytes, "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0001\\u001f\\u007f/\xc3\xa9\"");
    text_free(&buffer);
    assert_int_equal(text_add_json(&buffer, "", NULL), CNM_OK);
    assert_string_equal(buffer.bytes, "\"\"");
    text_free(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_of_any_bits_read_back_and_are_short),
        cmocka_unit_test(powers_of_two_and_of_ten_and_their_neighbours_read_back),
        cmocka_unit_test(floats_of_any_bits_read_back_and_are_short),
        cmocka_unit_test(numbers_look_as_promised),
        cmocka_unit_test(a_comma_locale_changes_nothing),
        cmocka_unit_test(fixed_agrees_with_printf),
        cmocka_unit_test(buffers_grow_and_stay_terminated),
        cmocka_unit_test(json_strings_are_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
