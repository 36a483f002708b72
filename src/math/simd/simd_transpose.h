/* Turns rows into columns, in squares of 4 by 4 where the compiler has shuffles. Part of
 * simd_body.h. */
#ifndef CNM_MATH_SIMD_SIMD_TRANSPOSE_H
#define CNM_MATH_SIMD_SIMD_TRANSPOSE_H

#include "math/simd/simd_vector.h"

#if defined(__GNUC__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES 1
#endif
#endif

#if defined(HAS_SHUFFLES)
typedef float four __attribute__((vector_size(16)));
typedef float stored_four __attribute__((vector_size(16), aligned(4), may_alias));

/* Sets out[j * out_stride + i] = source[i * stride + j] for i, j < 4. */
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

#if defined(HAS_SHUFFLES) && VECTOR_FLOATS >= 8
#define HAS_LARGE_SQUARES 1
typedef float eight __attribute__((vector_size(32)));
typedef float stored_eight __attribute__((vector_size(32), aligned(4), may_alias));

/* Loads four floats of each of two rows. */
INLINE eight two_rows(const float *low, const float *high) {
    const four a = *(const stored_four *)low, b = *(const stored_four *)high;
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* Transposes eight rows of four floats: the fours of rows i and i + 4 make one vector, whose halves
 * are transposed side by side. Column j times factor[j], unless that is NULL. */
INLINE void transpose_half_square(const float *source, size_t stride, const float *factor, float *out,
                                  size_t out_stride) {
    const eight a = two_rows(source, source + 4 * stride), b = two_rows(source + stride, source + 5 * stride);
    const eight c = two_rows(source + 2 * stride, source + 6 * stride);
    const eight d = two_rows(source + 3 * stride, source + 7 * stride);
    const eight ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const eight ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const eight cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const eight cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    const eight turned[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13),
                             __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15),
                             __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13),
                             __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15)};
    UNROLL for (size_t j = 0; j < 4; j++) {
        *(stored_eight *)(out + j * out_stride) = factor == NULL ? turned[j] : turned[j] * factor[j];
    }
}

/* Transpose whole cache lines of 16 floats at a time, of 8 rows of the source, or of 4 rows of the
 * target: rows that lie a power of two apart evict each other from the cache when there are more.
 * The first takes rows in eights, the second columns in fours, and both return how much of the
 * other they have done. */
INLINE size_t transpose_lines_read(const float *source, size_t stride, size_t rows, size_t columns, const float *factor,
                                   float *out, size_t out_stride) {
    size_t j = 0;
    for (; j + 16 <= columns; j += 16) {
        for (size_t i = 0; i < rows; i += 8) {
            UNROLL for (size_t part = 0; part < 16; part += 4) {
                transpose_half_square(source + i * stride + j + part, stride, factor == NULL ? NULL : factor + j + part,
                                      out + (j + part) * out_stride + i, out_stride);
            }
        }
    }
    return j;
}

INLINE size_t transpose_lines_written(const float *source, size_t stride, size_t rows, size_t columns, float *out,
                                      size_t out_stride) {
    size_t i = 0;
    for (; i + 16 <= rows; i += 16) {
        for (size_t j = 0; j < columns; j += 4) {
            UNROLL for (size_t part = 0; part < 16; part += 8) {
                transpose_half_square(source + (i + part) * stride + j, stride, NULL, out + j * out_stride + i + part,
                                      out_stride);
            }
        }
    }
    return i;
}
#endif

INLINE void transpose_squares(const float *source, size_t stride, size_t rows, size_t columns, float *out,
                              size_t out_stride) {
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

/* Sets out[j * out_stride + i] = source[i * stride + j] for i < rows, j < columns. */
static void transpose(const float *source, size_t stride, size_t rows, size_t columns, float *out, size_t out_stride) {
#if defined(HAS_LARGE_SQUARES)
    if (stride >= out_stride && rows % 8 == 0) {
        const size_t done = transpose_lines_read(source, stride, rows, columns, NULL, out, out_stride);
        source += done;
        out += done * out_stride;
        columns -= done;
    } else if (stride < out_stride && columns % 4 == 0) {
        const size_t done = transpose_lines_written(source, stride, rows, columns, out, out_stride);
        source += done * stride;
        out += done;
        rows -= done;
    }
#endif
    transpose_squares(source, stride, rows, columns, out, out_stride);
}

#endif
