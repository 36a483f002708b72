/* oneDNN's sgemm behind gemm.h; empty in builds without oneDNN.
 *
 * Single-threaded only with OMP_NUM_THREADS=1: oneDNN starts threads of its own otherwise. */
#include "math/gemm/gemm_table.h"

#if defined(CNM_HAVE_ONEDNN)
#include <oneapi/dnnl/dnnl.h>

void gemm_onednn(const gemm_call *call) {
    const gemm_call *p = call;
    if (p->m == 0 || p->n == 0) {
        return;
    }
    if (p->k == 0) { /* oneDNN may leave c as it is: gemm_portable writes the zeros */
        gemm_portable(call);
        return;
    }
    const dnnl_status_t status = dnnl_sgemm(p->transpose_a ? 'T' : 'N', p->transpose_b ? 'T' : 'N', (dnnl_dim_t)p->m,
                                            (dnnl_dim_t)p->n, (dnnl_dim_t)p->k, 1.0f, p->a, (dnnl_dim_t)p->lda, p->b,
                                            (dnnl_dim_t)p->ldb, p->add ? 1.0f : 0.0f, p->c, (dnnl_dim_t)p->ldc);
    /* it allocates its own buffers: out of memory must not lose the product */
    if (status != dnnl_success) {
        gemm_portable(call);
    }
}
#else
typedef int gemm_onednn_is_absent; /* a translation unit may not be empty */
#endif
