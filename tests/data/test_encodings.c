/* Text in other encodings than UTF-8 is converted while it is read: as much at once as may be, one
 * byte at a time, gzipped. */
#include "data_support.h"

/* Returns text in UTF-16, to be freed; mark: with a byte order mark. */
static unsigned char *make_utf16(const char *text, bool big_endian, bool mark, size_t *size) {
    const size_t length = strlen(text);
    unsigned char *out = malloc(2 * length + 4);
    *size = 0;
    for (size_t i = 0; i < length + mark;) {
        const unsigned char *at = (const unsigned char *)text + i - mark;
        uint32_t code = 0xfeff, bytes = 1;
        if (!mark || i > 0) {
            bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
            code = bytes == 1 ? at[0] : at[0] & (0x7fu >> bytes);
            for (uint32_t k = 1; k < bytes; k++) {
                code = code << 6 | (at[k] & 0x3f);
            }
        }
        uint16_t units[2] = {(uint16_t)code, 0};
        if (code >= 0x10000) {
            units[0] = (uint16_t)(0xd800 + ((code - 0x10000) >> 10));
            units[1] = (uint16_t)(0xdc00 + (code & 0x3ff));
        }
        for (size_t k = 0; k < 1 + (code >= 0x10000); k++) {
            out[(*size)++] = (unsigned char)(big_endian ? units[k] >> 8 : units[k]);
            out[(*size)++] = (unsigned char)(big_endian ? units[k] : units[k] >> 8);
        }
        i += bytes;
    }
    return out;
}

/* Reads a source to its end, `step` bytes at a time; *out is to be freed. */
static cnm_status read_source(const void *bytes, size_t size, text_encoding encoding, size_t step, char **out,
                              size_t *length, cnm_error *err) {
    byte_source *source;
    size_t got = 1;
    cnm_status status = CNM_OK;
    assert_int_equal(byte_source_from_memory(&source, bytes, size, "f", NULL), CNM_OK);
    assert_int_equal(byte_source_decode(source, encoding, NULL), CNM_OK);
    *out = malloc(4 * size + step + 1);
    *length = 0;
    while (got > 0 && (status = byte_source_read(source, *out + *length, step, &got, err)) == CNM_OK) {
        *length += got;
    }
    byte_source_close(source);
    return status;
}

static void assert_decodes(const void *bytes, size_t size, text_encoding encoding, const char *expected) {
    static const size_t STEPS[] = {1, 2, 3, 7, 1000, 1 << 18};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        char *found;
        size_t length;
        assert_int_equal(read_source(bytes, size, encoding, STEPS[i], &found, &length, NULL), CNM_OK);
        assert_int_equal(length, strlen(expected));
        assert_memory_equal(found, expected, length);
        free(found);
    }
}

static const char TEXT[] = "Gr\u00f6\u00dfe,w,y\n1,\u20ac\u0142,u\n2,\U0001f600,v\n";

static void utf16_is_read_in_both_byte_orders(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        size_t size;
        const bool big_endian = i & 1, mark = i & 2;
        unsigned char *bytes = make_utf16(TEXT, big_endian, mark, &size);
        text_encoding found;
        assert_true(text_is_utf16(bytes, size, &found) == mark || !mark);
        assert_decodes(bytes, size, big_endian ? ENCODING_UTF16_BE : ENCODING_UTF16_LE, TEXT);
        free(bytes);
    }
    /* without a mark, every second byte tells */
    static const char ASCII[] = "a,b,y\n1,2,u\n3,4,v\n5,6,u\n";
    for (int i = 0; i < 2; i++) {
        size_t size;
        unsigned char *bytes = make_utf16(ASCII, i, false, &size);
        table *rows = read_bytes(bytes, size, NULL), *plain = read_text(ASCII, NULL);
        assert_same_tables(plain, rows);
        table_destroy(rows);
        table_destroy(plain);
        free(bytes);
    }
}

