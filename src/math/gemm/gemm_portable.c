/* The library's own matrix product: blocks that fit the caches, operands packed where necessary,
 * tiles in registers (simd_tile.h).
 *
 * Each element of c is one sum in order, from c or 0 on (fused multiply-adds where the CPU has
 * them): the same operations whatever m, n and the element's place, so rows cannot influence each
 * other and NaN stays in its row. No allocation: the packed parts take 52 KiB of the caller's
 * stack. */
#include "math/gemm/gemm_table.h"

#include <string.h>

#include "math/simd/simd_dispatch.h"

enum {
    DEPTH = 256,      /* terms in a block where b is packed ... */
    DEPTH_MOST = 512, /* ... and where it is read in place: c is loaded and stored less often */
    BLOCK_ROWS = 128, /* rows of a in a block */
    PANEL_WIDTH = TILE_VECTORS * VECTOR_FLOATS_MOST,
    CACHED = 65536 /* floats of b that the second-level cache surely holds */
};

/* One block of the work: rows first .. first + rows, terms from .. from + depth, and the place of
 * its packed parts. */
typedef struct block {
    const gemm_call *call;
    const simd_table *run;
    size_t first, rows, from, depth;
    bool add;
    const float *a; /* the first tile of rows */
    size_t a_row, a_column;
    float packed_b[DEPTH * PANEL_WIDTH], edge[TILE_ROWS_MOST * PANEL_WIDTH];
} block;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Finds the rows of a, which tiles read in place: packing them costs 2 to 30 % and gains
 * nothing. */
static void find_rows(block *self) {
    const gemm_call *p = self->call;
    self->a_row = p->transpose_a ? 1 : p->lda;
    self->a_column = p->transpose_a ? p->lda : 1;
    self->a = p->a + self->first * self->a_row + self->from * self->a_column;
}

/* Returns the kind of tile for the `left` last rows of a block: the tallest that fits has 8, 4, 2
 * or 1 rows. */
static size_t tile_kind(const simd_table *run, size_t left) {
    size_t kind = run->tallest;
    while ((size_t)1 << kind > left) {
        kind--;
    }
    return kind;
}

/* Prefetches the next tile's rows of a far a: all their terms during the first terms of this
 * block. */
static void expect_rows(const block *self, size_t i, tile_operands *out) {
    const gemm_call *p = self->call;
    const size_t height = (size_t)1 << self->run->tallest, next = self->first + i + height;
    if (!p->transpose_a && !self->add && next + height <= p->far) {
        out->ahead = p->a + next * p->lda;
        out->ahead_step = height * p->lda / self->depth;
    }
}

/* Returns the operands of the tile at row i and this column of b. */
static tile_operands operands_of(const block *self, size_t i, const float *b, size_t b_row, size_t column) {
    const gemm_call *p = self->call;
    tile_operands out = {.depth = self->depth,
                         .a = self->a + i * self->a_row,
                         .a_row = self->a_row,
                         .a_column = self->a_column,
                         .b = b,
                         .b_row = b_row,
                         .c = p->c + (self->first + i) * p->ldc + column,
                         .ldc = p->ldc,
                         .add = self->add,
                         .ahead = NULL, /* all fields: compilers clear the others slowly */
                         .ahead_step = 0};
    expect_rows(self, i, &out);
    return out;
}

/* Computes a tile that sticks out of c aside; the part inside c (rows, columns) is copied there and
 * back. */
static void edge_tile(block *self, gemm_tile *run, const tile_operands *tile, size_t rows, size_t columns,
                      size_t width) {
    tile_operands aside = *tile;
    aside.c = self->edge;
    aside.ldc = width;
    if (tile->add) {
        memset(self->edge, 0, sizeof self->edge);
        for (size_t i = 0; i < rows; i++) {
            memcpy(self->edge + i * width, tile->c + i * tile->ldc, columns * sizeof(float));
        }
    }
    run(&aside);
    for (size_t i = 0; i < rows; i++) {
        memcpy(tile->c + i * tile->ldc, self->edge + i * width, columns * sizeof(float));
    }
}

/* Prefetches a part of the next panel, as large as rows i .. i + height are of the block: its rows
 * lie too far apart for the hardware to predict. */
