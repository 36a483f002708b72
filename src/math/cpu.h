/* Which instructions this machine has, asked at each call: no state is kept. One source is compiled once for each level
 * through target attributes; elsewhere than on x86-64 with gcc or clang there is only the baseline. */
#ifndef CNM_MATH_CPU_H
#define CNM_MATH_CPU_H

#if defined(__x86_64__) && defined(__GNUC__)
#define CPU_HAS_LEVELS 1
#define CPU_AVX2 __attribute__((target("avx2,fma")))
#if defined(__clang__)
#define CPU_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define CPU_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#endif

#if defined(__GNUC__)
#define CPU_INLINE static inline __attribute__((always_inline))
#else
#define CPU_INLINE static inline
#endif

typedef enum cpu_level { CPU_LEVEL_BASELINE, CPU_LEVEL_AVX2, CPU_LEVEL_AVX512 } cpu_level;

static inline cpu_level cpu_level_here(void) {
#if defined(CPU_HAS_LEVELS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl")) {
        return CPU_LEVEL_AVX512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return CPU_LEVEL_AVX2;
    }
#endif
    return CPU_LEVEL_BASELINE;
}

#endif
