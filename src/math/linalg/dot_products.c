/* Products of rows of doubles, by the SIMD code of this machine. */
#include "math/linalg/dot_products.h"

#include "math/simd/simd_dispatch.h"

void dot_products(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out) {
    simd_active()->dot_products(depth, x, y, stride, rows, out);
}
