/* Peak rates of the machine, measured in the same run as what is compared with them: fused
 * multiply-adds of one thread, and bytes that one thread copies. */
#ifndef CNM_BENCH_FLOOR_H
#define CNM_BENCH_FLOOR_H

#include "bench_support.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#endif

enum { FLOOR_CHAINS = 16, FLOOR_TURNS = 20000, FLOOR_TRIES = 300 };

/* Multiply-adds of one element each in FLOOR_TURNS turns of FLOOR_CHAINS independent chains. */
#if defined(__GNUC__) && defined(__x86_64__)
#define FMA_LOOP(name, target_name, vector, lanes, set, multiply_add)                                                  \
    __attribute__((target(target_name))) static double name(float *sink) {                                             \
        vector sums[FLOOR_CHAINS];                                                                                     \
        const vector factor = set(0.999F), term = set(0.001F);                                                         \
        for (int i = 0; i < FLOOR_CHAINS; i++) {                                                                       \
            sums[i] = set((float)i);                                                                                   \
        }                                                                                                              \
        for (int turn = 0; turn < FLOOR_TURNS; turn++) {                                                               \
            _Pragma("GCC unroll 16") for (int i = 0; i < FLOOR_CHAINS; i++) {                                          \
                sums[i] = multiply_add(sums[i], factor, term);                                                         \
            }                                                                                                          \
        }                                                                                                              \
        for (int i = 0; i < FLOOR_CHAINS; i++) {                                                                       \
            *sink += ((const float *)&sums[i])[0];                                                                     \
        }                                                                                                              \
        return (double)(lanes)*FLOOR_CHAINS * FLOOR_TURNS;                                                             \
    }

FMA_LOOP(fma_loop_avx512, "avx512f", __m512, 16, _mm512_set1_ps, _mm512_fmadd_ps)
FMA_LOOP(fma_loop_avx2, "avx2,fma", __m256, 8, _mm256_set1_ps, _mm256_fmadd_ps)

#undef FMA_LOOP
#endif

static inline double fma_loop_plain(float *sink) {
    float sums[4 * FLOOR_CHAINS];
    for (int i = 0; i < 4 * FLOOR_CHAINS; i++) {
        sums[i] = (float)i;
    }
    for (int turn = 0; turn < FLOOR_TURNS; turn++) {
        for (int i = 0; i < 4 * FLOOR_CHAINS; i++) {
            sums[i] = sums[i] * 0.999F + 0.001F;
        }
    }
    for (int i = 0; i < 4 * FLOOR_CHAINS; i++) {
        *sink += sums[i];
    }
    return 4.0 * FLOOR_CHAINS * FLOOR_TURNS;
}

static inline double fma_loop(float *sink) {
#if defined(__GNUC__) && defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return fma_loop_avx512(sink);
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return fma_loop_avx2(sink);
    }
#endif
    return fma_loop_plain(sink);
}

/* Returns multiply-adds a second of one thread, the best of FLOOR_TRIES short runs. */
static inline double fma_peak(int tries) {
    float sink = 0.0F;
    double best = 0.0;
    for (int i = 0; i < tries; i++) {
        const double start = now(), count = fma_loop(&sink);
        best = fmax(best, count / (now() - start));
    }
    if (!isfinite(sink)) {
        fail("the loop of multiply-adds went astray");
    }
    return best;
}

/* Returns bytes read and written a second by one thread that copies an array larger than the
 * caches. */
static inline double copy_peak(int tries) {
    const size_t size = (size_t)128 << 20;
    char *from = take(size, 1), *to = take(size, 1);
    double best = 0.0;
    memset(from, 1, size);
    for (int i = 0; i < tries; i++) {
        const double start = now();
        memcpy(to, from, size);
        best = fmax(best, 2.0 * (double)size / (now() - start));
        from[i] = to[i + 1];
    }
    free(from);
    free(to);
    return best;
}

#endif
