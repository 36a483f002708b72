/* Products of rows of doubles with each other: what factors of matrices are made of. */
#ifndef CNM_MATH_LINALG_DOT_PRODUCTS_H
#define CNM_MATH_LINALG_DOT_PRODUCTS_H

#include <stddef.h>

enum { DOTS_SUMS = 8, DOTS_ROWS = 4 }; /* sums that a dot is made of, and rows that are taken together */

/* out (rows) = y (rows, depth), `stride` doubles from row to row, times x (depth). The same bits for every level of kernels and for any
 * division of the rows into calls. */
void dots(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out);

#endif
