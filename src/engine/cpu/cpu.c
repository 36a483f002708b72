/* The CPU engine: its memory, and the loop over steps. */
#include "engine/cpu/cpu.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/denormals.h"
#include "math/gemm/gemm.h"

/* A cosine costs about as much as COSINE_PRODUCTS products. Steps with fewer products than the
 * LEAST_ ones are faster on one thread, the more so where all features are one part. A million take
 * some 40 microseconds. */
static const double COSINE_PRODUCTS = 32.0, LEAST_BY_PARTS = 2e6, LEAST_WITH_ONE = 16e6, LEAST_ELSE = 4e6;

/* ---- Memory ---- */

/* Takes count * size zeroed floats. */
static cnm_status floats(float **out, size_t count, size_t size, const char *what, cnm_error *err) {
    size_t cells;
    if (!size_multiply(count, size, &cells)) {
        cells = SIZE_MAX;
    }
    return memory_zeroed(out, cells, sizeof **out, what, err);
}

/* Takes count * features zeroed floats that may be kept by parts. */
static cnm_status floats_by_parts(float **out, size_t count, size_t features, const char *what, cnm_error *err) {
    const size_t more = features == 0 ? 0 : (cpu_part_gaps(features) + features - 1) / features;
    return floats(out, count + more, features, what, err);
}

static cnm_status create_batch(cpu_engine *self, cnm_error *err) {
    const map *own = self->setup.map;
    const size_t batch = self->batch_rows, outputs = self->setup.head->outputs;
    const size_t for_map = map_scratch_size(own), for_parts = cpu_parts_scratch(self);
    TRY(input_block_create(&self->input, self->setup.rows, batch, err));
    for (size_t i = 0; i < own->layer_count; i++) {
        TRY(floats_by_parts(&self->layers[i].z, batch, own->layers[i]->features, "features of a batch", err));
    }
    TRY(floats(&self->scores, batch, outputs, "scores of a batch", err));
    TRY(floats(&self->error, batch, outputs, "slopes of scores", err));
    TRY(memory_zeroed(&self->block_loss, batch / GEMM_ROWS * LOSS_STEP, sizeof *self->block_loss, "losses", err));
    TRY(memory_zeroed(&self->scratch, self->workers, sizeof *self->scratch, "workers", err));
    for (size_t i = 0; i < self->workers; i++) {
        TRY(floats(&self->scratch[i], for_map > for_parts ? for_map : for_parts, 1, "a worker's scratch", err));
    }
    if (!self->setup.rows->sparse) {
        TRY(floats(&self->still, self->workers * GEMM_ROWS, self->setup.rows->stage->columns, "rows that move", err));
    }
    size_t work = 0;
    for (size_t i = 0; i < own->layer_count; i++) {
        const size_t size = layer_gradient_work_size(own->layers[i], batch, self->workers);
        work = size > work ? size : work;
    }
    return floats(&self->work, work, 1, "gradients", err);
}

static cnm_status create_parameters(cpu_engine *self, cnm_error *err) {
    const size_t features = self->setup.map->features, head_size = (features + 1) * self->setup.head->outputs;
    TRY(floats(&self->head_gradient, head_size, 1, "gradients", err));
    for (size_t i = 0; i < self->setup.map->layer_count; i++) {
        TRY(floats(&self->layers[i].phase_gradient, self->setup.map->layers[i]->features, 1, "gradients", err));
    }
    for (size_t j = 0; j < 2; j++) {
        TRY(floats(&self->head_moments[j], head_size, 1, "an optimiser's memory", err));
    }
    return memory_zeroed(&self->average, head_size, sizeof *self->average, "an average", err);
}

static void free_layer(layer_memory *self) {
    memory_free(self->z);
    memory_free(self->slope);
    memory_free(self->phase_gradient);
    for (size_t i = 0; i < LAYER_TENSORS; i++) {
        memory_free(self->gradients[i]);
        memory_free(self->tensor_moments[i][0]);
        memory_free(self->tensor_moments[i][1]);
    }
    memory_free(self->phase_moments[0]);
    memory_free(self->phase_moments[1]);
}

