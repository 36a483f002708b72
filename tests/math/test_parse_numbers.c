/* Numbers of text, many at once: at every level the cells, the lines and the bits that the exact
 * path gives one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/core/random.h"
#include "base/text/text.h"
#include "math/simd/simd_dispatch.h"

enum { TEXT_SIZE = 1 << 15, MOST_CELLS = 2000, ROUNDS = 4000, LINE_ROUNDS = 3000 };

/* A stream of choices. */
typedef struct dice {
    uint64_t index;
} dice;

static uint32_t below(dice *self, uint32_t limit) {
    uint32_t words[4];
    random_words((random_stream){31, RANDOM_TEST, 1}, self->index++, words);
    return words[0] % limit;
}

static size_t put(char *out, const char *text) {
    memcpy(out, text, strlen(text));
    return strlen(text);
}

static size_t put_digits(char *out, dice *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[i] = (char)('0' + below(from, 10));
    }
    return count;
}

/* Puts up to `most` digits with a sign, a point and an exponent, as the dice fall. */
static size_t put_number(char *out, dice *from, uint32_t most) {
    const uint32_t whole = below(from, most + 1), behind = below(from, most + 1 - whole);
    size_t at = below(from, 3) == 0 ? put(out, below(from, 6) == 0 ? "+" : "-") : 0;
    at += below(from, 6) == 0 ? put(out + at, &"000000000000000000000"[below(from, 22)]) : 0;
    at += put_digits(out + at, from, whole);
    at += behind > 0 || below(from, 4) == 0 ? put(out + at, ".") : 0;
    at += put_digits(out + at, from, behind);
    if (below(from, 12) == 0) {
        at += (size_t)snprintf(out + at, 8, "%c%d", "eE"[below(from, 2)], (int)below(from, 80) - 40);
    }
    return at;
}

static const char *const EDGES[] = {
    "0",
    "-0",
    "0.0",
    "-.0",
    "5.",
    "-5.",
    ".5",
    "-.5",
    "00000000",
    "0000000000000000",
    "99999999",
    "-9999999",
    "-99999999",
    "9007199254740992",
    "9007199254740993",
    "9007199254740995",
    "8999999999999999",
    "8900000000000001",
    "8899999999999999",
    "9999999999999999",
    "99999999.9999999",
    "9999999.99999999",
    "0.99999999999999",
    "1.000000000000",
    "-9007199254740993",
    "-900719925474.0993",
    "1234567.12345678",
    "12345678.1234567",
    "0.1",
    "-0.00000000000001",
    "123456789012345678901234567890",
    "1e22",
    "1e-22",
    "4.9e-324",
    "2e308",
    "+7",
    "1e5",
};

static const char *const ODD[] = {
    "",
    "-",
    ".",
    "-.",
    "+",
    "inf",
    "-inf",
    "nan",
    "NA",
    "?",
    "\"1\"",
    " 1",
    "1 ",
    "1-2",
    "--1",
    "1..2",
    "1.2.3",
    "12a",
    "1e",
    "e5",
    "0x10",
    "1_000",
    "\r",
    "1\r",
    "12345678x",
    "1234567890123456x",
    "x2345678901234",
    "1/2",
    "1:2",
    "1\n",
    "12345678.1234567.",
    ".12345678.1234567",
    "12345678-1234567",
    "1e999",
    "-1e999",
};

