/* Chooses a level of SIMD code, by the CPU, the system and the environment. */
#include "math/simd/simd_dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"

extern const simd_table SIMD_REFERENCE, SIMD_BASELINE;

#if defined(SIMD_X86_LEVELS)
extern const simd_table SIMD_AVX2, SIMD_AVX512;

/* Counts the levels of this machine. gcc's and clang's answers count only registers that the system
 * saves on a switch of threads. */
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

static const simd_table *const LEVELS[] = {&SIMD_REFERENCE, &SIMD_BASELINE, &SIMD_AVX2, &SIMD_AVX512};
#else
static size_t levels_here(void) { return 2; }

static const simd_table *const LEVELS[] = {&SIMD_REFERENCE, &SIMD_BASELINE};
#endif

const simd_table *simd_level(size_t i) { return i < levels_here() ? LEVELS[i] : NULL; }

const simd_table *simd_named(const char *name) {
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

/* Returns the level of the environment; NULL when this machine has no such level. */
static const simd_table *simd_wanted(void) { return simd_named(getenv("CNM_SIMD")); }

/* Keeps the answer: the environment is read once, and every thread that comes first finds the
 * same. */
const simd_table *simd_active(void) {
    static _Atomic(const simd_table *) chosen;
    const simd_table *run = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (run == NULL) {
        run = simd_wanted();
        run = run != NULL ? run : simd_named(NULL);
        atomic_store_explicit(&chosen, run, memory_order_relaxed);
    }
    return run;
}

cnm_status simd_check(cnm_error *err) {
    char names[128] = "";
    if (simd_wanted() != NULL) {
        return CNM_OK;
    }
    for (size_t i = 0; simd_level(i) != NULL; i++) {
        strcat(strcat(names, i == 0 ? "" : ", "), simd_level(i)->name);
    }
    return error_set(err, CNM_BAD_ARGUMENT, "CNM_SIMD=%s: this machine runs %s; unset it for the fastest",
                     getenv("CNM_SIMD"), names);
}
