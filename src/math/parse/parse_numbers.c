/* Parses numbers by the SIMD code of this machine: the same bits, cells and lines at every
 * level. */
#include "math/parse/parse_numbers.h"

#include "math/parse/parse_cell.h"
#include "math/simd/simd_dispatch.h"

size_t parse_numbers(number_text *text) {
    enum { FEW = 16 }; /* too few for vectors to be faster */
    return text->most < FEW ? parse_cells(text) : simd_active()->numbers(text);
}

size_t parse_number_lines(number_text *text, size_t columns) {
    return columns > 0 && columns <= NUMBERS_TILE ? simd_active()->number_lines(text, columns) : 0;
}