/* Puts one cell; odd ones, which mostly are no numbers, once in `rarity`. */
static size_t put_cell(char *out, dice *from, uint32_t rarity) {
    if (below(from, rarity) == 0) {
        return put(out, ODD[below(from, sizeof ODD / sizeof *ODD)]);
    }
    switch (below(from, 8)) {
    case 0:
        return put(out, EDGES[below(from, sizeof EDGES / sizeof *EDGES)]);
    case 1:
        return put_digits(out, from, 1);
    case 2:
        return put_number(out, from, 25);
    case 3:
        return put_number(out, from, below(from, 50) == 0 ? 300 : 16);
    case 4:
        return put_number(out, from, 16);
    default:
        return put_number(out, from, 8);
    }
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Reads the number between two places by the exact path; returns false when there is none, or an
 * infinite one. */
static bool read_exactly(const char *at, const char *stop, double *value) {
    return text_is_double(at, stop, value) && isfinite(*value);
}

/* Puts a text into memory of its own, and behind it bytes that may be read but never count. */
static char *place(const char *text, size_t size, dice *from) {
    static const char BEHIND[] = ",,1,2.5,\n7\n,.-e00000";
    char *out = malloc(size + NUMBERS_REACH);
    assert_non_null(out);
    memcpy(out, text, size);
    for (size_t i = 0; i < NUMBERS_REACH; i++) {
        out[size + i] = i == 0 ? '\n' : BEHIND[below(from, sizeof BEHIND - 1)];
    }
    return out;
}

/* Returns what parse_numbers shall read. */
static size_t expect_cells(number_text *text) {
    size_t count = 0;
    while (count < text->most) {
        const char *stop = text->at;
        while (stop < text->end && *stop != text->separator) {
            stop++;
        }
        if (stop == text->end || !read_exactly(text->at, stop, &text->out[count])) {
            break;
        }
        text->at = stop + 1;
        count++;
    }
    return count;
}

static void assert_same_numbers(const double *found, const double *expected, size_t count, const char *text,
                                const char *level) {
    for (size_t i = 0; i < count; i++) {
        if (bits_of(found[i]) != bits_of(expected[i])) {
            fail_msg("%s: number %zu is %a, expected %a, of %.400s", level, i, found[i], expected[i], text);
        }
    }
}

static void every_level_reads_the_same_cells(void **state) {
    static const char SEPARATORS[] = {',', ';', '\t', '|', ' '};
    static char written[TEXT_SIZE];
    static double expected[MOST_CELLS], found[MOST_CELLS + 1];
    dice from = {0};
    size_t all = 0;
    (void)state;
    for (size_t round = 0; round < ROUNDS; round++) {
        const char separator = SEPARATORS[below(&from, 5)];
        const size_t cells = round % 50 == 0 ? 700 : below(&from, 90);
        const uint32_t rarity = 1 + below(&from, 400);
        size_t size = 0;
        for (size_t i = 0; i < cells && size < TEXT_SIZE - 400; i++) {
            size += put_cell(written + size, &from, rarity);
            written[size++] = separator;
        }
        size += put_cell(written + size, &from, rarity); /* has no separator behind it */
        char *bytes = place(written, size, &from);
        const size_t most = below(&from, 3) == 0 ? below(&from, (uint32_t)cells + 2) : cells + 5;
        number_text wanted = {bytes, bytes + size, separator, most, expected};
        const size_t count = expect_cells(&wanted);
        all += count;
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            number_text text = {bytes, bytes + size, separator, most, found};
            found[most] = 0.25;
            if (simd_level(level)->numbers(&text) != count || text.at != wanted.at) {
                fail_msg("%s: read up to %td, expected %td, of %.400s", simd_level(level)->name, text.at - bytes,
                         wanted.at - bytes, bytes);
            }
            assert_same_numbers(found, expected, count, bytes, simd_level(level)->name);
            assert_true(found[most] == 0.25);
        }
        free(bytes);
    }
    assert_true(all > (size_t)ROUNDS * 10);
}

/* Returns what parse_number_lines shall read: as many whole lines as fit. */
static size_t expect_lines(number_text *text, size_t columns) {
    const size_t fitting = NUMBERS_TILE / columns;
    size_t lines = 0;
    for (; lines < fitting && lines < text->most; lines++) {
        const char *at = text->at;
        for (size_t j = 0; j < columns; j++) {
            const char *stop = at;
            while (stop < text->end && *stop != text->separator && *stop != '\n') {
                stop++;
            }
            const bool ends = stop < text->end && (*stop == '\n') == (j + 1 == columns);
            const char *cell_end = ends && *stop == '\n' && stop > at && stop[-1] == '\r' ? stop - 1 : stop;
            if (!ends || !read_exactly(at, cell_end, &text->out[lines * columns + j])) {
                return lines;
            }
            at = stop + 1;
        }
        text->at = at;
    }
    return lines;
}

