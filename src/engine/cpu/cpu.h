/* The CPU engine's own memory, shared by its files. */
#ifndef CNM_ENGINE_CPU_CPU_H
#define CNM_ENGINE_CPU_CPU_H

#include "engine/batch_order.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/optimisers.h"

enum { LOSS_STEP = 8 };

/* What the engine keeps of one layer. */
typedef struct layer_memory {
    float *z;     /* (batch, features): activations */
    float *slope; /* (batch, features): their slopes, then d loss / d projection */
    /* Gradients and what updates remember: phases, tensors. */
    float *phase_gradient, *gradients[LAYER_TENSORS];
    float *phase_moments[2], *tensor_moments[LAYER_TENSORS][2];
} layer_memory;

typedef struct cpu_engine {
    engine base;
    engine_setup setup;
    thread_pool *pool;    /* of the whole training */
    thread_pool *threads; /* for the work at hand: the pool, or NULL where it is too little */
    size_t workers;       /* there is scratch for */
    size_t rows;          /* to train on */
    size_t batch_rows;    /* setup.batch in whole blocks */
    /* One batch: */
    input_block input; /* prepared rows u (batch, columns) */
    layer_memory layers[MAP_LAYERS];
    float *product;        /* (batch, widest): d loss / d z of a layer, in steps not by parts */
    size_t widest;         /* features of any layer */
    float *scores, *error; /* (batch, outputs): scores, and d loss / d score */
    double *block_loss;    /* (blocks, LOSS_STEP): one to a line */
    float **scratch;       /* one for each worker */
    float *still;          /* (workers, GEMM_ROWS, columns): a block's rows before they move */
    float *work;           /* for layer_gradient */
    float *head_gradient, *head_moments[2];
    /* By parts: theta while steps run, the parts' shares of the scores, errors with padding; and
     * whether the moments of theta are by parts too. */
    float *theta, *shares, *wide_error;
    bool moments_by_parts;
    double *average; /* of the head's weights */
    uint64_t averaged;
    batch_order order;
    /* Features of all rows while the map stays as it is: */
    float *cache;
    bool cached;
} cpu_engine;

/* Return the memory of the last layer, and its activations of the batch. */
static inline layer_memory *cpu_last(cpu_engine *self) { return &self->layers[self->setup.map->layer_count - 1]; }
static inline float *cpu_features(cpu_engine *self) { return cpu_last(self)->z; }

/* One step's rows. */
typedef struct batch_pass {
    cpu_engine *engine;
    const train_plan *plan;
    uint64_t step;
    const size_t *batch; /* positions of the rows in the source, or NULL: rows 0, 1, ... */
    size_t count;
} batch_pass;

/* ---- cpu_rows.c ---- */

/* Returns the rows in a block: GEMM_ROWS but for the last. */
size_t cpu_block_rows(size_t count, size_t block);

/* Whether the plan augments rows by more than noise. */
bool cpu_rows_move(const train_plan *plan);

/* Fills u (rows of the block, columns) with prepared rows, augmented as the plan says; or published
 * (vector_publish) where that is not NULL, by way of u. Not for sparse rows. */
void cpu_prepare_rows(const batch_pass *self, size_t block, size_t worker, float *u, float *published);

/* ---- cpu_pass.c ---- */

/* Whether a step of this plan takes its features from the cache, which serves only where slopes are
 * not needed. */
bool cpu_from_cache(const cpu_engine *self, const train_plan *plan);

/* Returns the loss of one block from its scores (rows, outputs), and fills its slopes. */
double cpu_block_loss(const batch_pass *self, size_t block, const float *scores, float *slope);

/* Fills gradient (outputs) of the intercept. */
void cpu_intercept_gradient(const cpu_engine *cpu, size_t count, float *gradient);

/* Runs features, scores, loss and slopes of a batch; *loss is the sum of its losses. */
cnm_status cpu_forward(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count,
                       double *loss, cnm_error *err);

/* Fills scores (rows, outputs) = feature_scale * z W + c for one block of z; z and scores are
 * padded to GEMM_ROWS rows. */
void cpu_head_scores(const linear_head *head, double feature_scale, const float *z, size_t rows, float *scores);

/* Fills the gradients of the mean loss, from what cpu_forward left. */
void cpu_gradients(cpu_engine *self, const train_plan *plan, size_t count);

/* ---- cpu_layout.c: features cut into parts ---- */

/* Returns how many parts so many features are cut into. */
size_t cpu_part_count(size_t features);

/* Returns one of the parts, which are as equal as whole lines can be. */
feature_part cpu_part(size_t features, size_t number);

/* Returns where a part begins in an array by parts that is (count, features) elsewhere; and how
 * many floats longer such an array is. */
size_t cpu_part_start(size_t features, size_t count, size_t number);
size_t cpu_part_gaps(size_t features);

/* Moves theta into parts before the first of some steps, and back after the last. cpu_parts_leave,
 * before steps that are not made by parts, gives back what optimisers remember. */
void cpu_parts_begin(cpu_engine *self);
void cpu_parts_end(cpu_engine *self);
void cpu_parts_leave(cpu_engine *self);

/* ---- cpu_parts.c: steps by parts ---- */

/* Whether steps of this plan are made by parts. */
bool cpu_by_parts(const cpu_engine *self, const train_plan *plan);

/* Returns the floats of scratch that each worker needs for steps by parts. */
size_t cpu_parts_scratch(const cpu_engine *self);

/* Takes the memory for steps by parts, the first time. */
cnm_status cpu_parts_prepare(cpu_engine *self, cnm_error *err);

/* Makes one step, updates and all; returns the sum of its losses. */
double cpu_parts_step(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count);

/* ---- cpu_update.c ---- */

/* Return what updates the head, tensor i of a layer, and a layer's phases at this step. */
update_call cpu_head_update(const cpu_engine *self, const train_plan *plan, uint64_t step);
update_call cpu_tensor_update(const cpu_engine *self, const train_plan *plan, uint64_t step, size_t number, size_t i);
update_call cpu_phase_update(const cpu_engine *self, const train_plan *plan, uint64_t step, size_t number);

/* Updates all arrays that the plan trains, once. */
void cpu_update(cpu_engine *self, const train_plan *plan, uint64_t step);

/* ---- cpu_scores.c ---- */

/* Fills the cache of features where the plan makes it worth its memory; without memory for the
 * cache goes on without. */
void cpu_prepare_cache(cpu_engine *self, const train_plan *plan);

cnm_status cpu_scores(engine *base, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                      cnm_error *err);

/* ---- cpu_state.c ---- */

size_t cpu_save(engine *base, archive_tensor out[ENGINE_ARRAYS]);
cnm_status cpu_restore(engine *base, const archive *from, cnm_error *err);
void cpu_forget(engine *base);

#endif
