/* The SIMD code that every CPU of the target runs: vectors of 4 floats with gcc and clang, plain
 * floats elsewhere. */
#include "math/elementary/contraction.h"

#include "math/simd/simd_dispatch.h"

#define SIMD_TABLE SIMD_BASELINE
#define SIMD_NAME "baseline"
#define TILE_TALLEST 2
#if defined(__GNUC__)
#define VECTOR_FLOATS 4
#else
#define VECTOR_FLOATS 1
#endif

#if defined(__GNUC__) && defined(__aarch64__)
#include <arm_neon.h>
#define VECTOR_MULTIPLY_ADD(a, b, c) vfmaq_f32(c, a, b)
#else
#define VECTOR_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif
#if defined(SIMD_X86_LEVELS)
#include <emmintrin.h>
#define VECTOR_STREAM(to, value) _mm_stream_ps(to, value)
#define STREAM_END() _mm_sfence()
#define LANES_PRODUCT(a, b) ((wide_words)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#endif
#if VECTOR_FLOATS > 1
#define VECTOR_OF(x) ((vector){x, x, x, x})
#else
#define VECTOR_OF(x) (x)
#endif

#include "math/simd/simd_body.h"
