/* Single-precision matrix products, single-threaded: callers run them inside their own parallel
 * loop.
 *
 * Row i of the result depends on row i of a, on b and on nothing else: not on the other rows, not
 * on its position in the block, nor on the number of rows m. Other implementations in the table
 * promise that only for m a multiple of GEMM_ROWS. */
#ifndef CNM_MATH_GEMM_GEMM_H
#define CNM_MATH_GEMM_GEMM_H

#include <stdbool.h>
#include <stddef.h>

/* Rows in one block of work: the unit in which maps and heads are run. */
enum { GEMM_ROWS = 64 };

/* One product: c (m, n) = op(a) (m, k) * op(b) (k, n) + (add ? c : 0), row-major with leading
 * dimensions. op(a) is a (m, k), or the transpose of a (k, m) when transpose_a; op(b) likewise.
 *
 * Prefetch: `ahead` columns of an untransposed b behind its n, which the next call will take; and
 * the first `far` rows of an untransposed a for the next tiles, where rows come from memory or from
 * another core. far may be beyond m, where a call for the next rows will follow. */
typedef struct gemm_call {
    bool transpose_a, transpose_b, add;
    size_t m, n, k;
    const float *a;
    size_t lda;
    const float *b;
    size_t ldb;
    float *c;
    size_t ldc;
    size_t ahead, far;
} gemm_call;

typedef struct gemm_ops {
    const char *name;
    void (*run)(const gemm_call *call);
} gemm_ops;

/* Computes a product by the library's own code: the same in every build. Uses 52 KiB of stack. */
void gemm(const gemm_call *call);

/* Returns all implementations, the library's own ("portable") always the first; sets *count. For
 * tests and benchmarks. */
const gemm_ops *gemm_implementations(size_t *count);

#endif
