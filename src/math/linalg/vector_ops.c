/* Small loops over arrays; simd_arrays.h has them. */
#include "math/linalg/vector_ops.h"

#include "math/simd/simd_dispatch.h"

void vector_scale_product(size_t count, float factor, const float *by, float *out) {
    simd_active()->scale_product(count, factor, by, out);
}

void vector_add_difference(size_t count, float factor, const float *a, const float *b, float *out) {
    simd_active()->add_difference(count, factor, a, b, out);
}

void vector_translate_scale(size_t count, const float *x, const float *offset, const float *scale, float *out) {
    simd_active()->translate_scale(count, x, offset, scale, out);
}

void vector_sum(size_t arrays, size_t step, size_t count, const float *x, float *out) {
    simd_active()->sum_arrays(arrays, step, count, x, out);
}

void vector_publish(size_t count, const float *from, float *to) { simd_active()->publish(count, from, to); }

void vector_publish_end(void) { simd_active()->publish_end(); }

void vector_column_sums(size_t rows, size_t columns, const float *x, float *out) {
    simd_active()->column_sums(rows, columns, x, out);
}

void vector_scale_columns(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums) {
    simd_active()->scale_columns(rows, columns, factor, by, out, sums);
}
