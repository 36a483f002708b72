/* The tile of a matrix product that lives in registers, and the packing that feeds it. Part of
 * simd_body.h.
 *
 * An element of c is the sum over l in order, whatever the tile's width and whatever row of it the
 * element stands in: a row's bits are therefore independent of the others. */
#ifndef CNM_MATH_SIMD_SIMD_TILE_H
#define CNM_MATH_SIMD_SIMD_TILE_H

#include "math/simd/simd_transpose.h"
#include "math/simd/simd_vector.h"

/* Computes a tile. rows, vectors, add and expect (whether there is an `ahead`) are constants
 * wherever this is inlined. */
INLINE void tile(const tile_operands *o, size_t rows, size_t vectors, bool add, bool expect) {
    vector sum[TILE_ROWS_MOST][TILE_VECTORS];
    const float *a = o->a, *b = o->b, *from = o->c;
    float *to = o->c;
    UNROLL for (size_t i = 0; i < rows; i++, from += o->ldc) {
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
        UNROLL for (size_t i = 0; i < rows; i++) {
            const vector factor = VECTOR_OF(a[i * a_row]);
            UNROLL for (size_t v = 0; v < vectors; v++) { sum[i][v] = VECTOR_MULTIPLY_ADD(factor, row[v], sum[i][v]); }
        }
    }
    UNROLL for (size_t i = 0; i < rows; i++, to += o->ldc) {
        UNROLL for (size_t v = 0; v < vectors; v++) { store(to + v * VECTOR_FLOATS, sum[i][v]); }
    }
}

/* Defines the tiles of so many rows. Only the tallest prefetch: others are at the end of a
 * block. */
#define TILE(rows, vectors)                                                                                            \
    static void tile_##rows##_##vectors(const tile_operands *o) {                                                      \
        if (o->add) {                                                                                                  \
            tile(o, rows, vectors, true, false);                                                                       \
        } else if ((rows) == 1 << TILE_TALLEST && o->ahead != NULL) {                                                  \
            tile(o, rows, vectors, false, true);                                                                       \
        } else {                                                                                                       \
            tile(o, rows, vectors, false, false);                                                                      \
        }                                                                                                              \
    }

#define TILES(rows) TILE(rows, 1) TILE(rows, 2) TILE(rows, 3)
#define TILES_OF(rows)                                                                                                 \
    { NULL, tile_##rows##_1, tile_##rows##_2, tile_##rows##_3 }

/* The tiles by the logarithm of their rows. */
TILES(1)
#if TILE_TALLEST >= 1
TILES(2)
#endif
#if TILE_TALLEST >= 2
TILES(4)
#endif
#if TILE_TALLEST >= 3
TILES(8)
#define ALL_TILES                                                                                                      \
    { TILES_OF(1), TILES_OF(2), TILES_OF(4), TILES_OF(8) }
#elif TILE_TALLEST == 2
#define ALL_TILES                                                                                                      \
    { TILES_OF(1), TILES_OF(2), TILES_OF(4) }
#else
#define ALL_TILES                                                                                                      \
    { TILES_OF(1) }
#endif

#undef TILE

/* Fills out (depth, padded) with zeros in columns width .. padded. */
static void pad(size_t depth, size_t width, size_t padded, float *out) {
    for (size_t l = 0; l < depth && width < padded; l++) {
        memset(out + l * padded + width, 0, (padded - width) * sizeof *out);
    }
}

/* Packs rows of a constant number of floats. */
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
