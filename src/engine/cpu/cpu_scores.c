/* Runs many rows with the present parameters: the cache of features, and scores for validation. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "engine/cpu/cpu.h"
#include "math/elementary/denormals.h"
#include "math/gemm/gemm.h"

static const size_t CACHE_BYTES = (size_t)1 << 30;

/* A sweep over all rows of a source, one block at a time. */
typedef struct row_sweep {
    const cpu_engine *engine;
    const size_t *positions; /* (count) in the engine's rows, or NULL: the first count */
    size_t count;
    input_block *blocks; /* one for each worker */
    float **z;           /* one for each worker */
    double feature_scale;
    float *features; /* (rows, features) or NULL */
    float *scores;   /* (rows, outputs) or NULL */
    cnm_status *statuses;
} row_sweep;

static void sweep_block(void *context, size_t block, size_t worker) {
    const row_sweep *self = context;
    const engine_setup *setup = &self->engine->setup;
    const size_t k = setup->map->features, outputs = setup->head->outputs, first = block * GEMM_ROWS;
    const size_t left = self->count - first, rows = left < GEMM_ROWS ? left : GEMM_ROWS;
    float *z = self->z[worker];
    const cnm_status status = input_take(setup->rows, self->positions == NULL ? NULL : self->positions + first, first,
                                         rows, &self->blocks[worker], NULL);
    if (status != CNM_OK) {
        self->statuses[worker] = status;
        return;
    }
    map_forward(setup->map, &self->blocks[worker].view, z, self->engine->scratch[worker]);
    if (self->features != NULL) {
        memcpy(self->features + first * k, z, rows * k * sizeof *z);
        return;
    }
    float *scores = z + GEMM_ROWS * k;
    cpu_head_scores(setup->head, self->feature_scale, z, rows, scores);
    memcpy(self->scores + first * outputs, scores, rows * outputs * sizeof *scores);
}

/* Takes a block and features for each worker; sweep_free frees both, on failure too. */
static cnm_status sweep_create(row_sweep *self, cnm_error *err) {
    const cpu_engine *cpu = self->engine;
    const size_t workers = cpu->workers, cells = GEMM_ROWS * (cpu->setup.map->features + cpu->setup.head->outputs);
    TRY(memory_zeroed(&self->blocks, workers, sizeof *self->blocks, "workers", err));
    TRY(memory_zeroed(&self->z, workers, sizeof *self->z, "workers", err));
    TRY(memory_zeroed(&self->statuses, workers, sizeof *self->statuses, "workers", err));
    for (size_t i = 0; i < workers; i++) {
        TRY(input_block_create(&self->blocks[i], cpu->setup.rows, GEMM_ROWS, err));
        TRY(memory_take(&self->z[i], cells, sizeof **self->z, "features", err));
    }
    return CNM_OK;
}

static void sweep_free(row_sweep *self) {
    for (size_t i = 0; i < self->engine->workers; i++) {
        if (self->blocks != NULL) {
            input_block_free(&self->blocks[i]);
        }
        memory_free(self->z == NULL ? NULL : self->z[i]);
    }
    memory_free(self->blocks);
    memory_free(self->z);
    memory_free(self->statuses);
}

static cnm_status sweep_run(row_sweep *self, cnm_error *err) {
    cnm_status status = CNM_OK;
    TRY_DONE(sweep_create(self, err));
    threads_for(self->engine->pool, (self->count + GEMM_ROWS - 1) / GEMM_ROWS, sweep_block, self);
    for (size_t i = 0; i < self->engine->workers; i++) {
        if (self->statuses[i] != CNM_OK) {
            TRY_DONE(error_set(err, self->statuses[i], "out of memory for a block of sparse rows"));
        }
    }
done:
    sweep_free(self);
    return status;
}

cnm_status cpu_scores(engine *base, const train_plan *plan, const size_t *positions, size_t count, float *scores,
                      cnm_error *err) {
    row_sweep sweep = {.engine = (cpu_engine *)base,
                       .positions = positions,
                       .count = count,
                       .feature_scale = plan->feature_scale,
                       .scores = scores};
    const uint64_t before = denormals_flush_begin();
    const cnm_status status = sweep_run(&sweep, err);
    denormals_flush_end(before);
    return status;
}

void cpu_prepare_cache(cpu_engine *self, const train_plan *plan) {
    const size_t rows = self->setup.rows->rows.rows;
    size_t bytes;
    const bool worth = plan->map_update == UPDATE_NONE && plan->noise == 0.0 && !cpu_rows_move(plan) &&
                       plan->reuse * plan->batch > self->rows + self->rows / 2;
    if (self->cached || !worth || !size_multiply(rows, self->setup.map->features * sizeof(float), &bytes) ||
        bytes > CACHE_BYTES) {
        return;
    }
    if (self->cache == NULL && memory_take(&self->cache, bytes, 1, "features", NULL) != CNM_OK) {
        return;
    }
    row_sweep sweep = {.engine = self, .count = rows, .features = self->cache};
    self->cached = sweep_run(&sweep, NULL) == CNM_OK;
}
