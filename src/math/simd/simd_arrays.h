/* Small loops over arrays for the steps of training; vector_ops.h documents them. Part of
 * simd_body.h. */
#ifndef CNM_MATH_SIMD_SIMD_ARRAYS_H
#define CNM_MATH_SIMD_SIMD_ARRAYS_H

#include "math/simd/simd_vector.h"

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

/* Has two constants: `translates` and `scales`, whether there are offsets and scales. */
INLINE void translate_scale_some(size_t count, const float *x, bool translates, const float *offset, bool scales,
                                 const float *scale, float *out) {
    size_t i = 0;
    for (; i + VECTOR_FLOATS <= count; i += VECTOR_FLOATS) {
        const vector moved = translates ? load(x + i) - load(offset + i) : load(x + i);
        store(out + i, scales ? moved * load(scale + i) : moved);
    }
    if (i < count) {
        const size_t rest = count - i;
        const vector moved = translates ? load_some(x + i, rest) - load_some(offset + i, rest) : load_some(x + i, rest);
        store_some(out + i, scales ? moved * load_some(scale + i, rest) : moved, rest);
    }
}

static void translate_scale(size_t count, const float *x, const float *offset, const float *scale, float *out) {
    if (offset != NULL && scale != NULL) {
        translate_scale_some(count, x, true, offset, true, scale, out);
    } else if (offset != NULL) {
        translate_scale_some(count, x, true, offset, false, NULL, out);
    } else if (scale != NULL) {
        translate_scale_some(count, x, false, NULL, true, scale, out);
    } else if (x != out) {
        memcpy(out, x, count * sizeof *out);
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

/* Columns whose sums stay in registers. */
enum { SUM_COLUMNS = 16 };

static void column_sums(size_t rows, size_t columns, const float *restrict x, float *restrict out) {
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

/* Scales `width` <= SUM_COLUMNS of the columns. */
INLINE void scale_some(size_t rows, size_t columns, size_t width, float factor, const float *restrict by,
                       float *restrict out, double *restrict sums) {
    double own[SUM_COLUMNS] = {0};
    memcpy(own, sums, width * sizeof *own);
    for (size_t row = 0; row < rows; row++, by += columns, out += columns) {
        for (size_t i = 0; i < width; i++) {
            const float value = out[i] * (factor * by[i]);
            out[i] = value;
            own[i] += (double)value;
        }
    }
    memcpy(sums, own, width * sizeof *sums);
}

static void scale_columns(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums) {
    size_t first = 0;
    for (; first + SUM_COLUMNS <= columns; first += SUM_COLUMNS) {
        scale_some(rows, columns, SUM_COLUMNS, factor, by + first, out + first, sums + first);
    }
    if (first < columns) {
        scale_some(rows, columns, columns - first, factor, by + first, out + first, sums + first);
    }
}

#if !defined(VECTOR_STREAM)
#define VECTOR_STREAM(to, value) store(to, value)
#define STREAM_END() (void)0
#endif

/* Copies whole vectors past the caches, the rest through them; publish_end waits for the
 * vectors. */
static void publish(size_t count, const float *restrict from, float *restrict to) {
    size_t i = 0;
    for (; i + VECTOR_FLOATS <= count; i += VECTOR_FLOATS) {
        VECTOR_STREAM(to + i, load(from + i));
    }
    memcpy(to + i, from + i, (count - i) * sizeof *to);
}

static void publish_end(void) { STREAM_END(); }

#endif
