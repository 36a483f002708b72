/* The reference: every kernel in plain floats, one at a time, and products in plain loops (gemm_plain.c). What it computes is
 * fixed for good, whatever the others do to be fast: models of older versions, exported programs and the other kernels are
 * held against it. CNM_KERNELS=reference runs everything on it.
 *
 * The order of operations, each rounded to float, none fused:
 *   projection   p = 0, then p = p + u[j] theta[j] for j = 0, 1, ... (dense); the transforms of convolve_transform.c with the
 *                butterflies of kernels_butterflies.h (circulant)
 *   activation   of p + phase: kernels_sincos.h, sincos.c beyond its limit
 *   scores       s = 0, then s = s + z[i] w[i] for i = 0, 1, ..., then s + c */
#include "math/elementary/contraction.h"

#include "math/simd/simd_dispatch.h"

#define KERNELS_TABLE KERNELS_REFERENCE
#define KERNELS_NAME "reference"
#define KERNELS_PLAIN true
#define TILE_TALLEST 0
#define VECTOR_FLOATS 1
#define VECTOR_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define VECTOR_OF(x) (x)

#include "math/simd/simd_body.h"
