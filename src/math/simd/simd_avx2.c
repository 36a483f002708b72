/* The SIMD code for x86-64 with AVX2 and fused multiply-add: vectors of 8 floats, 16 registers. */
#include "math/elementary/contraction.h"

#include "math/simd/simd_dispatch.h"

#if defined(SIMD_X86_LEVELS)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt")
#endif

#define SIMD_TABLE SIMD_AVX2
#define SIMD_NAME "avx2"
#define TILE_TALLEST 2
#define VECTOR_FLOATS 8
#define VECTOR_MULTIPLY_ADD(a, b, c) _mm256_fmadd_ps(a, b, c)
#define VECTOR_OF(x) _mm256_set1_ps(x)
#define FIRST_LANES(count)                                                                                             \
    _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define VECTOR_LOAD_SOME(from, count) _mm256_maskload_ps(from, FIRST_LANES(count))
#define VECTOR_STORE_SOME(to, value, count) _mm256_maskstore_ps(to, FIRST_LANES(count), value)
#define VECTOR_TOPS(x) _mm256_movemask_ps((__m256)(x))
#define VECTOR_STREAM(to, value) _mm256_stream_ps(to, value)
#define STREAM_END() _mm_sfence()
#define LANES_PRODUCT(a, b) ((wide_words)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#define LANES_BYTE_SUMS(x)                                                                                             \
    ((wide_words)_mm256_madd_epi16(_mm256_maddubs_epi16((__m256i)(x), _mm256_set1_epi8(1)), _mm256_set1_epi16(1)))

#include "math/simd/simd_body.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
