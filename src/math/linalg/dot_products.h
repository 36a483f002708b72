/* Products of rows of doubles with each other: the inner loop of matrix factors. */
#ifndef CNM_MATH_LINALG_DOT_PRODUCTS_H
#define CNM_MATH_LINALG_DOT_PRODUCTS_H

#include <stddef.h>

/* Sums that a product is made of, and rows that are taken together. */
enum { DOT_PRODUCT_SUMS = 8, DOT_PRODUCT_ROWS = 4 };

/* Sets out (rows) = y (rows, depth), `stride` doubles from row to row, times x (depth). The same
 * bits for every SIMD level and for any division of the rows into calls. */
void dot_products(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out);

#endif
