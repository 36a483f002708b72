/* The CPU engine's own memory, shared by its files. */
#ifndef CNM_ENGINE_CPU_CPU_H
#define CNM_ENGINE_CPU_CPU_H

#include "engine/engine.h"

enum { LOSS_STEP = 8 };

struct engine {
    engine_setup setup;
    thread_pool *pool;    /* of the whole training */
    thread_pool *threads; /* for the work at hand: the pool, or NULL where it is too little */
    size_t workers;       /* there is scratch for */
    size_t rows;          /* to train on */
    size_t batch_rows;    /* setup.batch in whole blocks */
    /* One batch: */
    input_block input;     /* prepared rows u (batch, columns) */
    float *z, *slope;      /* (batch, features): activations, and their slopes, then g = d loss / d projection */
    float *product;        /* (batch, features): d loss / d z, when the map is trained but not by parts */
    float *scores, *error; /* (batch, outputs): scores, and d loss / d score */
    double *block_loss;    /* (blocks, LOSS_STEP): one to a line */
    float **scratch;       /* one for each worker */
    float *still;          /* (workers, GEMM_ROWS, columns): a block's rows before they move */
    float *work;           /* for map_gradient */
    /* Gradients and what updates remember: head, phases, tensors. */
    float *head_gradient, *phase_gradient, *gradients[MAP_TENSORS];
    float *head_moments[2], *phase_moments[2], *tensor_moments[MAP_TENSORS][2];
    /* By parts: theta while steps run, the parts' shares of the scores, errors with padding; and whether tensor_moments[0] are by
     * parts too. */
    float *theta, *shares, *wide_error;
    bool moments_by_parts;
    double *average; /* of the head's weights */
    uint64_t averaged;
    /* Which rows come when: */
    size_t *order;
    uint64_t epoch;   /* whose order this is, plus 1; 0: none yet */
    uint32_t purpose; /* which stream it came from ... */
    uint64_t seed;    /* ... and its seed */
    /* Features of all rows while the map stays as it is: */
    float *cache;
    bool cached;
};

/* One step's rows. */
typedef struct batch_pass {
    engine *engine;
    const train_plan *plan;
    uint64_t step;
    const size_t *batch; /* positions of the rows in the source, or NULL: rows 0, 1, ... */
    size_t count;
} batch_pass;

/* The rows of step's batch, as positions in setup.rows; *count of them. */
const size_t *cpu_batch(engine *self, const train_plan *plan, uint64_t step, size_t *count);

/* Whether a step of this plan takes its features from the cache, which serves only where slopes are not needed. */
bool cpu_from_cache(const engine *self, const train_plan *plan);

/* Rows in a block: GEMM_ROWS but for the last. */
size_t cpu_block_rows(size_t count, size_t block);

/* Whether rows drift, are shifted or mirrored. */
bool cpu_rows_move(const train_plan *plan);

/* u (rows of the block, columns) = prepared rows with drift, shift and noise; or published (array_publish) where that is not NULL, by way of
 * u. Not for sparse rows. */
void cpu_prepare_rows(const batch_pass *self, size_t block, size_t worker, float *u, float *published);

/* The loss of one block from its scores (rows, outputs), and its slopes. */
double cpu_block_loss(const batch_pass *self, size_t block, const float *scores, float *slope);

/* gradient (outputs) of the intercept. */
void cpu_intercept_gradient(const engine *cpu, size_t count, float *gradient);

/* Whether steps of this plan are made by parts: cpu_parts.c. */
bool cpu_by_parts(const engine *self, const train_plan *plan);

/* How many parts so many features are cut into. */
size_t cpu_part_count(size_t features);

/* One of them, as equal as whole lines can be. */
feature_part cpu_part(size_t features, size_t number);

/* Where it begins in an array by parts that is (count, features) elsewhere; and how many floats longer such an array is. */
size_t cpu_part_start(size_t features, size_t count, size_t number);
size_t cpu_part_gaps(size_t features);

/* Floats of scratch that each worker needs for it. */
size_t cpu_parts_scratch(const engine *self);

/* Takes the memory for it, the first time. */
cnm_status cpu_parts_prepare(engine *self, cnm_error *err);

/* Before the first and after the last of some steps: theta goes into parts and back. cpu_parts_leave: before steps that are not made by
 * parts, gives back what optimisers remember. */
void cpu_parts_begin(engine *self);
void cpu_parts_end(engine *self);
void cpu_parts_leave(engine *self);

/* One step, updates and all; returns the sum of its losses. */
double cpu_parts_step(engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count);

/* Features, scores, loss, and slopes of a batch; returns the sum of its losses. */
cnm_status cpu_forward(engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count,
                       double *loss, cnm_error *err);

/* scores (rows, outputs) = feature_scale * z W + c for one block of z, which is padded to GEMM_ROWS rows, as scores is. */
void cpu_head_scores(const linear_head *head, double feature_scale, const float *z, size_t rows, float *scores);

/* Gradients of the mean loss, from what cpu_forward left. */
void cpu_gradients(engine *self, const train_plan *plan, size_t count);

/* What updates the head, tensor i of the map, and its phases at this step. */
update_call cpu_head_update(const engine *self, const train_plan *plan, uint64_t step);
update_call cpu_tensor_update(const engine *self, const train_plan *plan, uint64_t step, size_t i);
update_call cpu_phase_update(const engine *self, const train_plan *plan, uint64_t step);

/* One update of all arrays that the plan trains. */
void cpu_update(engine *self, const train_plan *plan, uint64_t step);

/* Fills the cache of features where the plan makes it worth its memory; without memory for it goes on without. */
void cpu_prepare_cache(engine *self, const train_plan *plan);

#endif