static void cpu_destroy(engine *base) {
    cpu_engine *self = (cpu_engine *)base;
    float *const arrays[] = {self->scores,          self->error,           self->work,       self->head_gradient,
                             self->head_moments[0], self->head_moments[1], self->cache,      self->product,
                             self->theta,           self->shares,          self->wide_error, self->still};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        memory_free(arrays[i]);
    }
    for (size_t i = 0; i < MAP_LAYERS; i++) {
        free_layer(&self->layers[i]);
    }
    for (size_t i = 0; self->scratch != NULL && i < self->workers; i++) {
        memory_free(self->scratch[i]);
    }
    memory_free(self->scratch);
    thread_pool_destroy(self->pool);
    input_block_free(&self->input);
    memory_free(self->block_loss);
    memory_free(self->average);
    batch_order_free(&self->order);
    memory_free(self);
}

static cnm_status cpu_create(engine **out, const engine_setup *setup, cnm_error *err) {
    cpu_engine *self;
    cnm_status status = CNM_OK;
    TRY(memory_zeroed(&self, 1, sizeof *self, "an engine", err));
    self->setup = *setup;
    self->rows = setup->positions == NULL ? setup->rows->rows.rows : setup->count;
    self->threads = self->pool = thread_pool_create(setup->threads);
    self->workers = thread_pool_size(self->pool);
    self->batch_rows = (setup->batch + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS;
    TRY_DONE(create_batch(self, err));
    TRY_DONE(create_parameters(self, err));
    TRY_DONE(batch_order_create(&self->order, setup->positions, self->rows, err));
    *out = &self->base;
    return CNM_OK;
done:
    cpu_destroy(&self->base);
    return status;
}

/* Takes moments, and gradients unless steps go by parts, for an array of a layer. */
static cnm_status prepare_tensor(layer_memory *self, const layer *own, size_t i, size_t moments, bool by_parts,
                                 cnm_error *err) {
    const size_t rows = own->tensors[i].rows, columns = own->tensors[i].columns;
    if (self->gradients[i] == NULL && !by_parts) {
        TRY(floats(&self->gradients[i], rows, columns, "gradients", err));
    }
    for (size_t j = 0; j < moments; j++) {
        if (self->tensor_moments[i][j] == NULL) {
            TRY(floats_by_parts(&self->tensor_moments[i][j], rows, columns, "an optimiser's memory", err));
        }
    }
    return CNM_OK;
}

static cnm_status prepare_layer(cpu_engine *self, size_t number, size_t moments, bool by_parts, cnm_error *err) {
    layer_memory *memory = &self->layers[number];
    const layer *own = self->setup.map->layers[number];
    if (memory->slope == NULL) {
        TRY(floats_by_parts(&memory->slope, self->batch_rows, own->features, "slopes of a batch", err));
    }
    for (size_t i = 0; i < own->tensor_count; i++) {
        if (own->tensors[i].learned) {
            TRY(prepare_tensor(memory, own, i, moments, by_parts, err));
        }
    }
    for (size_t j = 0; j < moments; j++) {
        if (memory->phase_moments[j] == NULL) {
            TRY(floats(&memory->phase_moments[j], own->features, 1, "an optimiser's memory", err));
        }
    }
    return CNM_OK;
}

/* Takes gradients and moments of the map, the first time a plan trains it: a frozen map needs
 * none. */
static cnm_status prepare_map_training(cpu_engine *self, const train_plan *plan, cnm_error *err) {
    const map *own = self->setup.map;
    const size_t moments = update_find(plan, plan->map_update)->moments;
    const bool by_parts = cpu_by_parts(self, plan);
    for (size_t i = 0; i < own->layer_count; i++) {
        TRY(prepare_layer(self, i, moments, by_parts, err));
        self->widest = own->layers[i]->features > self->widest ? own->layers[i]->features : self->widest;
    }
    if (by_parts) {
        TRY(cpu_parts_prepare(self, err));
    }
    if (self->product == NULL && !by_parts) {
        TRY(floats(&self->product, self->batch_rows, self->widest, "slopes of a batch", err));
    }
    return CNM_OK;
}

/* ---- Steps ---- */

/* Updates the running mean of the head: average += (weights - average) / n, so that no sum
 * grows. */
static void add_to_average(cpu_engine *self) {
    const linear_head *own = self->setup.head;
    self->averaged++;
    for (size_t i = 0; i < (own->features + 1) * own->outputs; i++) {
        self->average[i] += ((double)own->weights[i] - self->average[i]) / (double)self->averaged;
    }
}

static void cpu_use_average(engine *base) {
    const cpu_engine *self = (cpu_engine *)base;
    const linear_head *own = self->setup.head;
    for (size_t i = 0; self->averaged > 0 && i < (own->features + 1) * own->outputs; i++) {
        own->weights[i] = (float)self->average[i];
    }
}

/* Returns no pool where a step is so little work that starting other threads would cost more; the
 * bits are the same. */
static thread_pool *worthwhile_threads(const cpu_engine *self, const train_plan *plan, size_t rows) {
    const map *own = self->setup.map;
    double each = (double)own->features * (double)self->setup.head->outputs;
    for (size_t i = 0; i < own->layer_count && !cpu_from_cache(self, plan); i++) {
        each += (double)own->layers[i]->features * ((double)own->layers[i]->columns + COSINE_PRODUCTS);
    }
    const double products = (double)rows * each;
    const double by_parts = cpu_part_count(self->setup.map->features) > 1 ? LEAST_BY_PARTS : LEAST_WITH_ONE;
    return products < (cpu_by_parts(self, plan) ? by_parts : LEAST_ELSE) ? NULL : self->pool;
}

/* Makes a step that does not go by parts. */
static cnm_status whole_step(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t rows,
                             double *loss, cnm_error *err) {
    TRY(cpu_forward(self, plan, step, batch, rows, loss, err));
    cpu_gradients(self, plan, rows);
    cpu_update(self, plan, step);
    return CNM_OK;
}

/* Makes one step; adds to the sum of losses and of rows. */
static cnm_status one_step(cpu_engine *self, const train_plan *plan, bool by_parts, uint64_t step, double *total,
                           size_t *rows, cnm_error *err) {
    size_t count;
    double loss = 0.0;
    const size_t *batch = batch_order_rows(&self->order, plan, step, &count);
    self->threads = worthwhile_threads(self, plan, count);
    if (by_parts) {
        loss = cpu_parts_step(self, plan, step, batch, count);
    } else {
        TRY(whole_step(self, plan, step, batch, count, &loss, err));
    }
    if (plan->average_from > 0 && step > plan->average_from) {
        add_to_average(self);
    }
    *total += loss;
    *rows += count;
    return CNM_OK;
}

/* Runs steps with denormal numbers as 0 on all threads: the pool's threads are started inside, here
 * or in cpu_scores, and inherit the mode. */
static cnm_status cpu_run(engine *base, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                          cnm_error *err) {
    cpu_engine *self = (cpu_engine *)base;
    const bool by_parts = cpu_by_parts(self, plan);
    const uint64_t before = denormals_flush_begin();
    double total = 0.0;
    size_t rows = 0;
    cnm_status status = CNM_OK;
    if (plan->map_update != UPDATE_NONE) {
        TRY_DONE(prepare_map_training(self, plan, err));
    }
    cpu_prepare_cache(self, plan);
    (by_parts ? cpu_parts_begin : cpu_parts_leave)(self);
    for (uint64_t step = first; step < first + count; step++) {
        TRY_DONE(one_step(self, plan, by_parts, step, &total, &rows, err));
    }
    if (by_parts) {
        cpu_parts_end(self);
    }
done:
    self->threads = self->pool;
    *loss = rows == 0 ? 0.0 : total / (double)rows;
    denormals_flush_end(before);
    return status;
}

const engine_ops ENGINE_CPU = {
    .name = "cpu",
    .host_callbacks = true,
    .create = cpu_create,
    .destroy = cpu_destroy,
    .run = cpu_run,
    .scores = cpu_scores,
    .forget = cpu_forget,
    .use_average = cpu_use_average,
    .save = cpu_save,
    .restore = cpu_restore,
};
