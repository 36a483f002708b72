/* Shared by the programs of this folder: error exit, clocks and figures for scripts/bench.
 *
 * A line "@ NAME VALUE" is a figure, which bench/suite.py collects. Other lines are for readers. */
#ifndef CNM_BENCH_SUPPORT_H
#define CNM_BENCH_SUPPORT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cnm/types.h"

static inline void fail(const char *reason) {
    fprintf(stderr, "failed: %s\n", reason);
    exit(1);
}

/* Reports the error unless `status` is fine. */
static inline void check(cnm_status status, const cnm_error *error) {
    if (status != CNM_OK) {
        fail(error->message);
    }
}

static inline void *take(size_t count, size_t size) {
    void *out = calloc(count, size);
    if (out == NULL) {
        fail("out of memory");
    }
    return out;
}

static inline double now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) {
        fail("no clock");
    }
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void figure(const char *name, double value) {
    printf("@ %s %.6g\n", name, value);
    fflush(stdout);
}

/* Returns pseudo-random numbers from 0 to 1, the same in every run. */
static inline void fill_uniform(float *values, size_t count, uint64_t seed) {
    uint64_t state = 2 * seed + 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        values[i] = (float)((double)(state >> 40) * 0x1p-24);
    }
}

#endif
