/* The CPU engine's own memory, shared by its files. */
#ifndef CNM_ENGINE_CPU_H
#define CNM_ENGINE_CPU_H

#include "engine/engine.h"

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
    float *product;        /* (batch, features): d loss / d z, when the map is trained */
    float *scores, *error; /* (batch, outputs): scores, and d loss / d score */
    int32_t *classes;      /* (batch), gathered */
    float *targets, *weights;
    double *block_loss;
    float **scratch; /* one for each worker */
    float *work;     /* for map_gradient */
    /* Gradients and what updates remember: head, phases, tensors. */
    float *head_gradient, *phase_gradient, *gradients[MAP_TENSORS];
    float *head_moments[2], *phase_moments[2], *tensor_moments[MAP_TENSORS][2];
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

/* The rows of step's batch, as positions in setup.rows; *count of them. */
const size_t *cpu_batch(engine *self, const train_plan *plan, uint64_t step, size_t *count);

/* Whether a step of this plan takes its features from the cache, which serves only where slopes are not needed. */
bool cpu_from_cache(const engine *self, const train_plan *plan);

/* Features, scores, loss, and slopes of a batch; returns the sum of its losses. */
cnm_status cpu_forward(engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count,
                       double *loss, cnm_error *err);

/* scores (rows, outputs) = feature_scale * z W + c for one block of z, which is padded to GEMM_ROWS rows, as scores is. */
void cpu_head_scores(const linear_head *head, double feature_scale, const float *z, size_t rows, float *scores);

/* Gradients of the mean loss, from what cpu_forward left. */
void cpu_gradients(engine *self, const train_plan *plan, size_t count);

/* One update of all arrays that the plan trains. */
void cpu_update(engine *self, const train_plan *plan, uint64_t step);

/* Fills the cache of features where the plan makes it worth its memory; without memory for it goes on without. */
void cpu_prepare_cache(engine *self, const train_plan *plan);

#endif
