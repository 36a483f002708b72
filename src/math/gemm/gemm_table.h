/* The implementations behind gemm.h, for gemm.c's table alone. */
#ifndef CNM_MATH_GEMM_GEMM_TABLE_H
#define CNM_MATH_GEMM_GEMM_TABLE_H

#include "math/gemm/gemm.h"
#include "math/simd/simd_dispatch.h"

void gemm_portable(const gemm_call *call);

/* The same with the kernels of a given level. */
void gemm_portable_on(const gemm_call *call, const kernels *run);

/* In plain loops: what the reference kernels run. */
void gemm_plain(const gemm_call *call);

/* The part of gemm_portable for n <= GEMM_NARROW, where tiles would compute mostly nothing. */
enum { GEMM_NARROW = 4 };
void gemm_narrow(const gemm_call *call, const kernels *run);

#if defined(CNM_HAVE_ONEDNN)
void gemm_onednn(const gemm_call *call);
#endif

#endif