static void prefetch_panel(const block *self, size_t column, size_t i, size_t height) {
#if defined(__GNUC__)
    const gemm_call *p = self->call;
    const size_t end = smaller(column + PANEL_WIDTH, p->n + p->ahead);
    if (p->transpose_b || p->k * p->ldb <= CACHED) {
        return;
    }
    for (size_t l = self->depth * i / self->rows; l < self->depth * (i + height) / self->rows; l++) {
        for (size_t j = column; j < end; j += 16) {
            __builtin_prefetch(p->b + (self->from + l) * p->ldb + j, 0, 2);
        }
    }
#else
    (void)self, (void)column, (void)i, (void)height;
#endif
}

/* Computes the columns column .. column + vectors * vector_floats, as far as c has them. b is read
 * in place, unless transposed or cut off: packing it costs 5 to 8 % and gains nothing, given the
 * prefetch. */
static void run_panel(block *self, size_t column, size_t vectors) {
    const gemm_call *p = self->call;
    const size_t width = vectors * self->run->vector_floats, columns = smaller(width, p->n - column);
    const float *b = p->transpose_b ? p->b + column * p->ldb + self->from : p->b + self->from * p->ldb + column;
    size_t b_row = p->ldb;
    if (p->transpose_b || columns < width) {
        self->run->pack(b, p->ldb, p->transpose_b, self->depth, columns, width, self->packed_b);
        b = self->packed_b;
        b_row = width;
    }
    for (size_t i = 0, kind; i < self->rows; i += (size_t)1 << kind) {
        const tile_operands tile = operands_of(self, i, b, b_row, column);
        kind = tile_kind(self->run, self->rows - i);
        prefetch_panel(self, column + width, i, (size_t)1 << kind);
        if (columns == width) {
            self->run->tile[kind][vectors](&tile);
        } else {
            edge_tile(self, self->run->tile[kind][vectors], &tile, (size_t)1 << kind, columns, width);
        }
    }
}

/* Returns the vector where panel i of count begins: columns are cut into panels of 1 to
 * TILE_VECTORS vectors, as equal as can be. */
static size_t panel_start(size_t vectors, size_t count, size_t i) {
    return vectors / count * i + smaller(i, vectors % count);
}

static void run_block(block *self) {
    const size_t vectors = (self->call->n + self->run->vector_floats - 1) / self->run->vector_floats;
    const size_t panels = (vectors + TILE_VECTORS - 1) / TILE_VECTORS;
    find_rows(self);
    for (size_t i = 0; i < panels; i++) {
        const size_t start = panel_start(vectors, panels, i), end = panel_start(vectors, panels, i + 1);
        run_panel(self, start * self->run->vector_floats, end - start);
    }
}

/* Cuts the terms into blocks as equal as can be. */
static void run_wide(const gemm_call *call, const simd_table *run) {
    const bool packs = call->transpose_b || call->n % run->vector_floats != 0;
    const size_t most = packs ? DEPTH : DEPTH_MOST, blocks = (call->k + most - 1) / most;
    block work;
    work.call = call;
    work.run = run;
    for (size_t i = 0; i < blocks; i++) {
        work.from = call->k / blocks * i + smaller(i, call->k % blocks);
        work.depth = call->k / blocks + (i < call->k % blocks);
        work.add = call->add || i > 0;
        for (work.first = 0; work.first < call->m; work.first += BLOCK_ROWS) {
            work.rows = smaller(BLOCK_ROWS, call->m - work.first);
            run_block(&work);
        }
    }
}

void gemm_portable_on(const gemm_call *call, const simd_table *run) {
    if (run->plain) {
        gemm_reference(call);
    } else if (call->k == 0) {
        for (size_t i = 0; i < call->m && !call->add; i++) {
            memset(call->c + i * call->ldc, 0, call->n * sizeof *call->c);
        }
    } else if (call->n <= GEMM_NARROW) {
        gemm_narrow(call, run);
    } else if (call->m == 1 && !call->transpose_a && !call->transpose_b) {
        run->row(call->k, call->a, call->b, call->ldb, call->n, call->add, call->c);
    } else {
        run_wide(call, run);
    }
}

void gemm_portable(const gemm_call *call) { gemm_portable_on(call, simd_active()); }
