/* Our own matrix product: blocks that fit the caches, operands packed where they need it, tiles in registers
 * (kernels_tile.h).
 *
 * Each element of c is one sum in order, from c or 0 on (fused multiply-adds where the CPU has them): the same operations
 * whatever m, n and the element's place, so rows cannot influence each other and NaN stays in its row. No allocation: the
 * packed parts take 68 KiB of the caller's stack. */
#include "math/gemm_kernels.h"

#include <string.h>

#include "math/kernels.h"

enum {
    DEPTH = 256,      /* terms in a block where b is packed ... */
    DEPTH_MOST = 512, /* ... and where it is read in place: c is loaded and stored less often */
    BLOCK_ROWS = 128, /* rows of a in a block */
    PANEL_WIDTH = TILE_VECTORS * VECTOR_FLOATS_MOST,
    CACHED = 65536 /* floats of b that the second-level cache surely holds */
};

/* One block of the work: rows first .. first + rows, terms from .. from + depth; and where its packed parts lie. */
typedef struct block {
    const gemm_call *call;
    const kernels *run;
    size_t first, rows, from, depth;
    bool add;
    const float *a; /* the first tile of rows */
    size_t a_row, a_column;
    size_t whole; /* rows of whole tiles; a last, cut one is in packed_a as (depth, tile_rows) */
    float packed_a[TILE_ROWS_MOST * DEPTH_MOST], packed_b[DEPTH * PANEL_WIDTH], edge[TILE_ROWS_MOST * PANEL_WIDTH];
} block;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Tiles of a are read where they are: packing them costs 2 to 30 % and gains nothing. Only a last tile that sticks out of the
 * matrix is packed. */
static void prepare_rows(block *self) {
    const gemm_call *p = self->call;
    const size_t height = self->run->tile_rows, lda = p->lda;
    self->whole = self->rows / height * height;
    self->a_row = p->transpose_a ? 1 : lda;
    self->a_column = p->transpose_a ? lda : 1;
    self->a = p->a + self->first * self->a_row + self->from * self->a_column;
    if (self->whole < self->rows) {
        self->run->pack(self->a + self->whole * self->a_row, lda, !p->transpose_a, self->depth,
                        self->rows - self->whole, height, self->packed_a);
    }
}

/* The next tile's rows of a far a, all their terms while the first of them are at work. */
static void expect_rows(const block *self, size_t i, tile_operands *out) {
    const gemm_call *p = self->call;
    const size_t height = self->run->tile_rows, next = self->first + i + height;
    if (p->far && !p->transpose_a && !self->add && next + height <= p->m) {
        out->ahead = p->a + next * p->lda;
        out->ahead_step = height * p->lda / self->depth;
    }
}

/* The tile of rows i .. and the columns of b. */
static tile_operands operands_of(const block *self, size_t i, const float *b, size_t b_row, size_t column) {
    const gemm_call *p = self->call;
    const size_t height = self->run->tile_rows;
    tile_operands out = {.depth = self->depth,
                         .a = self->a + i * self->a_row,
                         .a_row = self->a_row,
                         .a_column = self->a_column,
                         .b = b,
                         .b_row = b_row,
                         .c = p->c + (self->first + i) * p->ldc + column,
                         .ldc = p->ldc,
                         .add = self->add,
                         .ahead = NULL,
                         .ahead_step = 0}; /* all fields: compilers clear the others slowly */
    if (i >= self->whole) {
        out.a = self->packed_a;
        out.a_row = 1;
        out.a_column = height;
    }
    expect_rows(self, i, &out);
    return out;
}

/* A tile that sticks out of c: computed aside, with what lies inside c (rows, columns) copied there and back. */
static void edge_tile(block *self, size_t vectors, const tile_operands *tile, size_t rows, size_t columns) {
    tile_operands aside = *tile;
    aside.c = self->edge;
    aside.ldc = vectors * self->run->vector_floats;
    if (tile->add) {
        memset(self->edge, 0, sizeof self->edge);
        for (size_t i = 0; i < rows; i++) {
            memcpy(self->edge + i * aside.ldc, tile->c + i * tile->ldc, columns * sizeof(float));
        }
    }
    self->run->tile[vectors](&aside);
    for (size_t i = 0; i < rows; i++) {
        memcpy(tile->c + i * tile->ldc, self->edge + i * aside.ldc, columns * sizeof(float));
    }
}

/* Part `part` of `parts` of the next panel is asked for while this one is computed: its rows lie too far apart for the
 * hardware to foresee. */
static void prefetch_panel(const block *self, size_t column, size_t part, size_t parts) {
#if defined(__GNUC__)
    const gemm_call *p = self->call;
    const size_t end = smaller(column + PANEL_WIDTH, p->n + p->ahead);
    if (p->transpose_b || p->k * p->ldb <= CACHED) {
        return;
    }
    for (size_t l = self->depth * part / parts; l < self->depth * (part + 1) / parts; l++) {
        for (size_t j = column; j < end; j += 16) {
            __builtin_prefetch(p->b + (self->from + l) * p->ldb + j, 0, 2);
        }
    }
#else
    (void)self, (void)column, (void)part, (void)parts;
#endif
}

/* Columns column .. column + vectors * vector_floats, as far as c has them. b is read where it is, unless transposed or cut
 * off: packing it costs 5 to 8 % and gains nothing, given the prefetch. */
static void run_panel(block *self, size_t column, size_t vectors) {
    const gemm_call *p = self->call;
    const size_t width = vectors * self->run->vector_floats, columns = smaller(width, p->n - column);
    const size_t tile_rows = self->run->tile_rows;
    const float *b = p->transpose_b ? p->b + column * p->ldb + self->from : p->b + self->from * p->ldb + column;
    size_t b_row = p->ldb;
    if (p->transpose_b || columns < width) {
        self->run->pack(b, p->ldb, p->transpose_b, self->depth, columns, width, self->packed_b);
        b = self->packed_b;
        b_row = width;
    }
    for (size_t i = 0; i < self->rows; i += tile_rows) {
        const tile_operands tile = operands_of(self, i, b, b_row, column);
        const size_t rows = smaller(tile_rows, self->rows - i);
        prefetch_panel(self, column + width, i / tile_rows, (self->rows + tile_rows - 1) / tile_rows);
        if (rows == tile_rows && columns == width) {
            self->run->tile[vectors](&tile);
        } else {
            edge_tile(self, vectors, &tile, rows, columns);
        }
    }
}

/* Columns are cut into panels of 1 to TILE_VECTORS vectors, as equal as can be; panel i of count begins at this vector. */
static size_t panel_start(size_t vectors, size_t count, size_t i) {
    return vectors / count * i + smaller(i, vectors % count);
}

static void run_block(block *self) {
    const size_t vectors = (self->call->n + self->run->vector_floats - 1) / self->run->vector_floats;
    const size_t panels = (vectors + TILE_VECTORS - 1) / TILE_VECTORS;
    prepare_rows(self);
    for (size_t i = 0; i < panels; i++) {
        const size_t start = panel_start(vectors, panels, i), end = panel_start(vectors, panels, i + 1);
        run_panel(self, start * self->run->vector_floats, end - start);
    }
}

/* Terms are cut into blocks as equal as can be. */
static void run_wide(const gemm_call *call, const kernels *run) {
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

void gemm_portable_on(const gemm_call *call, const kernels *run) {
    if (run->plain) {
        gemm_plain(call);
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

void gemm_portable(const gemm_call *call) { gemm_portable_on(call, kernels_here()); }
