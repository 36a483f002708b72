/* Plain numbers of a text, as many at once as a vector has lanes of 64 bits: each step works on all of them. Part of
 * kernels_body.h; numbers.h says what for.
 *
 * First what ends the cells is found, 64 bytes by one comparison, and the beginnings of the cells are laid side by side. Then a
 * cell of up to 8 bytes is a word; one of up to 16 is two, each read like a short cell. Signs and points become masks, never
 * branches. A number is head / 10^decimals, both exact doubles (up to 15 digits with a point, decimals < 16), so one division rounds
 * exactly (Clinger's case); 16 digits without a point are one rounded sum. All other cells are number_cell.h's, one by one. */
#ifndef CNM_MATH_KERNELS_NUMBERS_H
#define CNM_MATH_KERNELS_NUMBERS_H

#include "math/kernels_vector.h"
#include "math/number_cell.h"

#if VECTOR_FLOATS > 4
#include "math/kernels_words.h"

/* Cells that are found before they are read, with room for those of one more look and to fill a vector. */
typedef struct number_tile {
    uint64_t stop[1 + NUMBERS_ROOM];              /* where cells end; cell i lies between stop[i] and stop[i + 1] */
    uint64_t text[NUMBERS_ROOM];                  /* the first 8 bytes of each, and what follows shorter ones */
    unsigned char odd[NUMBERS_ROOM / WORD_LANES]; /* bits of cells that must be looked at one by one */
    size_t line_ends;                             /* before the last cell that was wanted */
} number_tile;

/* Finds cells behind stop[0], looking at the text from *at on, which is moved: `wanted` and perhaps more, or all there are.
 * line_end: ends cells like the separator. Returns how many. */
static size_t find_cells(number_tile *tile, const number_text *text, const char **at, char line_end, size_t wanted) {
    enum { ROUND = 4 }; /* one branch for so many cells; those too many are overwritten by the next */
    size_t found = 0;
    tile->line_ends = 0;
    for (; *at < text->end && found < wanted; *at += LOOK) {
        const size_t left = (size_t)(text->end - *at), offset = (size_t)(*at - text->at);
        const uint64_t counted = left < LOOK ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        const uint64_t lines = bytes_equal(*at, line_end) & counted;
        uint64_t stops = lines | (bytes_equal(*at, text->separator) & counted);
        const size_t count = bits_count(stops);
        uint64_t *stop = tile->stop + found, *first = tile->text + found, before = *stop;
        for (size_t i = 0; i < count; i += ROUND) {
            UNROLL
            for (size_t k = i; k < i + ROUND; k++) {
                memcpy(first + k, text->at + (before + 1), sizeof *first);
                before = offset + bits_zeros_below(stops);
                stops &= stops - 1;
                stop[k + 1] = before;
            }
        }
        found += count;
        tile->line_ends += bits_count(found < wanted ? lines : lines & bits_to(tile->stop[wanted] - offset));
    }
    for (size_t lane = 1; lane < WORD_LANES; lane++) { /* short cells fill the last vector */
        tile->stop[found + lane] = tile->stop[found] + 2 * lane;
    }
    return found;
}

/* Words of text as numbers: head / 10^decimals. */
typedef struct number_words {
    word_values head;
    words decimals, point, odd; /* odd: not 0 where there are other bytes than digits and one point */
} number_words;

/* text: digits by their values, behind zeros. */
INLINE number_words read_words(words text) {
    number_words out;
    out.point = bytes_same(text, EACH_BYTE('.' ^ '0'));
    const words before = words_minus_one(out.point) & ~out.point; /* the first point; all bytes where there is none */
    const words behind = ~(before << 8 | 0xff);
    const words digits = (text & behind) | words_byte_left(text & before, out.point); /* a second point is no digit */
    out.decimals = bytes_sum(behind & EACH_BYTE(1));
    out.odd = bytes_above(digits, EACH_BYTE(9));
    const words fours = join_pairs(join_bytes(digits));
    const words head = LANES_PRODUCT(fours, EACH_WORD(10000)) + (fours >> 32);
    out.head = (word_values)(head | EACH_WORD(0x4330000000000000)) - 0x1p52; /* below 2^52 */
    return out;
}

/* Not 0 where the last byte is no digit: a point alone is no number, and few others end with one. */
INLINE words odd_end(words text) { return bytes_above(text, EACH_WORD(0x09ffffffffffffff)); }

INLINE word_values quotient(word_values head, word_values power, words minus) {
    return (word_values)((words)(head / power) ^ (minus & EACH_WORD(0x8000000000000000)));
}

/* Cells of 1 to 8 bytes and a span one larger; returns what is not 0 for all others. */
INLINE words read_short(words raw, words span, word_values *out) {
    const words minus = words_same(raw & 0xff, EACH_WORD('-'));
    const words shift = 72 - 8 * (span + minus);
    const words text = words_shift(words_byte_right(raw, minus) ^ EACH_BYTE('0'), shift);
    const number_words read = read_words(text);
    *out = quotient(read.head, power_of_ten(read.decimals), minus);
    return read.odd | odd_end(text) | (shift & ~UINT64_C(63));
}

