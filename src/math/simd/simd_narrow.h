/* Products with one column at a time, for heads with one or a few outputs. Part of simd_body.h.
 *
 * A row's sum is the same operations in the same order wherever the row stands. */
#ifndef CNM_MATH_SIMD_SIMD_NARROW_H
#define CNM_MATH_SIMD_SIMD_NARROW_H

#include "math/simd/simd_vector.h"

enum { NARROW_SUMS = 4 };

INLINE float add_all(vector sum) {
    float lanes[VECTOR_FLOATS];
    store(lanes, sum);
    for (size_t half = VECTOR_FLOATS / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            lanes[lane] += lanes[lane + half];
        }
    }
    return lanes[0];
}

static float dot(size_t depth, const float *a, const float *b) {
    vector sum[NARROW_SUMS] = {VECTOR_OF(0.0f), VECTOR_OF(0.0f), VECTOR_OF(0.0f), VECTOR_OF(0.0f)};
    size_t l = 0;
    for (; l + NARROW_SUMS * VECTOR_FLOATS <= depth; l += NARROW_SUMS * VECTOR_FLOATS) {
        for (size_t v = 0; v < NARROW_SUMS; v++) {
            const size_t at = l + v * VECTOR_FLOATS;
            sum[v] = VECTOR_MULTIPLY_ADD(load(a + at), load(b + at), sum[v]);
        }
    }
    for (; l + VECTOR_FLOATS <= depth; l += VECTOR_FLOATS) {
        sum[0] = VECTOR_MULTIPLY_ADD(load(a + l), load(b + l), sum[0]);
    }
    if (l < depth) {
        sum[1] = VECTOR_MULTIPLY_ADD(load_some(a + l, depth - l), load_some(b + l, depth - l), sum[1]);
    }
    return add_all((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static void narrow_rows(size_t depth, const float *a, size_t lda, size_t rows, const float *b, float *out) {
    for (size_t i = 0; i < rows; i++) {
        out[i] = dot(depth, a + i * lda, b);
    }
}

/* Computes `vectors` (a constant) vectors of rows at a time. */
INLINE void some_columns(size_t vectors, size_t depth, const float *a, size_t lda, const float *b, float *out) {
    vector sum[NARROW_SUMS] = {VECTOR_OF(0.0f), VECTOR_OF(0.0f), VECTOR_OF(0.0f), VECTOR_OF(0.0f)};
    for (size_t l = 0; l < depth; l++) {
        for (size_t v = 0; v < vectors; v++) {
            sum[v] = VECTOR_MULTIPLY_ADD(load(a + l * lda + v * VECTOR_FLOATS), VECTOR_OF(b[l]), sum[v]);
        }
    }
    for (size_t v = 0; v < vectors; v++) {
        store(out + v * VECTOR_FLOATS, sum[v]);
    }
}

static void narrow_columns(size_t depth, const float *a, size_t lda, size_t rows, const float *b, float *out) {
    size_t i = 0;
    for (; i + NARROW_SUMS * VECTOR_FLOATS <= rows; i += NARROW_SUMS * VECTOR_FLOATS) {
        some_columns(NARROW_SUMS, depth, a + i, lda, b, out + i);
    }
    for (; i < rows; i += VECTOR_FLOATS) {
        some_columns(1, depth, a + i, lda, b, out + i);
    }
}

#endif
