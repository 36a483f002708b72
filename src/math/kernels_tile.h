/* The tile of a matrix product that lives in registers, and the packing that feeds it. Part of kernels_body.h.
 *
 * An element of c is the sum over l in order, whatever the tile's width and whatever row of it the element stands in: that
 * is what makes a row's bits independent of the others. */

/* vectors is a constant wherever this is inlined; the loops over rows and vectors unroll into registers. */
INLINE void tile(size_t vectors, size_t depth, const float *a, size_t a_row, size_t a_column, const float *b, float *c,
                 size_t ldc, bool add) {
    vector sum[TILE_ROWS][TILE_VECTORS];
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t v = 0; v < vectors; v++) {
            sum[i][v] = (vector){0};
        }
    }
    for (size_t l = 0; l < depth; l++) {
        vector row[TILE_VECTORS];
        for (size_t v = 0; v < vectors; v++) {
            row[v] = load(b + (l * vectors + v) * VECTOR_FLOATS);
        }
        for (size_t i = 0; i < TILE_ROWS; i++) {
            const float factor = a[i * a_row + l * a_column];
            for (size_t v = 0; v < vectors; v++) {
                sum[i][v] = VECTOR_MULTIPLY_ADD(factor, row[v], sum[i][v]);
            }
        }
    }
    for (size_t i = 0; i < TILE_ROWS; i++) {
        for (size_t v = 0; v < vectors; v++) {
            float *to = c + i * ldc + v * VECTOR_FLOATS;
            store(to, add ? load(to) + sum[i][v] : sum[i][v]);
        }
    }
}

#define TILE(name, vectors)                                                                                            \
    static void name(size_t depth, const float *a, size_t a_row, size_t a_column, const float *b, float *c,            \
                     size_t ldc, bool add) {                                                                           \
        tile(vectors, depth, a, a_row, a_column, b, c, ldc, add);                                                      \
    }

TILE(tile_1, 1)
TILE(tile_2, 2)
TILE(tile_3, 3)

#undef TILE

static void pack_transposed(const float *source, size_t stride, size_t depth, size_t width, size_t padded, float *out) {
    for (size_t j = 0; j < padded; j++) {
        for (size_t l = 0; l < depth; l++) {
            out[l * padded + j] = j < width ? source[j * stride + l] : 0.0f;
        }
    }
}

static void pack(const float *source, size_t stride, bool transposed, size_t depth, size_t width, size_t padded,
                 float *out) {
    if (transposed) {
        pack_transposed(source, stride, depth, width, padded, out);
        return;
    }
    for (size_t l = 0; l < depth; l++) {
        const float *from = source + l * stride;
        float *to = out + l * padded;
        size_t j = 0;
        for (; j + VECTOR_FLOATS <= width; j += VECTOR_FLOATS) {
            store(to + j, load(from + j));
        }
        for (; j < padded; j++) {
            to[j] = j < width ? from[j] : 0.0f;
        }
    }
}
