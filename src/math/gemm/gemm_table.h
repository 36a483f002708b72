/* The implementations behind gemm.h, for gemm.c's table alone. */
#ifndef CNM_MATH_GEMM_GEMM_TABLE_H
#define CNM_MATH_GEMM_GEMM_TABLE_H

#include "math/gemm/gemm.h"
#include "math/simd/simd_dispatch.h"

void gemm_portable(const gemm_call *call);

/* Computes the product with the SIMD code of a given level. */
void gemm_portable_on(const gemm_call *call, const simd_table *run);

/* Computes the product in plain loops: the reference level runs this. */
void gemm_reference(const gemm_call *call);

/* Computes products with n <= GEMM_NARROW for gemm_portable, where tiles would be mostly
 * padding. */
enum { GEMM_NARROW = 4 };
void gemm_narrow(const gemm_call *call, const simd_table *run);

#if defined(CNM_HAVE_ONEDNN)
void gemm_onednn(const gemm_call *call);
#endif

#endif
