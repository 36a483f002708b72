/* Our own matrix product: blocks that fit the caches, b packed into panels, tiles in registers (kernels_tile.h).
 *
 * Each element of c is one sum in order, from c or 0 on (fused multiply-adds where the CPU has them): the same operations
 * whatever m, n and the element's place, so rows cannot influence each other and NaN stays in its row. No allocation: the
 * packed blocks take 180 KiB of the caller's stack. */
#include "math/gemm_kernels.h"

#include <string.h>

#include "math/kernels.h"

enum {
    DEPTH = 256,      /* terms in a block */
    BLOCK_ROWS = 128, /* rows of a packed at once, when they need packing */
    PANEL_WIDTH = TILE_VECTORS * 16,
    TILE_ROWS_MAX = 8
};

/* The packed parts of a and b, and a tile at the edge of c. */
typedef struct workspace {
    float a[BLOCK_ROWS * DEPTH], b[DEPTH * PANEL_WIDTH], edge[TILE_ROWS_MAX * PANEL_WIDTH];
} workspace;

/* Rows first .. first + rows of op(a), terms from .. from + depth: where tile row i of the block lies and its strides. */
typedef struct block {
    const float *a;
    size_t row, column, tile; /* floats from row to row, term to term, tile to tile */
} block;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Tiles packed as (depth, tile_rows) where a is transposed, or where a tile sticks out of the matrix; rows of an
 * untransposed a are read where they are. */
static block pack_rows(const kernels *run, const gemm_call *p, size_t first, size_t rows, size_t from, size_t depth,
                       float *out) {
    const size_t height = run->tile_rows;
    if (!p->transpose_a && rows % height == 0) {
        return (block){p->a + first * p->lda + from, p->lda, 1, height * p->lda};
    }
    for (size_t i = 0; i < rows; i += height) {
        const float *source = p->transpose_a ? p->a + from * p->lda + first + i : p->a + (first + i) * p->lda + from;
        run->pack(source, p->lda, !p->transpose_a, depth, smaller(height, rows - i), height, out + i * depth);
    }
    return (block){out, 1, height, height * depth};
}

/* One tile that sticks out of c: computed aside, with what lies inside c (rows, columns) copied there and back. */
static void edge_tile(const kernels *run, size_t vectors, size_t depth, const block *a, const float *tile_a,
                      workspace *work, float *c, size_t ldc, size_t rows, size_t columns, bool add) {
    const size_t width = vectors * run->vector_floats;
    if (add) {
        memset(work->edge, 0, sizeof work->edge);
    }
    for (size_t i = 0; i < rows && add; i++) {
        memcpy(work->edge + i * width, c + i * ldc, columns * sizeof *c);
    }
    run->tile[vectors](depth, tile_a, a->row, a->column, work->b, work->edge, width, add);
    for (size_t i = 0; i < rows; i++) {
        memcpy(c + i * ldc, work->edge + i * width, columns * sizeof *c);
    }
}

/* Columns are cut into panels of 1 to TILE_VECTORS vectors, as equal as can be. Panel i of count begins at vector: */
static size_t panel_start(size_t vectors, size_t count, size_t i) {
    return vectors / count * i + smaller(i, vectors % count);
}

static void run_panel(const kernels *run, const gemm_call *p, const block *a, size_t first, size_t rows, size_t column,
                      size_t vectors, size_t depth, bool add, workspace *work) {
    const size_t width = vectors * run->vector_floats, columns = smaller(width, p->n - column);
    for (size_t i = 0; i < rows; i += run->tile_rows) {
        const size_t height = smaller(run->tile_rows, rows - i);
        const float *tile_a = a->a + i / run->tile_rows * a->tile;
        float *c = p->c + (first + i) * p->ldc + column;
        if (height == run->tile_rows && columns == width) {
            run->tile[vectors](depth, tile_a, a->row, a->column, work->b, c, p->ldc, add);
        } else {
            edge_tile(run, vectors, depth, a, tile_a, work, c, p->ldc, height, columns, add);
        }
    }
}

static void run_block(const kernels *run, const gemm_call *p, size_t first, size_t rows, size_t from, size_t depth,
                      bool add, workspace *work) {
    const block a = pack_rows(run, p, first, rows, from, depth, work->a);
    const size_t vectors = (p->n + run->vector_floats - 1) / run->vector_floats;
    const size_t panels = (vectors + TILE_VECTORS - 1) / TILE_VECTORS;
    for (size_t i = 0; i < panels; i++) {
        const size_t start = panel_start(vectors, panels, i), count = panel_start(vectors, panels, i + 1) - start;
        const size_t column = start * run->vector_floats, width = count * run->vector_floats;
        const float *source = p->transpose_b ? p->b + column * p->ldb + from : p->b + from * p->ldb + column;
        run->pack(source, p->ldb, p->transpose_b, depth, smaller(width, p->n - column), width, work->b);
        run_panel(run, p, &a, first, rows, column, count, depth, add, work);
    }
}

void gemm_portable(const gemm_call *call) {
    const kernels *run = kernels_here();
    workspace work;
    if (call->k == 0 && !call->add) {
        for (size_t i = 0; i < call->m; i++) {
            memset(call->c + i * call->ldc, 0, call->n * sizeof *call->c);
        }
    }
    for (size_t from = 0; from < call->k && call->n > 0; from += DEPTH) {
        const size_t depth = smaller(DEPTH, call->k - from);
        for (size_t first = 0; first < call->m; first += BLOCK_ROWS) {
            run_block(run, call, first, smaller(BLOCK_ROWS, call->m - first), from, depth, call->add || from > 0,
                      &work);
        }
    }
}
