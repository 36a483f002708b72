/* Runs batches: scores, slopes, gradients and updates. An engine is one row of functions, and `cpu`
 * is the one there is. A GPU or many machines come in here, so the interface is small: rows go in
 * once, steps are run, parameters and scores come out. */
#ifndef CNM_ENGINE_ENGINE_H
#define CNM_ENGINE_ENGINE_H

#include "base/file/safetensors.h"
#include "engine/linear_head.h"
#include "engine/plan.h"
#include "model/preprocess.h"

typedef struct engine_ops engine_ops;

/* What an engine works on; all borrowed, map and head are changed by engine_run. */
typedef struct engine_setup {
    const engine_ops *ops; /* NULL: the first row of the table */
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

/* What every engine begins with; an engine's own struct has it as its first member. */
typedef struct engine {
    const engine_ops *ops;
} engine;

enum { ENGINE_ARRAYS = 2 * (1 + MAP_LAYERS * (1 + LAYER_TENSORS)) + 2 };

/* An engine's row. The functions do what the functions below of the same name say. */
struct engine_ops {
    const char *name;
    bool host_callbacks; /* runs plans with the host functions at the end of train_plan */
    cnm_status (*create)(engine **out, const engine_setup *setup, cnm_error *err);
    void (*destroy)(engine *self);
    cnm_status (*run)(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                      cnm_error *err);
    cnm_status (*scores)(engine *self, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                         cnm_error *err);
    void (*forget)(engine *self);
    /* Optional (NULL): an engine without it runs no plan with average_from. */
    void (*use_average)(engine *self);
    /* Optional, both or none: an engine without them has no checkpoints. */
    size_t (*save)(engine *self, archive_tensor out[ENGINE_ARRAYS]);
    cnm_status (*restore)(engine *self, const archive *from, cnm_error *err);
};

/* Returns all engines, the usual one first. */
const engine_ops *const *engine_table(size_t *count);
/* Returns NULL for a name that no engine has. */
const engine_ops *engine_find(const char *name);

cnm_status engine_create(engine **out, const engine_setup *setup, cnm_error *err);
void engine_destroy(engine *self);

/* Runs steps first .. first + count (numbered from 1 over the whole training) of a plan; *loss is
 * the mean loss of those batches before their updates. Step n is a function of (parameters, plan,
 * n) alone: cutting a run in two changes nothing. Fails with CNM_UNSUPPORTED, before the first
 * step, for a plan that the engine cannot run. */
cnm_status engine_run(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                      cnm_error *err);

/* Puts the mean head over the steps since plan->average_from into the head; nothing where there is
 * none. */
void engine_use_average(engine *self);

/* Lists what an engine remembers between runs, map and head aside, as named arrays: the moments of
 * optimisers and the mean head. Returns how many; the arrays are borrowed until the next call with
 * this engine. */
size_t engine_save(engine *self, archive_tensor out[ENGINE_ARRAYS]);
/* Takes that back from an archive that holds it, once map and head are restored: steps then go on
 * as if nothing had been between. Fails with CNM_BAD_FORMAT where an array has not the size it must
 * have; the memory taken does not depend on the archive. */
cnm_status engine_restore(engine *self, const archive *from, cnm_error *err);
/* Forgets all of it, as at the start; also to be called when map or head were changed from
 * outside. */
void engine_forget(engine *self);

/* Fills scores (count, outputs) of the rows at these positions (NULL: the first count) with the
 * present parameters. */
cnm_status engine_scores(engine *self, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                         cnm_error *err);

#endif
