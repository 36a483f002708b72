/* Small loops over arrays; kernels_arrays.h has them. */
#include "math/linalg/vector_ops.h"

#include "math/simd/simd_dispatch.h"

void array_scale_product(size_t count, float factor, const float *by, float *out) {
    kernels_here()->scale_product(count, factor, by, out);
}

void array_add_difference(size_t count, float factor, const float *a, const float *b, float *out) {
    kernels_here()->add_difference(count, factor, a, b, out);
}

void array_shift_scale(size_t count, const float *x, const float *shift, const float *scale, float *out) {
    kernels_here()->shift_scale(count, x, shift, scale, out);
}

void array_sum(size_t arrays, size_t step, size_t count, const float *x, float *out) {
    kernels_here()->sum_arrays(arrays, step, count, x, out);
}

void array_publish(size_t count, const float *from, float *to) { kernels_here()->publish(count, from, to); }

void array_publish_end(void) { kernels_here()->publish_end(); }

void array_column_sums(size_t rows, size_t columns, const float *x, float *out) {
    kernels_here()->column_sums(rows, columns, x, out);
}

void array_scale_columns(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums) {
    kernels_here()->scale_columns(rows, columns, factor, by, out, sums);
}
