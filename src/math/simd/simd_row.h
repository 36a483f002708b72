/* The product of one row: c (columns) = a (depth) b (depth, columns) (+ c), with the bits of a
 * tile: every column is one sum over `depth` terms in order. Part of simd_body.h. */
#ifndef CNM_MATH_SIMD_SIMD_ROW_H
#define CNM_MATH_SIMD_SIMD_ROW_H

#include "math/simd/simd_vector.h"

enum { ROW_VECTORS = 8 };

/* Computes `vectors` (a constant) vectors of columns. */
INLINE void row_vectors(size_t vectors, size_t depth, const float *a, const float *b, size_t ldb, bool add, float *c) {
    vector sum[ROW_VECTORS];
    UNROLL for (size_t v = 0; v < vectors; v++) { sum[v] = add ? load(c + v * VECTOR_FLOATS) : (vector){0}; }
    for (size_t l = 0; l < depth; l++, b += ldb) {
        const vector factor = VECTOR_OF(a[l]);
        UNROLL for (size_t v = 0; v < vectors; v++) {
            sum[v] = VECTOR_MULTIPLY_ADD(factor, load(b + v * VECTOR_FLOATS), sum[v]);
        }
    }
    UNROLL for (size_t v = 0; v < vectors; v++) { store(c + v * VECTOR_FLOATS, sum[v]); }
}

/* Computes fewer columns than a vector has. Rows of b are read together with what follows them, as
 * long as b goes on. */
static void row_cut(size_t depth, const float *a, const float *b, size_t ldb, size_t columns, bool add, float *c) {
    const size_t end = (depth - 1) * ldb + columns;
    vector sum = add ? load_some(c, columns) : (vector){0};
    size_t l = 0;
    for (; l < depth && l * ldb + VECTOR_FLOATS <= end; l++) {
        sum = VECTOR_MULTIPLY_ADD(VECTOR_OF(a[l]), load(b + l * ldb), sum);
    }
    for (; l < depth; l++) {
        sum = VECTOR_MULTIPLY_ADD(VECTOR_OF(a[l]), load_some(b + l * ldb, columns), sum);
    }
    store_some(c, sum, columns);
}

/* Computes all columns. A last vector that sticks out begins earlier, and computes some columns
 * again where nothing is added to. */
static void row_run(size_t depth, const float *a, const float *b, size_t ldb, size_t columns, bool add, float *c) {
    size_t j = 0;
    for (; j + ROW_VECTORS * VECTOR_FLOATS <= columns; j += ROW_VECTORS * VECTOR_FLOATS) {
        row_vectors(ROW_VECTORS, depth, a, b + j, ldb, add, c + j);
    }
    for (; j + 4 * VECTOR_FLOATS <= columns; j += 4 * VECTOR_FLOATS) {
        row_vectors(4, depth, a, b + j, ldb, add, c + j);
    }
    for (; j + VECTOR_FLOATS <= columns; j += VECTOR_FLOATS) {
        row_vectors(1, depth, a, b + j, ldb, add, c + j);
    }
    if (j < columns && columns >= VECTOR_FLOATS && !add) {
        row_vectors(1, depth, a, b + columns - VECTOR_FLOATS, ldb, false, c + columns - VECTOR_FLOATS);
    } else if (j < columns) {
        row_cut(depth, a, b + j, ldb, columns - j, add, c + j);
    }
}

#endif