static size_t put_lines(char *out, dice *from, size_t columns) {
    const uint32_t rarity = 20 + below(from, 4000);
    const bool returns = below(from, 4) == 0; /* "\r\n" */
    size_t size = 0;
    for (size_t line = 0; line < 60 && size < TEXT_SIZE - 400 * columns - 400; line++) {
        const size_t cells = below(from, 60) == 0 ? below(from, (uint32_t)columns + 3) : columns;
        for (size_t j = 0; j < cells; j++) {
            size += put_cell(out + size, from, rarity);
            size += put(out + size, j + 1 < cells ? "," : returns ? "\r\n" : "\n");
        }
        size += below(from, 200) == 0 ? put(out + size, below(from, 2) ? "\n" : "\r\n") : 0;
    }
    return below(from, 5) == 0 ? size - 1 : size; /* the last line may lack its end */
}

static void every_level_reads_the_same_lines(void **state) {
    static char written[TEXT_SIZE];
    static double expected[NUMBERS_ROOM], found[NUMBERS_ROOM];
    dice from = {UINT64_C(1) << 40};
    size_t all = 0;
    (void)state;
    for (size_t round = 0; round < LINE_ROUNDS; round++) {
        const size_t columns = 1 + below(&from, round % 10 == 0 ? 60 : 12);
        const size_t size = put_lines(written, &from, columns);
        char *bytes = place(written, size, &from);
        const size_t most = below(&from, 4) == 0 ? below(&from, 20) : SIZE_MAX;
        number_text wanted = {bytes, bytes + size, ',', most, expected};
        const size_t lines = expect_lines(&wanted, columns);
        all += lines;
        for (size_t level = 0; simd_level(level) != NULL; level++) {
            number_text text = {bytes, bytes + size, ',', most, found};
            const size_t got = simd_level(level)->number_lines(&text, columns);
            /* reads every line by itself */
            const bool plain = simd_level(level)->vector_floats <= 4;
            if (got != (plain ? 0 : lines) || text.at != (plain ? bytes : wanted.at)) {
                fail_msg("%s: %zu lines, expected %zu, of %.400s", simd_level(level)->name, got, lines, bytes);
            }
            assert_same_numbers(found, expected, got * columns, bytes, simd_level(level)->name);
        }
        free(bytes);
    }
    assert_true(all > (size_t)LINE_ROUNDS * 5);
}

/* Tries all bytes in all places of cells of 1 to 17 bytes: a number only where the exact path finds
 * one. */
static void no_other_byte_passes_for_a_digit(void **state) {
    static const char *const LIKE[] = {"55555555555555555", "-5555555555555555", "5555.555555555555",
                                       "-.55555555555555"};
    (void)state;
    for (size_t which = 0; which < 4 * 17; which++) {
        const size_t length = 1 + which / 4;
        for (size_t byte = 0; byte < 256 * length; byte++) {
            char text[17 + 1 + NUMBERS_REACH];
            double value = 0, expected = 0;
            memset(text, '1', sizeof text);
            memcpy(text, LIKE[which % 4], length);
            text[byte / 256] = (char)(byte % 256);
            text[length] = ',';
            const bool number = read_exactly(text, text + length, &expected) && memchr(text, ',', length) == NULL;
            for (size_t level = 0; simd_level(level) != NULL; level++) {
                number_text read = {text, text + length + 1, ',', 1, &value};
                const bool found = simd_level(level)->numbers(&read) == 1 && read.at == read.end;
                if (found != number || (number && bits_of(value) != bits_of(expected))) {
                    fail_msg("%s: %.*s", simd_level(level)->name, (int)length, text);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_reads_the_same_cells),
        cmocka_unit_test(every_level_reads_the_same_lines),
        cmocka_unit_test(no_other_byte_passes_for_a_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
