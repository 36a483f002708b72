/* Parses plain numbers of a text, as many at once as a vector has lanes of 64 bits: each step works
 * on all of them. Part of simd_body.h; parse_numbers.h has the interface.
 *
 * First the ends of the cells are found, 64 bytes by one comparison, and the beginnings of the
 * cells are laid side by side. Then a cell of up to 8 bytes is a word; one of up to 16 is two, each
 * read like a short cell. Signs and points become masks, never branches. A number is head /
 * 10^decimals, both exact doubles (up to 15 digits with a point, decimals < 16), so one division
 * rounds exactly (Clinger 1990); 16 digits without a point are one rounded sum. All other cells are
 * read by text.h, one by one. */
#ifndef CNM_MATH_SIMD_SIMD_NUMBERS_H
#define CNM_MATH_SIMD_SIMD_NUMBERS_H

#include "math/parse/parse_cell.h"
#include "math/simd/simd_vector.h"

#if VECTOR_FLOATS > 4
#include "math/simd/simd_words.h"

/* Cells that are found before they are read, with room for one more comparison's and to fill a
 * vector. */
typedef struct number_tile {
    uint32_t stop[1 + NUMBERS_ROOM];              /* cell i: between stop[i] and stop[i + 1] */
    uint64_t text[NUMBERS_ROOM];                  /* 8 bytes from the start of each cell */
    unsigned char odd[NUMBERS_ROOM / WORD_LANES]; /* bits of cells to read one by one */
    size_t line_ends;                             /* up to the last cell that was wanted */
} number_tile;

/* Lays the beginnings of `count` cells side by side, and of a few more to fill a vector. */
static void lay_cells(number_tile *tile, const char *at, size_t count) {
    for (size_t lane = 1; lane < WORD_LANES; lane++) { /* short cells */
        tile->stop[count + lane] = tile->stop[count] + (uint32_t)(2 * lane);
    }
    for (size_t i = 0; i < count; i += WORD_LANES) {
        UNROLL
        for (size_t lane = 0; lane < WORD_LANES; lane++) {
            memcpy(tile->text + i + lane, at + (uint32_t)(tile->stop[i + lane] + 1), sizeof *tile->text);
        }
    }
}

/* Finds cells of the text: `wanted` and perhaps more, or all there are. line_end: ends cells as the
 * separator does. */
static size_t find_cells(number_tile *tile, const number_text *text, char line_end, size_t wanted) {
    const size_t size = (size_t)(text->end - text->at), limit = size < FARTHEST_STOP ? size : FARTHEST_STOP;
    const char *const start = text->at, separator = text->separator;
    size_t found = 0, line_ends = 0;
    tile->stop[0] = UINT32_MAX; /* one before the first cell */
    for (size_t at = 0; at < limit && found < wanted; at += LOOK) {
        const uint64_t counted = limit - at < LOOK ? (UINT64_C(1) << (limit - at)) - 1 : UINT64_MAX;
        const uint64_t lines = bytes_equal(start + at, line_end) & counted;
        const uint64_t stops = lines | (bytes_equal(start + at, separator) & counted);
        put_places(stops, (uint32_t)at, tile->stop + 1 + found);
        found += bits_count(stops);
        line_ends += bits_count(found < wanted ? lines : lines & bits_to(tile->stop[wanted] - at));
    }
    tile->line_ends = line_ends;
    lay_cells(tile, start, found);
    return found;
}

/* Words that are the same in all lanes. */
typedef struct number_constants {
    words first_byte, zeros, minus, point, one, ones, nines, last_nine, thousands;
} number_constants;

INLINE number_constants keep_constants(void) {
    const uint64_t bytes = UINT64_C(0x0101010101010101);
    return (number_constants){.first_byte = kept(0xff),
                              .zeros = kept(bytes * '0'),
                              .minus = kept('-'),
                              .point = kept(bytes * ('.' ^ '0')),
                              .one = kept(1),
                              .ones = kept(bytes),
                              .nines = kept(bytes * 9),
                              .last_nine = kept(UINT64_C(0x09ffffffffffffff)),
                              .thousands = kept(10000)};
}

