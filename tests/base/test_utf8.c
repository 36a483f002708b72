/* UTF-8: every character is accepted, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/utf8.h"

static size_t encode(uint32_t character, char out[4]) {
    const size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    static const unsigned char LEADS[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size; i-- > 1; character >>= 6) {
        out[i] = (char)(0x80 | (character & 0x3f));
    }
    out[0] = (char)(LEADS[size] | character);
    return size;
}

static void every_character_is_valid(void **state) {
    (void)state;
    for (uint32_t character = 0; character <= 0x10ffff; character++) {
        char bytes[4];
        const size_t size = encode(character, bytes), found = utf8_size(bytes, bytes + size);
        const bool surrogate = character >= 0xd800 && character <= 0xdfff;
        if (found != (surrogate ? 0 : size) || (size > 1 && utf8_size(bytes, bytes + size - 1) != 0)) {
            fail_msg("%x", character);
        }
    }
}

/* Of all sequences, as many are valid as there are characters of that size. */
static void nothing_else_is_valid(void **state) {
    static const unsigned char LAST[] = {0x7f, 0x80, 0xbf, 0xc0};
    size_t two = 0, three = 0, four = 0;
    (void)state;
    for (unsigned n = 0; n < 1U << 16; n++) {
        const char pair[] = {(char)(n >> 8), (char)n};
        two += utf8_size(pair, pair + 2) == 2;
        for (size_t i = 0; i < 256; i++) {
            const char bytes[] = {pair[0], pair[1], (char)i};
            three += utf8_size(bytes, bytes + 3) == 3;
        }
        for (size_t i = 0; i < 16; i++) {
            const char bytes[] = {pair[0], pair[1], (char)LAST[i / 4], (char)LAST[i % 4]};
            four += utf8_size(bytes, bytes + 4) == 4;
        }
    }
    assert_int_equal(two, 0x800 - 0x80);
    assert_int_equal(three, 0x10000 - 0x800 - 0x800);
    /* two of 64 for each of the last two bytes */
    assert_int_equal(four, (0x110000 - 0x10000) / 0x1000 * 4);
}

static void texts_are_valid_as_a_whole(void **state) {
    (void)state;
    assert_true(utf8_is_valid("", 0));
    assert_true(utf8_is_valid("a\u00e9\u20ac", 6));
    assert_false(utf8_is_valid("a\xe9", 2));
    assert_false(utf8_is_valid("\u20ac", 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_valid),
        cmocka_unit_test(nothing_else_is_valid),
        cmocka_unit_test(texts_are_valid_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
