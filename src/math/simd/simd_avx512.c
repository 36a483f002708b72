/* The SIMD code for x86-64 with AVX-512: vectors of 16 floats, 32 registers. */
#include "math/elementary/contraction.h"

#include "math/simd/simd_dispatch.h"

#if defined(SIMD_X86_LEVELS)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,bmi,bmi2,popcnt"))),            \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,bmi,bmi2,popcnt,prefer-vector-width=512")
#endif

#define SIMD_TABLE SIMD_AVX512
#define SIMD_NAME "avx512"
#define TILE_TALLEST 3
#define VECTOR_FLOATS 16
#define VECTOR_MULTIPLY_ADD(a, b, c) _mm512_fmadd_ps(a, b, c)
#define VECTOR_OF(x) _mm512_set1_ps(x)
#define VECTOR_LOAD_SOME(from, count) _mm512_maskz_loadu_ps((__mmask16)((1U << (count)) - 1), from)
#define VECTOR_STORE_SOME(to, value, count) _mm512_mask_storeu_ps(to, (__mmask16)((1U << (count)) - 1), value)
#define VECTOR_TOPS(x) _mm512_movepi32_mask((__m512i)(x))
#define VECTOR_STREAM(to, value) _mm512_stream_ps(to, value)
#define STREAM_END() _mm_sfence()
#define LANES_PRODUCT(a, b) ((wide_words)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#define LANES_BYTE_SUMS(x)                                                                                             \
    ((wide_words)_mm512_madd_epi16(_mm512_maddubs_epi16((__m512i)(x), _mm512_set1_epi8(1)), _mm512_set1_epi16(1)))

#include "math/simd/simd_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
