/* Runs batches: scores, slopes, gradients and updates. One engine is one row of functions; `cpu` is the one there is. This
 * seam is where a GPU or many machines come in, so it is small: rows go in once, steps are run, parameters and scores come out. */
#ifndef CNM_ENGINE_ENGINE_H
#define CNM_ENGINE_ENGINE_H

#include "base/file/safetensors.h"
#include "engine/plan.h"
#include "model/preprocess.h"

/* The linear head while it is trained: weights (features + 1, outputs), the last row is the intercept. */
typedef struct linear_head {
    size_t features, outputs;
    float *weights;
} linear_head;

cnm_status head_create(linear_head *out, size_t features, size_t outputs, cnm_error *err);
void head_free(linear_head *self);

/* What an engine works on; all borrowed, map and head are changed by engine_run. */
typedef struct engine_setup {
    const input_source *rows;
    const size_t *positions; /* (count) the rows to train on, or NULL: all */
    size_t count;
    const int32_t *classes; /* (rows) or NULL */
    const float *targets;   /* (rows) or NULL */
    const float *weights;   /* (rows) or NULL */
    map *map;
    linear_head *head;
    size_t batch; /* the largest a plan will ask for */
    size_t threads;
} engine_setup;

typedef struct engine engine;

cnm_status engine_create(engine **out, const engine_setup *setup, cnm_error *err);
void engine_destroy(engine *self);

/* Runs steps first .. first + count (numbered from 1 over the whole training) of a plan; *loss is the mean loss of those
 * batches before their updates. Step n is a function of (parameters, plan, n) alone: cutting a run in two changes nothing. */
cnm_status engine_run(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                      cnm_error *err);

/* Puts the mean head over the steps since plan->average_from into the head; nothing where there is none. */
void engine_use_average(engine *self);

enum { ENGINE_ARRAYS = 2 * (2 + MAP_TENSORS) + 2 };

/* What an engine remembers between runs, map and head aside, as named arrays: what optimisers keep, and the mean head. Returns how
 * many; they are borrowed until the next call with this engine. */
size_t engine_save(engine *self, archive_tensor out[ENGINE_ARRAYS]);
/* Takes that back from an archive that holds it, once map and head are restored: steps then go on as if nothing had been between.
 * CNM_BAD_FORMAT where an array has not the size it must have; the memory taken does not depend on the archive. */
cnm_status engine_restore(engine *self, const archive *from, cnm_error *err);
/* Forgets it all, as at the start; also to be called when map or head were changed from outside. */
void engine_forget(engine *self);

/* scores (count, outputs) of the rows at these positions (NULL: the first count) with the present parameters. */
cnm_status engine_scores(engine *self, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                         cnm_error *err);

#endif
