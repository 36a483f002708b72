/* The product by its definition, in the order that simd_reference.c promises: every other product
 * is compared with it. */
#include "math/elementary/contraction.h"

#include <string.h>

#include "math/gemm/gemm_table.h"

/* Sets c (n) = c + factor * row l of op(b). */
static void add_row(const gemm_call *p, size_t l, float factor, float *c) {
    for (size_t j = 0; j < p->n; j++) {
        c[j] += factor * (p->transpose_b ? p->b[j * p->ldb + l] : p->b[l * p->ldb + j]);
    }
}

void gemm_reference(const gemm_call *call) {
    const gemm_call *p = call;
    for (size_t i = 0; i < p->m; i++) {
        float *c = p->c + i * p->ldc;
        if (!p->add) {
            memset(c, 0, p->n * sizeof *c);
        }
        for (size_t l = 0; l < p->k; l++) {
            add_row(p, l, p->transpose_a ? p->a[l * p->lda + i] : p->a[i * p->lda + l], c);
        }
    }
}