/* Words of text as numbers: head / 10^decimals. */
typedef struct number_words {
    word_values head;
    words decimals, odd; /* odd: not 0 where there are other bytes than digits and one point */
    word_lanes point;
} number_words;

/* Reads words of text: digits by their values, behind zeros. */
INLINE number_words read_words(const number_constants *c, words text) {
    number_words out;
    const words points = bytes_same(text, c->point);
    /* the first point; all bytes where there is none */
    const words before = (points - c->one) & ~points;
    const words through = before << 8 | c->first_byte;
    out.point = words_nonzero(points);
    out.decimals = bytes_sum(~through & c->ones);
    /* a second point is no digit */
    const words digits = words_left_in(out.point, text & before) | (text & ~through);
    out.odd = bytes_above(digits, c->nines);
    const words fours = join_pairs(join_bytes(digits));
    out.head = small_values(LANES_PRODUCT(fours, c->thousands) + (fours >> 32));
    return out;
}

/* Returns a word that is not 0 where the last byte is no digit: a point alone is no number, and few
 * others end with one. */
INLINE words odd_end(const number_constants *c, words text) { return bytes_above(text, c->last_nine); }

/* Reads cells of 1 to 8 bytes and a span one larger; returns a word that is not 0 for all
 * others. */
INLINE words read_short(const number_constants *c, words raw, words span, word_values *out) {
    const word_lanes minus = words_same(raw & c->first_byte, c->minus);
    const words by = words_plus_8_in(minus, 72 - 8 * span);
    const words text = words_left_by(words_right_in(minus, raw) ^ c->zeros, by);
    const number_words read = read_words(c, text);
    *out = minus_in(minus, read.head / power_of_ten(read.decimals));
    return read.odd | odd_end(c, text) | (by & ~UINT64_C(63));
}

/* Reads cells of one digit, which many files are full of; returns a word that is not 0 for all
 * others. */
INLINE words read_digits(const number_constants *c, words raw, words span, word_values *out) {
    const words digit = (raw ^ c->zeros) & c->first_byte;
    *out = small_values(digit);
    return (span ^ 2) | bytes_above(digit, c->nines);
}

/* Reads numbers of 1 to 16 bytes behind their signs. first, last: up to 8 bytes at both ends. */
INLINE words read_long(const number_constants *c, words first, words last, words length, word_lanes minus,
                       word_values *out) {
    /* 0 for two words */
    const words by = 128 - 8 * length, end_by = by & 63 & (0 - (by >> 6));
    const words end = words_left_by(last ^ c->zeros, end_by);
    const number_words low = read_words(c, end), high = read_words(c, words_left_by(first ^ c->zeros, by));
    const word_values upper = high.head * choose(low.point, 1e7, 1e8);
    const word_values power = power_of_ten(low.decimals + high.decimals) * choose(high.point, 1e8, 1.0);
    *out = minus_in(minus, (upper + low.head) / power);
    const words two_points = (words)choose(low.point, 1.0, 0.0) & (words)choose(high.point, 1.0, 0.0);
    return low.odd | high.odd | odd_end(c, end) | two_points | (by & ~UINT64_C(127));
}

static void read_all_short(number_tile *tile, size_t count, double *out) {
    const number_constants c = keep_constants();
    for (size_t i = 0; i < count; i += WORD_LANES) {
        const words span = words_widen(tile->stop + i + 1) - words_widen(tile->stop + i);
        const words text = words_load(tile->text + i);
        const bool digits = tile->stop[i + WORD_LANES] - tile->stop[i] == 2 * WORD_LANES;
        word_values values;
        const words odd = digits ? read_digits(&c, text, span, &values) : read_short(&c, text, span, &values);
        memcpy(out + i, &values, sizeof values);
        tile->odd[i / WORD_LANES] = (unsigned char)words_set(odd);
    }
}

