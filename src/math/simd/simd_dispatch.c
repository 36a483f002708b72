/* Chooses a level of SIMD code, by the CPU, the system and the environment. */
#include "math/simd/simd_dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"

extern const simd_table SIMD_REFERENCE, SIMD_BASELINE;

#if defined(SIMD_X86_LEVELS)
#include <cpuid.h>

extern const simd_table SIMD_AVX2, SIMD_AVX512;

/* Bits of CPUID's leaves 1 and 7, and of XCR0 (Intel 64 manual, volume 1, 14.3 and 15.2): what the
 * processor has, and which registers the system saves on a switch of threads. */
enum {
    LEAF_1_ECX = bit_FMA | bit_POPCNT | bit_OSXSAVE | bit_AVX,
    LEAF_7_EBX = bit_AVX2 | bit_BMI | bit_BMI2,
    SAVED_256 = 0x06,
    SAVED_512 = 0xe6
};
static const unsigned WIDE_EBX = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;

/* Returns the lower half of XCR0; OSXSAVE says whether it can be read. */
static unsigned saved_registers(void) {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Counts the levels of this machine. Asks CPUID itself: __builtin_cpu_supports needs a part of the
 * compiler's runtime that zig does not bring. */
static size_t levels_here(void) {
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || (ecx & LEAF_1_ECX) != LEAF_1_ECX) {
        return 2;
    }
    const unsigned saved = saved_registers();
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || (ebx & LEAF_7_EBX) != LEAF_7_EBX ||
        (saved & SAVED_256) != SAVED_256) {
        return 2;
    }
    return (ebx & WIDE_EBX) == WIDE_EBX && (saved & SAVED_512) == SAVED_512 ? 4 : 3;
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
