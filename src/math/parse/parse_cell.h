/* One cell of a text as a number: the plain version of numbers.h. */
#ifndef CNM_MATH_PARSE_PARSE_CELL_H
#define CNM_MATH_PARSE_PARSE_CELL_H

#include <math.h>

#include "base/text/text.h"
#include "base/text/text_plain.h"
#include "math/parse/parse_numbers.h"

/* A finite number right up to its separator, to which it returns; else NULL, and *out is anything. */
static inline const char *number_cell(const char *at, const char *end, char separator, double *out) {
    if (at[1] == separator && (unsigned char)(*at - '0') < 10) { /* in this order: signs are hard to foresee */
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

/* numbers_read one by one. */
static inline size_t number_cells(number_text *text) {
    const char *at = text->at, *stop;
    size_t read = 0;
    for (; read < text->most && (stop = number_cell(at, text->end, text->separator, text->out + read)) != NULL;
         read++) {
        at = stop + 1;
    }
    text->at = at;
    return read;
}

#endif
