/* By the kernels of this machine. */
#include "math/linalg/dot_products.h"

#include "math/simd/simd_dispatch.h"

void dots(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out) {
    kernels_here()->dots(depth, x, y, stride, rows, out);
}
