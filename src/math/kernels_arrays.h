/* Small loops over arrays that a step of training runs; arrays.h says what they do. Part of kernels_body.h. */
#ifndef CNM_MATH_KERNELS_ARRAYS_H
#define CNM_MATH_KERNELS_ARRAYS_H

#include "math/kernels_vector.h"

static void scale_product(size_t count, float factor, const float *restrict by, float *restrict out) {
    for (size_t i = 0; i < count; i++) {
        out[i] *= factor * by[i];
    }
}

static void add_difference(size_t count, float factor, const float *restrict a, const float *restrict b,
                           float *restrict out) {
    for (size_t i = 0; i < count; i++) {
        out[i] += factor * (a[i] - b[i]);
    }
}

static void sum_arrays(size_t arrays, size_t step, size_t count, const float *restrict x, float *restrict out) {
    memcpy(out, x, count * sizeof *out);
    for (size_t a = 1; a < arrays; a++) {
        const float *restrict next = x + a * step;
        for (size_t i = 0; i < count; i++) {
            out[i] += next[i];
        }
    }
}

/* SUM_COLUMNS columns at a time, whose sums stay in registers. */
static void column_sums(size_t rows, size_t columns, const float *restrict x, float *restrict out) {
    enum { SUM_COLUMNS = 16 };
    for (size_t first = 0; first < columns; first += SUM_COLUMNS) {
        const size_t width = columns - first < SUM_COLUMNS ? columns - first : SUM_COLUMNS;
        double sums[SUM_COLUMNS] = {0};
        if (width == SUM_COLUMNS) {
            for (size_t row = 0; row < rows; row++) {
                for (size_t i = 0; i < SUM_COLUMNS; i++) {
                    sums[i] += (double)x[row * columns + first + i];
                }
            }
        } else {
            for (size_t row = 0; row < rows; row++) {
                for (size_t i = 0; i < width; i++) {
                    sums[i] += (double)x[row * columns + first + i];
                }
            }
        }
        for (size_t i = 0; i < width; i++) {
            out[first + i] = (float)sums[i];
        }
    }
}

#if !defined(VECTOR_STREAM)
#define VECTOR_STREAM(to, value) store(to, value)
#define STREAM_END() (void)0
#endif

/* Whole vectors past the caches, the rest through them. */
static void publish(size_t count, const float *restrict from, float *restrict to) {
    size_t i = 0;
    for (; i + VECTOR_FLOATS <= count; i += VECTOR_FLOATS) {
        VECTOR_STREAM(to + i, load(from + i));
    }
    memcpy(to + i, from + i, (count - i) * sizeof *to);
    STREAM_END();
}

#endif
