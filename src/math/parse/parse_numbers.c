/* Numbers of text, by the kernels of this machine: the same bits, cells and lines at every level. */
#include "math/parse/parse_numbers.h"

#include "math/simd/simd_dispatch.h"
#include "math/parse/parse_cell.h"

size_t numbers_read(number_text *text) {
    enum { FEW = 16 }; /* for which vectors do not pay */
    return text->most < FEW ? number_cells(text) : kernels_here()->numbers(text);
}

size_t numbers_read_lines(number_text *text, size_t columns) {
    return columns > 0 && columns <= NUMBERS_TILE ? kernels_here()->number_lines(text, columns) : 0;
}
