/* Reads one cell of a text as a number: the scalar version of parse_numbers.h. */
#ifndef CNM_MATH_PARSE_PARSE_CELL_H
#define CNM_MATH_PARSE_PARSE_CELL_H

#include <math.h>

#include "base/text/text.h"
#include "base/text/text_plain.h"
#include "math/parse/parse_numbers.h"

/* Reads a finite number right up to its separator, and returns where that stands; else returns
 * NULL, and *out is undefined. */
static inline const char *parse_cell(const char *at, const char *end, char separator, double *out) {
    /* in this order: signs are hard to predict */
    if (at[1] == separator && (unsigned char)(*at - '0') < 10) {
        *out = (double)(*at - '0');
        return at + 1;
    }
    const unsigned length = digits_before(at, separator);
    if (length - 1 < DIGITS_AT_ONCE ? text_is_short(at, length, out) : text_read_plain(at, out) == at + length) {
        return at + length;
    }
    const char *stop = text_read_double(at, end, out);
    return stop != NULL && stop < end && *stop == separator && isfinite(*out) ? stop : NULL;
}

/* Does the work of parse_numbers one by one. */
static inline size_t parse_cells(number_text *text) {
    const char *at = text->at, *stop;
    size_t read = 0;
    for (; read < text->most && (stop = parse_cell(at, text->end, text->separator, text->out + read)) != NULL; read++) {
        at = stop + 1;
    }
    text->at = at;
    return read;
}

#endif
