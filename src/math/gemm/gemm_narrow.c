/* Products with so few columns that a tile would be mostly padding: one column of c at a time, from
 * whole rows or whole columns of a. The same promises as gemm_portable.c; 30 KiB of stack. */
#include "math/gemm/gemm_table.h"

enum { DEPTH = 256, BLOCK_ROWS = 128 };

typedef struct narrow_block {
    float b[GEMM_NARROW * DEPTH];           /* (n, depth) */
    float rest[DEPTH * VECTOR_FLOATS_MOST]; /* last columns of a transposed a, zeros behind */
    float out[BLOCK_ROWS + VECTOR_FLOATS_MOST];
} narrow_block;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Computes work->out (rows) = rows first .. first + rows of op(a), terms from .. from + depth,
 * times b (depth). */
static void run_column(const gemm_call *p, const simd_table *run, size_t first, size_t rows, size_t from, size_t depth,
                       const float *b, narrow_block *work) {
    if (!p->transpose_a) {
        run->narrow_rows(depth, p->a + first * p->lda + from, p->lda, rows, b, work->out);
        return;
    }
    const float *a = p->a + from * p->lda + first;
    const size_t whole = rows / run->vector_floats * run->vector_floats;
    run->narrow_columns(depth, a, p->lda, whole, b, work->out);
    if (whole < rows) {
        run->pack(a + whole, p->lda, false, depth, rows - whole, run->vector_floats, work->rest);
        run->narrow_columns(depth, work->rest, run->vector_floats, run->vector_floats, b, work->out + whole);
    }
}

void gemm_narrow(const gemm_call *call, const simd_table *run) {
    const gemm_call *p = call;
    narrow_block work;
    for (size_t from = 0; from < p->k; from += DEPTH) {
        const size_t depth = smaller(DEPTH, p->k - from);
        const bool add = p->add || from > 0;
        const float *b = p->transpose_b ? p->b + from : p->b + from * p->ldb;
        /* a column without gaps is read where it is */
        if (p->n > 1 || (!p->transpose_b && p->ldb > 1)) {
            run->pack(b, p->ldb, !p->transpose_b, p->n, depth, depth, work.b);
            b = work.b;
        }
        for (size_t first = 0; first < p->m; first += BLOCK_ROWS) {
            const size_t rows = smaller(BLOCK_ROWS, p->m - first);
            for (size_t j = 0; j < p->n; j++) {
                run_column(p, run, first, rows, from, depth, b + j * depth, &work);
                for (size_t i = 0; i < rows; i++) {
                    float *c = p->c + (first + i) * p->ldc + j;
                    *c = add ? *c + work.out[i] : work.out[i];
                }
            }
        }
    }
}
