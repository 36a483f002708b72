/* Choosing among the kernels that were built, by what the CPU and the system say they have, and by the environment. */
#include "math/simd/simd_dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"

extern const kernels KERNELS_REFERENCE, KERNELS_BASELINE;

#if defined(KERNELS_X86_LEVELS)
extern const kernels KERNELS_AVX2, KERNELS_AVX512;

/* gcc's and clang's answers count only what the system saves on a switch of threads, too. */
static size_t levels_here(void) {
    const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                       __builtin_cpu_supports("popcnt");
    if (!newer) {
        return 2;
    }
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return wide ? 4 : 3;
}

static const kernels *const LEVELS[] = {&KERNELS_REFERENCE, &KERNELS_BASELINE, &KERNELS_AVX2, &KERNELS_AVX512};
#else
static size_t levels_here(void) { return 2; }

static const kernels *const LEVELS[] = {&KERNELS_REFERENCE, &KERNELS_BASELINE};
#endif

const kernels *kernels_level(size_t i) { return i < levels_here() ? LEVELS[i] : NULL; }

const kernels *kernels_named(const char *name) {
    if (name == NULL || name[0] == '\0') {
        return LEVELS[levels_here() - 1];
    }
    for (size_t i = 0; i < levels_here(); i++) {
        if (strcmp(LEVELS[i]->name, name) == 0) {
            return LEVELS[i];
        }
    }
    return NULL;
}

/* What the environment asks for; NULL when this machine has no such kernels. */
static const kernels *kernels_wanted(void) { return kernels_named(getenv("CNM_KERNELS")); }

/* The answer is kept: the environment is looked at once, and every thread that comes first finds the same. */
const kernels *kernels_here(void) {
    static _Atomic(const kernels *) chosen;
    const kernels *run = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (run == NULL) {
        run = kernels_wanted();
        run = run != NULL ? run : kernels_named(NULL);
        atomic_store_explicit(&chosen, run, memory_order_relaxed);
    }
    return run;
}

cnm_status kernels_check(cnm_error *err) {
    char names[128] = "";
    if (kernels_wanted() != NULL) {
        return CNM_OK;
    }
    for (size_t i = 0; kernels_level(i) != NULL; i++) {
        strcat(strcat(names, i == 0 ? "" : ", "), kernels_level(i)->name);
    }
    return error_set(err, CNM_BAD_ARGUMENT, "CNM_KERNELS=%s: this machine runs %s; unset it for the fastest",
                     getenv("CNM_KERNELS"), names);
}
