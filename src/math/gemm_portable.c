/* Our own matrix product, a plain loop: each element of c sums over k in order. */
#include "math/gemm_kernels.h"

#include <string.h>

void gemm_portable(const gemm_call *call) {
    const gemm_call *p = call;
    const size_t row_a = p->transpose_a ? 1 : p->lda, column_a = p->transpose_a ? p->lda : 1;
    const size_t row_b = p->transpose_b ? 1 : p->ldb, column_b = p->transpose_b ? p->ldb : 1;
    for (size_t i = 0; i < p->m; i++) {
        float *c = p->c + i * p->ldc;
        if (!p->add) {
            memset(c, 0, p->n * sizeof *c);
        }
        for (size_t l = 0; l < p->k; l++) {
            const float a = p->a[i * row_a + l * column_a];
            const float *b = p->b + l * row_b;
            for (size_t j = 0; j < p->n; j++) {
                c[j] += a * b[j * column_b];
            }
        }
    }
}