/* Bytes that are not UTF-8 decide, however far from the start the first of them is. */
static void latin1_is_read_as_windows_1252(void **state) {
    enum { DISTANCE = 300000 };
    (void)state;
    assert_decodes("Gr\xf6\xdf"
                   "e \x80\x9f\xff",
                   9, ENCODING_OPEN, "Gr\u00f6\u00dfe \u20ac\u0178\u00ff");
    assert_decodes("\xc3\xb6\xff", 3, ENCODING_LATIN1, "\u00c3\u00b6\u00ff");
    assert_decodes("\xc3\xb6\xff", 3, ENCODING_OPEN, "\u00f6\xff"); /* UTF-8 first: the mistake stays */
    assert_decodes("a\xc3", 2, ENCODING_OPEN, "a\u00c3");
    assert_decodes("", 0, ENCODING_OPEN, "");
    char *distant = malloc(DISTANCE + 3), *expected = malloc(DISTANCE + 4);
    memset(distant, 'x', DISTANCE);
    memset(expected, 'x', DISTANCE);
    memcpy(distant + DISTANCE, "\xe9z", 3);
    memcpy(expected + DISTANCE, "\u00e9z", 4);
    assert_decodes(distant, DISTANCE + 2, ENCODING_OPEN, expected);
    free(distant);
    free(expected);
}

static void one_notice_says_the_encoding(void **state) {
    static const char *const LATE = "a,w,y\n1,x,u\n2,y,v\n3,\xe9,u\n";
    notices heard = {0};
    table *rows;
    size_t size;
    (void)state;
    assert_int_equal(read_batches(&rows, LATE, strlen(LATE), NULL, 1, &heard, NULL), CNM_OK);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.latest,
                        "f: the text is not UTF-8 and is read as Latin-1 (Windows-1252); --encoding settles it");
    assert_string_equal(rows->types[1].words.texts[2], "\u00e9");
    table_destroy(rows);
    unsigned char *bytes = make_utf16(TEXT, false, true, &size);
    heard = (notices){0};
    assert_int_equal(read_batches(&rows, bytes, size, NULL, 9, &heard, NULL), CNM_OK);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.latest, "f: the text is read as UTF-16; --encoding settles it");
    assert_string_equal(rows->names[0], "Gr\u00f6\u00dfe");
    table_destroy(rows);
    const reader_options told = {.encoding = "latin-1"};
    heard = (notices){0};
    assert_int_equal(read_batches(&rows, LATE, strlen(LATE), &told, 9, &heard, NULL), CNM_OK);
    assert_int_equal(heard.count, 0);
    table_destroy(rows);
    free(bytes);
}

static void half_characters_are_an_error_with_their_line(void **state) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } CASES[] = {
        {"a\0\n\0\x00\xd8z\0", 8, "f:2: found half a surrogate pair, expected text in UTF-16"},
        {"a\0\n\0\x00\xdc", 6, "f:2: found half a surrogate pair, expected text in UTF-16"},
        {"a\0\x00\xd8", 4, "f:1: found half a surrogate pair, expected text in UTF-16"},
        {"a\0\n\0\n\0b", 7, "f:3: found half a character at the end, expected text in UTF-16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        for (size_t step = 1; step <= 64; step *= 4) {
            char *found;
            size_t length;
            cnm_error err = {0};
            assert_int_equal(read_source(CASES[i].bytes, CASES[i].size, ENCODING_UTF16_LE, step, &found, &length, &err),
                             CNM_BAD_FORMAT);
            assert_string_equal(err.message, CASES[i].message);
            assert_int_equal(found[0], 'a'); /* what is before comes first */
            free(found);
        }
    }
}

static void unknown_encodings_are_refused(void **state) {
    const reader_options options = {.encoding = "ebcdic"};
    table *rows;
    cnm_error err = {0};
    (void)state;
    assert_int_equal(read_batches(&rows, "1,2\n", 4, &options, 9, NULL, &err), CNM_BAD_ARGUMENT);
    assert_string_equal(err.message, "encoding: found 'ebcdic', expected auto, utf-8, latin-1 or utf-16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf16_is_read_in_both_byte_orders),
        cmocka_unit_test(latin1_is_read_as_windows_1252),
        cmocka_unit_test(one_notice_says_the_encoding),
        cmocka_unit_test(half_characters_are_an_error_with_their_line),
        cmocka_unit_test(unknown_encodings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
