/* Choosing among the kernels that were built, by what the CPU says it has. */
#include "math/kernels.h"

extern const kernels KERNELS_BASELINE;

#if defined(KERNELS_X86_LEVELS)
extern const kernels KERNELS_AVX2, KERNELS_AVX512;

static size_t levels_here(void) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return 1;
    }
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return wide ? 3 : 2;
}

static const kernels *const LEVELS[] = {&KERNELS_BASELINE, &KERNELS_AVX2, &KERNELS_AVX512};
#else
static size_t levels_here(void) { return 1; }

static const kernels *const LEVELS[] = {&KERNELS_BASELINE};
#endif

const kernels *kernels_here(void) { return LEVELS[levels_here() - 1]; }

const kernels *kernels_level(size_t i) { return i < levels_here() ? LEVELS[i] : NULL; }