/* Reads cells i to i + WORD_LANES again; returns the bits of those that are still odd. */
static unsigned read_lanes(const number_tile *tile, const number_text *text, size_t i, double *out) {
    uint64_t first[WORD_LANES], last[WORD_LANES], length[WORD_LANES];
    word_values values;
    const number_constants c = keep_constants();
    const word_lanes minus = words_same(words_load(tile->text + i) & c.first_byte, c.minus);
    for (size_t lane = 0; lane < WORD_LANES; lane++) {
        const char *stop = text->at + tile->stop[i + lane + 1],
                   *start = text->at + (uint32_t)(tile->stop[i + lane] + 1);
        start += stop > start && *start == '-';
        length[lane] = (size_t)(stop - start);
        memcpy(&first[lane], start, sizeof *first);
        memcpy(&last[lane], length[lane] > sizeof *last ? stop - sizeof *last : start, sizeof *last);
    }
    const words odd = read_long(&c, words_load(first), words_load(last), words_load(length), minus, &values);
    memcpy(out + i, &values, sizeof values);
    return words_set(odd);
}

/* Reads one cell without vectors: a finite number right up to its end, or to the first byte of a
 * line end of two. */
static bool read_alone(const number_tile *tile, const number_text *text, size_t cell, double *out) {
    const char *start = text->at + (uint32_t)(tile->stop[cell] + 1), *stop = text->at + tile->stop[cell + 1];
    const char *after = text_read_double(start, text->end, out);
    return after != NULL && isfinite(*out) && after == stop - (*stop == '\n' && stop > start && stop[-1] == '\r');
}

/* Reads `count` cells of the tile; returns how many are numbers, up to the first that is none. */
static size_t read_tile(number_tile *tile, const number_text *text, size_t count, double *out) {
    bool some_longer = true;
    read_all_short(tile, count, out);
    for (size_t i = 0; i < count; i += WORD_LANES) {
        unsigned odd = tile->odd[i / WORD_LANES];
        if (odd != 0 && some_longer) {
            const unsigned left = read_lanes(tile, text, i, out);
            some_longer = left != odd; /* where a second try reads nothing, the next are not tried */
            odd = left;
        }
        for (; odd != 0 && i + bits_zeros_below(odd) < count; odd &= odd - 1) {
            const size_t cell = i + bits_zeros_below(odd);
            if (!read_alone(tile, text, cell, out + cell)) {
                return cell;
            }
        }
    }
    return count;
}

static size_t numbers_run(number_text *text) {
    number_tile tile;
    double numbers[NUMBERS_ROOM];
    size_t read = 0;
    for (bool more = true; more && read < text->most;) {
        const size_t left = text->most - read, wanted = left < NUMBERS_TILE ? left : NUMBERS_TILE;
        const size_t found = find_cells(&tile, text, text->separator, wanted);
        const size_t good = read_tile(&tile, text, found < wanted ? found : wanted, numbers);
        memcpy(text->out + read, numbers, good * sizeof *numbers);
        read += good;
        text->at += (uint32_t)(tile.stop[good] + 1);
        more = good == wanted;
    }
    return read;
}

/* Counts how many of the tile's first lines have `columns` cells. */
static size_t whole_lines(const number_tile *tile, const number_text *text, size_t columns, size_t lines) {
    /* and with one at the end of each, none is elsewhere */
    bool regular = tile->line_ends == lines;
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
    const size_t fitting = NUMBERS_TILE / columns, most = text->most < fitting ? text->most : fitting;
    const size_t found = find_cells(&tile, text, '\n', most * columns) / columns;
    const size_t whole = whole_lines(&tile, text, columns, found < most ? found : most);
    const size_t lines = read_tile(&tile, text, whole * columns, text->out) / columns;
    text->at += (uint32_t)(tile.stop[lines * columns] + 1);
    return lines;
}
#else
static size_t numbers_run(number_text *text) { return parse_cells(text); }
static size_t number_lines_run(number_text *text, size_t columns) {
    (void)text, (void)columns;
    return 0; /* line by line */
}
#endif

#endif
