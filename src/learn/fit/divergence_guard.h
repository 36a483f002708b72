/* Against trainings that run away: where a piece of work ends with a loss or parameters that cannot be, it is taken back and done again
 * with smaller steps. Judged by numbers alone, never by the clock: the same for any number of threads, and after a resume. */
#ifndef CNM_LEARN_FIT_DIVERGENCE_GUARD_H
#define CNM_LEARN_FIT_DIVERGENCE_GUARD_H

#include "engine/engine.h"
#include "learn/dataset/dataset.h"

struct training;

enum { SAFEGUARD_MOST = 16 }; /* times that rates are lowered */

typedef struct safeguard {
    float *good;      /* the parameters at the end of the last good piece of work */
    size_t capacity;  /* of good */
    double bound;     /* no mean loss of a training that works is above it; 0: not known */
    uint32_t limit;   /* nor is the size of any parameter, as the bits of a float; 0: not known */
    uint64_t lowered; /* train_plan.lowered of the steps to come */
} safeguard;

/* bound = a million times the mean loss of a model that says 0 for every row, or of 1. */
cnm_status safeguard_create(safeguard *out, const problem *task, cnm_error *err);
void safeguard_free(safeguard *self);

/* Before the first steps, and before anything is restored: the limit, 2^64 or 4,096 times the largest parameter as drawn. */
void safeguard_measure(struct training *self);
/* Before steps: the present parameters are good. */
cnm_status safeguard_begin(struct training *self, const train_plan *plan, cnm_error *err);

/* engine_run of a piece of work, again with smaller steps for as long as it runs away. A pilot is ended instead: `diverged`. Fails where
 * no steps are small enough, or where even the good parameters have no finite loss. */
cnm_status safeguard_run(struct training *self, engine *runner, const train_plan *plan, uint64_t first, uint64_t steps,
                         cnm_error *err);

#endif
