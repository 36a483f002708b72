/* Computes the features of all training rows, and solves for the head. */
#include "learn/fit/frozen_map.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "learn/fit/lbfgs_head.h"
#include "math/gemm/gemm.h"

enum { MOST_CELLS = 1 << 25, MOST_FEATURES = 1024, MOST_WEIGHTS = 1 << 16 };

bool head_can_be_solved(const fit_session *self) {
    const settings *wanted = self->data->settings;
    const loss_ops *loss = self->data->loss;
    size_t cells;
    return loss != NULL && loss->smooth && wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT &&
           !self->warm && self->spec.features <= MOST_FEATURES &&
           self->data->outputs <= MOST_WEIGHTS / self->spec.features &&
           size_multiply(self->data->rows.rows, self->spec.features + self->data->outputs, &cells) &&
           cells <= MOST_CELLS;
}

bool head_is_solved(const fit_session *self) { return self->chosen.map_mode == MAP_FROZEN && head_can_be_solved(self); }

/* For each row a solution takes its projection, half of the products of its features with each
 * other, and two passes an iteration; and beside the rows the Cholesky factor, which each iteration
 * solves with. */
double solve_steps(const fit_session *self) {
    /* rows of a fold */
    const double rows = 0.8 * (double)self->data->rows.rows, outputs = (double)self->data->outputs;
    const double features = (double)self->spec.features;
    const double step = (double)self->chosen.batch * fit_session_row_work(self);
    const double columns = map_spec_products(&self->spec) / features; /* those of a map of one layer */
    const double passes = rows * features * (columns + 0.5 * features + 2.0 * LBFGS_HEAD_ITERATIONS * outputs);
    return (passes + features * features * (features / 6.0 + LBFGS_HEAD_ITERATIONS * outputs)) / step;
}

/* ---- Features ---- */

typedef struct feature_task {
    const fit_session *of;
    float *z; /* (rows, features + 1) times `scale`, the last 1 */
    float scale;
    cnm_status *statuses; /* one for each block of rows */
} feature_task;

/* Fills the features of one block of rows. */
static cnm_status fill_block(const feature_task *self, size_t index) {
    const map *own = self->of->map;
    const size_t first = index * GEMM_ROWS, left = self->of->split.train_count - first;
    const size_t count = left < GEMM_ROWS ? left : GEMM_ROWS, k = own->features;
    input_block block = {0};
    float *z = NULL, *scratch = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(input_block_create(&block, &self->of->source, GEMM_ROWS, NULL));
    TRY_DONE(memory_take(&z, GEMM_ROWS * k, sizeof *z, "features", NULL));
    TRY_DONE(memory_take(&scratch, map_scratch_size(own), sizeof *scratch, "scratch", NULL));
    TRY_DONE(input_take(&self->of->source, self->of->split.train + first, 0, count, &block, NULL));
    map_forward(own, &block.view, z, scratch);
    for (size_t i = 0; i < count; i++) {
        float *out = self->z + (first + i) * (k + 1);
        for (size_t j = 0; j < k; j++) {
            out[j] = self->scale * z[i * k + j];
        }
        out[k] = 1.0F;
    }
done:
    memory_free(scratch);
    memory_free(z);
    input_block_free(&block);
    return status;
}

static void take_block(void *context, size_t index, size_t worker) {
    const feature_task *self = context;
    (void)worker;
    self->statuses[index] = fill_block(self, index);
}

static cnm_status take_features(const fit_session *self, const train_plan *plan, float *z, cnm_error *err) {
    const size_t blocks = (self->split.train_count + GEMM_ROWS - 1) / GEMM_ROWS;
    feature_task task = {.of = self, .z = z, .scale = (float)plan->feature_scale};
    cnm_status status = CNM_OK;
    TRY(memory_take(&task.statuses, blocks, sizeof *task.statuses, "features", err));
    thread_pool *pool = thread_pool_create((size_t)self->data->settings->threads);
    threads_for(pool, blocks, take_block, &task);
    thread_pool_destroy(pool);
    for (size_t i = 0; i < blocks; i++) {
        if (task.statuses[i] != CNM_OK) {
            status = error_set(err, task.statuses[i], "out of memory for features");
        }
    }
    memory_free(task.statuses);
    return status;
}

/* Notes how many iterations the solution took. */
static void note_iterations(fit_session *self) {
    const bool any = self->history != NULL && self->history->count > 0;
    self->present = any ? self->history->points[self->history->count - 1]
                        : (history_point){.phase = self->phase, .total = LBFGS_HEAD_ITERATIONS};
    self->made = self->present.step;
}

cnm_status solve_head(fit_session *self, const train_plan *plan, cnm_error *err) {
    const size_t k = self->map->features;
    float *z = NULL;
    cnm_status status = CNM_OK;
    if (!head_is_solved(self)) {
        return CNM_OK;
    }
    TRY(memory_take(&z, self->split.train_count, (k + 1) * sizeof *z, "features", err));
    TRY_DONE(take_features(self, plan, z, err));
    TRY_DONE(lbfgs_head_fit(self, plan, z, k, self->head.weights, err));
    note_iterations(self);
done:
    memory_free(z);
    return status;
}
