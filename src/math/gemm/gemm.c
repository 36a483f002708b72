/* The table of products, and the one in use: the library's own, within a tenth of oneDNN's speed
 * on the shapes that matter, and the same in every build. docs/decisions/0003-matrix-products.md
 * has the figures. */
#include "math/gemm/gemm.h"

#include "math/gemm/gemm_table.h"

static const gemm_ops IMPLEMENTATIONS[] = {
    {"portable", gemm_portable},
#if defined(CNM_HAVE_ONEDNN)
    {"onednn", gemm_onednn},
#endif
};

enum { IMPLEMENTATION_COUNT = sizeof IMPLEMENTATIONS / sizeof IMPLEMENTATIONS[0] };

const gemm_ops *gemm_implementations(size_t *count) {
    *count = IMPLEMENTATION_COUNT;
    return IMPLEMENTATIONS;
}

void gemm(const gemm_call *call) { gemm_portable(call); }
