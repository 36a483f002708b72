/* Turning rows into columns, in squares of 4 by 4 where the compiler has shuffles. Part of kernels_body.h. */
#ifndef CNM_MATH_KERNELS_TRANSPOSE_H
#define CNM_MATH_KERNELS_TRANSPOSE_H

#include "math/kernels_vector.h"

#if defined(__GNUC__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES 1
#endif
#endif

#if defined(HAS_SHUFFLES)
typedef float four __attribute__((vector_size(16)));
typedef float stored_four __attribute__((vector_size(16), aligned(4), may_alias));

/* out[j * out_stride + i] = source[i * stride + j] for i, j < 4. */
INLINE void transpose_square(const float *source, size_t stride, float *out, size_t out_stride) {
    const four a = *(const stored_four *)source, b = *(const stored_four *)(source + stride);
    const four c = *(const stored_four *)(source + 2 * stride), d = *(const stored_four *)(source + 3 * stride);
    const four ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(stored_four *)out = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *(stored_four *)(out + out_stride) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *(stored_four *)(out + 2 * out_stride) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *(stored_four *)(out + 3 * out_stride) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}
#else
INLINE void transpose_square(const float *source, size_t stride, float *out, size_t out_stride) {
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            out[j * out_stride + i] = source[i * stride + j];
        }
    }
}
#endif

/* out[j * out_stride + i] = source[i * stride + j] for i < rows, j < columns. */
static void transpose(const float *source, size_t stride, size_t rows, size_t columns, float *out, size_t out_stride) {
    const size_t square_rows = rows / 4 * 4, square_columns = columns / 4 * 4;
    for (size_t j = 0; j < square_columns; j += 4) {
        for (size_t i = 0; i < square_rows; i += 4) {
            transpose_square(source + i * stride + j, stride, out + j * out_stride + i, out_stride);
        }
    }
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = j < square_columns ? square_rows : 0; i < rows; i++) {
            out[j * out_stride + i] = source[i * stride + j];
        }
    }
}

#endif
