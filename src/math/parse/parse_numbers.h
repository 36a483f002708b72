/* Parses many numbers of a text at once: cells that stand one behind the other, each a number right
 * up to the byte that ends it.
 *
 * Not for quotes, blanks around numbers or missing cells: reading stops before them, and the caller
 * reads these cells one by one. */
#ifndef CNM_MATH_PARSE_PARSE_NUMBERS_H
#define CNM_MATH_PARSE_PARSE_NUMBERS_H

#include <stddef.h>

/* NUMBERS_REACH: bytes behind the end of a text that may be read. NUMBERS_TILE: numbers that are
 * read in one go. */
enum { NUMBERS_REACH = 80, NUMBERS_TILE = 512, NUMBERS_ROOM = NUMBERS_TILE + 72 };

typedef struct number_text {
    const char *at;  /* the first cell; then the first that was not read */
    const char *end; /* a separator from here on does not count */
    char separator;
    size_t most; /* cells, or lines, to read */
    double *out; /* exactly rounded; behind those that were read, anything */
} number_text;

/* Reads finite numbers of a line until one is none, or has no separator behind it; returns how
 * many. out: (most). */
size_t parse_numbers(number_text *text);

/* Reads whole lines of `columns` finite numbers, all of them with "\n" or "\r\n" behind; returns
 * how many lines: 0 where the first one is not such a line, or where there are too many columns for
 * this. Fewer than asked for may come although more are there. out: (lines, columns), with room for
 * NUMBERS_ROOM numbers. */
size_t parse_number_lines(number_text *text, size_t columns);

#endif