/* Numbers of 1 to 16 bytes behind their signs. first, last: up to 8 bytes at both ends. */
INLINE words read_long(words first, words last, words length, words minus, word_values *out) {
    const words shift = 128 - 8 * length, is_short = words_nonzero(shift & 64);
    const words end = words_shift(last ^ EACH_BYTE('0'), is_short & (shift - 64));
    const number_words low = read_words(end), high = read_words(words_shift(first ^ EACH_BYTE('0'), shift));
    const words low_point = words_nonzero(low.point), high_point = words_nonzero(high.point);
    const word_values shifted = high.head * choose(low_point, 1e7, 1e8);
    const word_values power = power_of_ten(low.decimals + high.decimals) * choose(high_point, 1e8, 1.0);
    *out = quotient(shifted + low.head, power, minus);
    return low.odd | high.odd | odd_end(end) | (low_point & high_point) | (shift & ~UINT64_C(127));
}

static void read_all_short(number_tile *tile, size_t count, double *out) {
    for (size_t i = 0; i < count; i += WORD_LANES) {
        const words span = words_load(tile->stop + i + 1) - words_load(tile->stop + i);
        word_values values;
        const words odd = read_short(words_load(tile->text + i), span, &values);
        memcpy(out + i, &values, sizeof values);
        tile->odd[i / WORD_LANES] = (unsigned char)words_set(odd);
    }
}

/* Cells i to i + WORD_LANES again; returns the bits of those that are still odd. */
static unsigned read_lanes(const number_tile *tile, const number_text *text, size_t i, double *out) {
    uint64_t first[WORD_LANES], last[WORD_LANES], length[WORD_LANES];
    word_values values;
    const words minus = words_same(words_load(tile->text + i) & 0xff, EACH_WORD('-'));
    for (size_t lane = 0; lane < WORD_LANES; lane++) {
        const char *stop = text->at + tile->stop[i + lane + 1], *start = text->at + (tile->stop[i + lane] + 1);
        start += stop > start && *start == '-';
        length[lane] = (size_t)(stop - start);
        memcpy(&first[lane], start, sizeof *first);
        memcpy(&last[lane], length[lane] > sizeof *last ? stop - sizeof *last : start, sizeof *last);
    }
    const words odd = read_long(words_load(first), words_load(last), words_load(length), minus, &values);
    memcpy(out + i, &values, sizeof values);
    return words_set(odd);
}

/* Reads `count` cells of the tile; returns how many are numbers, up to the first that is none. */
static size_t read_tile(number_tile *tile, const number_text *text, size_t count, double *out) {
    read_all_short(tile, count, out);
    for (size_t i = 0; i < count; i += WORD_LANES) {
        unsigned odd = tile->odd[i / WORD_LANES];
        odd = odd != 0 ? read_lanes(tile, text, i, out) : 0;
        for (; odd != 0; odd &= odd - 1) {
            const size_t cell = i + bits_zeros_below(odd);
            if (cell >= count) {
                break;
            }
            const char *start = text->at + (tile->stop[cell] + 1), *stop = text->at + tile->stop[cell + 1];
            if (number_cell(start, text->end, *stop, out + cell) != stop) {
                return cell;
            }
        }
    }
    return count;
}

static size_t numbers_run(number_text *text) {
    number_tile tile;
    double numbers[NUMBERS_ROOM];
    const char *at = text->at;
    size_t read = 0;
    for (bool more = text->at < text->end; more && read < text->most;) {
        const size_t left = text->most - read, wanted = left < NUMBERS_TILE ? left : NUMBERS_TILE;
        tile.stop[0] = UINT64_MAX; /* one before the first cell */
        const size_t found = find_cells(&tile, text, &at, text->separator, wanted);
        const size_t count = found < wanted ? found : wanted, good = read_tile(&tile, text, count, numbers);
        memcpy(text->out + read, numbers, good * sizeof *numbers);
        read += good;
        at = text->at += tile.stop[good] + 1;
        more = good == wanted;
    }
    return read;
}

/* How many of the tile's first lines have `columns` cells. */
static size_t whole_lines(const number_tile *tile, const number_text *text, size_t columns, size_t lines) {
    bool regular = tile->line_ends == lines; /* and with one at the end of each, none is elsewhere */
    for (size_t i = 1; i <= lines; i++) {
        regular &= text->at[tile->stop[i * columns]] == '\n';
    }
    for (size_t cell = 0; !regular && cell < lines * columns; cell++) {
        if ((text->at[tile->stop[cell + 1]] == '\n') != ((cell + 1) % columns == 0)) {
            return cell / columns;
        }
    }
    return lines;
}

static size_t number_lines_run(number_text *text, size_t columns) {
    number_tile tile;
    const char *at = text->at;
    const size_t fitting = NUMBERS_TILE / columns, most = text->most < fitting ? text->most : fitting;
    tile.stop[0] = UINT64_MAX;
    const size_t found = find_cells(&tile, text, &at, '\n', most * columns) / columns;
    const size_t whole = whole_lines(&tile, text, columns, found < most ? found : most);
    const size_t lines = read_tile(&tile, text, whole * columns, text->out) / columns;
    text->at += tile.stop[lines * columns] + 1;
    return lines;
}
#else
static size_t numbers_run(number_text *text) { return number_cells(text); }
static size_t number_lines_run(number_text *text, size_t columns) {
    (void)text, (void)columns;
    return 0; /* line by line */
}
#endif

#endif
