/* The tile of a matrix product that lives in registers, and the packing that feeds it. Part of kernels_body.h.
 *
 * An element of c is the sum over l in order, whatever the tile's width and whatever row of it the element stands in: that
 * is what makes a row's bits independent of the others. */
#ifndef CNM_MATH_KERNELS_TILE_H
#define CNM_MATH_KERNELS_TILE_H

#include "math/kernels_transpose.h"
#include "math/kernels_vector.h"

/* vectors, add and expect (whether there is an `ahead`) are constants wherever this is inlined. */
INLINE void tile(const tile_operands *o, size_t vectors, bool add, bool expect) {
    vector sum[TILE_ROWS][TILE_VECTORS];
    const float *a = o->a, *b = o->b, *from = o->c;
    float *to = o->c;
    UNROLL for (size_t i = 0; i < TILE_ROWS; i++, from += o->ldc) {
        UNROLL for (size_t v = 0; v < vectors; v++) { sum[i][v] = add ? load(from + v * VECTOR_FLOATS) : (vector){0}; }
    }
    const size_t a_row = o->a_row, a_column = o->a_column, b_row = o->b_row, ahead_step = o->ahead_step;
    const float *ahead = o->ahead;
    for (size_t l = o->depth; l > 0; l--, a += a_column, b += b_row) {
        vector row[TILE_VECTORS];
        if (expect) {
            EXPECT(ahead);
            ahead += ahead_step;
        }
        UNROLL for (size_t v = 0; v < vectors; v++) { row[v] = load(b + v * VECTOR_FLOATS); }
        UNROLL for (size_t i = 0; i < TILE_ROWS; i++) {
            const vector factor = VECTOR_OF(a[i * a_row]);
            UNROLL for (size_t v = 0; v < vectors; v++) { sum[i][v] = VECTOR_MULTIPLY_ADD(factor, row[v], sum[i][v]); }
        }
    }
    UNROLL for (size_t i = 0; i < TILE_ROWS; i++, to += o->ldc) {
        UNROLL for (size_t v = 0; v < vectors; v++) { store(to + v * VECTOR_FLOATS, sum[i][v]); }
    }
}

#define TILE(name, vectors)                                                                                            \
    static void name(const tile_operands *o) {                                                                         \
        if (o->ahead != NULL && !o->add) {                                                                             \
            tile(o, vectors, false, true);                                                                             \
        } else if (o->add) {                                                                                           \
            tile(o, vectors, true, false);                                                                             \
        } else {                                                                                                       \
            tile(o, vectors, false, false);                                                                            \
        }                                                                                                              \
    }

TILE(tile_1, 1)
TILE(tile_2, 2)
TILE(tile_3, 3)

#undef TILE

/* out (depth, padded): columns width .. padded. */
static void pad(size_t depth, size_t width, size_t padded, float *out) {
    for (size_t l = 0; l < depth && width < padded; l++) {
        memset(out + l * padded + width, 0, (padded - width) * sizeof *out);
    }
}

/* Rows of a constant number of floats. */
INLINE void pack_whole(const float *source, size_t stride, size_t depth, size_t width, float *out) {
    for (size_t l = 0; l < depth; l++) {
        memcpy(out + l * width, source + l * stride, width * sizeof *out);
    }
}

static void pack(const float *source, size_t stride, bool transposed, size_t depth, size_t width, size_t padded,
                 float *out) {
    if (transposed) {
        transpose(source, stride, width, depth, out, padded);
        pad(depth, width, padded, out);
    } else if (width == padded && width == TILE_ROWS) {
        pack_whole(source, stride, depth, TILE_ROWS, out);
    } else if (width == padded && width == 3 * VECTOR_FLOATS) {
        pack_whole(source, stride, depth, 3 * VECTOR_FLOATS, out);
    } else if (width == padded && width == 2 * VECTOR_FLOATS) {
        pack_whole(source, stride, depth, 2 * VECTOR_FLOATS, out);
    } else {
        for (size_t l = 0; l < depth; l++) {
            memcpy(out + l * padded, source + l * stride, width * sizeof *out);
        }
        pad(depth, width, padded, out);
    }
}

#endif
