/* The reference level: all SIMD code in plain floats, one at a time, and products in plain loops
 * (gemm_reference.c). Its results are fixed for good, however fast other levels become: models of
 * older versions, exported programs and the other levels are compared with it. CNM_SIMD=reference
 * runs everything on it.
 *
 * The order of operations, each rounded to float, none fused:
 *
 *   projection   p = 0, then p = p + u[j] theta[j] for j = 0, 1, ... (dense); the transforms of
 *                fft.c with the butterflies of simd_butterflies.h (circulant)
 *   activation   of p + phase: simd_sincos.h, sincos.c beyond its limit
 *   scores       s = 0, then s = s + z[i] w[i] for i = 0, 1, ..., then s + c */
#include "math/elementary/contraction.h"

#include "math/simd/simd_dispatch.h"

#define SIMD_TABLE SIMD_REFERENCE
#define SIMD_NAME "reference"
#define SIMD_PLAIN true
#define TILE_TALLEST 0
#define VECTOR_FLOATS 1
#define VECTOR_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define VECTOR_OF(x) (x)

#include "math/simd/simd_body.h"
