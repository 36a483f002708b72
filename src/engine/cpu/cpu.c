/* The CPU engine: its memory, and the loop over steps. */
#include "engine/cpu/cpu.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "math/elementary/denormals.h"
#include "math/gemm/gemm.h"
#include "math/random/shuffle.h"

/* A cosine costs about as much as this many products; steps with fewer than these are faster on one thread, the more so where
 * all features are one part. A million take some 40 microseconds. */
static const double COSINE_PRODUCTS = 32.0, LEAST_BY_PARTS = 2e6, LEAST_WITH_ONE = 16e6, LEAST_ELSE = 4e6;

cnm_status head_create(linear_head *out, size_t features, size_t outputs, cnm_error *err) {
    *out = (linear_head){.features = features, .outputs = outputs};
    return memory_zeroed(&out->weights, (features + 1) * outputs, sizeof *out->weights, "a head", err);
}

void head_free(linear_head *self) {
    memory_free(self->weights);
    *self = (linear_head){0};
}

/* count * size zeroed floats, or nothing when an earlier step failed. */
static cnm_status floats(cnm_status status, float **out, size_t count, size_t size, const char *what, cnm_error *err) {
    size_t cells;
    if (status != CNM_OK) {
        return status;
    }
    if (!size_multiply(count, size, &cells)) {
        cells = SIZE_MAX;
    }
    return memory_zeroed(out, cells, sizeof **out, what, err);
}

/* The same for count * features floats that may be kept by parts. */
static cnm_status floats_by_parts(cnm_status status, float **out, size_t count, size_t features, const char *what,
                                  cnm_error *err) {
    const size_t more = features == 0 ? 0 : (cpu_part_gaps(features) + features - 1) / features;
    return floats(status, out, count + more, features, what, err);
}

static cnm_status create_batch(engine *self, cnm_error *err) {
    const size_t batch = self->batch_rows, k = self->setup.map->features, outputs = self->setup.head->outputs;
    cnm_status status = input_block_create(&self->input, self->setup.rows, batch, err);
    status = floats_by_parts(status, &self->z, batch, k, "features of a batch", err);
    status = floats(status, &self->scores, batch, outputs, "scores of a batch", err);
    status = floats(status, &self->error, batch, outputs, "slopes of scores", err);
    if (status == CNM_OK) {
        status =
            memory_zeroed(&self->block_loss, batch / GEMM_ROWS * LOSS_STEP, sizeof *self->block_loss, "losses", err);
    }
    if (status == CNM_OK) {
        status = memory_zeroed(&self->scratch, self->workers, sizeof *self->scratch, "workers", err);
    }
    const size_t for_map = map_scratch_size(self->setup.map), for_parts = cpu_parts_scratch(self);
    for (size_t i = 0; status == CNM_OK && i < self->workers; i++) {
        status =
            floats(status, &self->scratch[i], for_map > for_parts ? for_map : for_parts, 1, "a worker's scratch", err);
    }
    if (!self->setup.rows->sparse) {
        status = floats(status, &self->still, self->workers * GEMM_ROWS, self->setup.rows->stage->columns,
                        "rows that move", err);
    }
    return floats(status, &self->work, map_gradient_work_size(self->setup.map, batch, self->workers), 1, "gradients",
                  err);
}

static cnm_status create_parameters(engine *self, cnm_error *err) {
    const map *own = self->setup.map;
    const size_t head_size = (own->features + 1) * self->setup.head->outputs;
    cnm_status status = floats(CNM_OK, &self->head_gradient, head_size, 1, "gradients", err);
    status = floats(status, &self->phase_gradient, own->features, 1, "gradients", err);
    for (size_t j = 0; j < 2; j++) {
        status = floats(status, &self->head_moments[j], head_size, 1, "an optimiser's memory", err);
    }
    if (status == CNM_OK) {
        status = memory_zeroed(&self->average, head_size, sizeof *self->average, "an average", err);
    }
    return status;
}

cnm_status engine_create(engine **out, const engine_setup *setup, cnm_error *err) {
    cnm_status status = memory_zeroed(out, 1, sizeof **out, "an engine", err);
    if (status != CNM_OK) {
        return status;
    }
    engine *self = *out;
    self->setup = *setup;
    self->rows = setup->positions == NULL ? setup->rows->rows.rows : setup->count;
    self->threads = self->pool = thread_pool_create(setup->threads);
    self->workers = thread_pool_size(self->pool);
    self->batch_rows = (setup->batch + GEMM_ROWS - 1) / GEMM_ROWS * GEMM_ROWS;
    status = create_batch(self, err);
    if (status == CNM_OK) {
        status = create_parameters(self, err);
    }
    if (status == CNM_OK) {
        status = memory_take(&self->order, self->rows, sizeof *self->order, "the order of rows", err);
    }
    if (status != CNM_OK) {
        engine_destroy(self);
        *out = NULL;
    }
    return status;
}

void engine_destroy(engine *self) {
    if (self == NULL) {
        return;
    }
    float *const arrays[] = {self->z,
                             self->slope,
                             self->scores,
                             self->error,
                             self->work,
                             self->head_gradient,
                             self->phase_gradient,
                             self->head_moments[0],
                             self->head_moments[1],
                             self->phase_moments[0],
                             self->phase_moments[1],
                             self->cache,
                             self->product,
                             self->theta,
                             self->shares,
                             self->wide_error,
                             self->still};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        memory_free(arrays[i]);
    }
    for (size_t i = 0; i < MAP_TENSORS; i++) {
        memory_free(self->gradients[i]);
        memory_free(self->tensor_moments[i][0]);
        memory_free(self->tensor_moments[i][1]);
    }
    for (size_t i = 0; self->scratch != NULL && i < self->workers; i++) {
        memory_free(self->scratch[i]);
    }
    memory_free(self->scratch);
    thread_pool_destroy(self->pool);
    input_block_free(&self->input);
    memory_free(self->block_loss);
    memory_free(self->average);
    memory_free(self->order);
    memory_free(self);
}

/* Gradients and moments of the map, the first time a plan trains it: a fixed map needs none. */
static cnm_status prepare_map_training(engine *self, const train_plan *plan, cnm_error *err) {
    const map *own = self->setup.map;
    const bool by_parts = cpu_by_parts(self, plan);
    cnm_status status = CNM_OK;
    if (self->slope == NULL) {
        status = floats_by_parts(status, &self->slope, self->batch_rows, own->features, "slopes of a batch", err);
    }
    if (status == CNM_OK && by_parts) {
        status = cpu_parts_prepare(self, err);
    }
    if (self->product == NULL && !by_parts) {
        status = floats(status, &self->product, self->batch_rows, own->features, "slopes of a batch", err);
    }
    for (size_t i = 0; i < own->tensor_count; i++) {
        const size_t rows = own->tensors[i].rows, columns = own->tensors[i].columns;
        if (!own->tensors[i].learned) {
            continue;
        }
        if (self->gradients[i] == NULL && !by_parts) {
            status = floats(status, &self->gradients[i], rows, columns, "gradients", err);
        }
        for (size_t j = 0; j < plan->map_update->moments; j++) {
            if (self->tensor_moments[i][j] == NULL) {
                status =
                    floats_by_parts(status, &self->tensor_moments[i][j], rows, columns, "an optimiser's memory", err);
            }
        }
    }
    for (size_t j = 0; j < plan->map_update->moments; j++) {
        if (self->phase_moments[j] == NULL) {
            status = floats(status, &self->phase_moments[j], own->features, 1, "an optimiser's memory", err);
        }
    }
    return status;
}

const size_t *cpu_batch(engine *self, const train_plan *plan, uint64_t step, size_t *count) {
    const size_t size = plan->batch < self->rows ? plan->batch : self->rows;
    const uint64_t per_epoch = self->rows / size;
    const uint64_t epoch = (step - 1) / per_epoch;
    if (self->epoch != epoch + 1 || self->purpose != plan->purpose || self->seed != plan->seed) {
        shuffle((random_stream){plan->seed, plan->purpose, (uint32_t)epoch}, self->rows, self->order);
        for (size_t i = 0; self->setup.positions != NULL && i < self->rows; i++) {
            self->order[i] = self->setup.positions[self->order[i]];
        }
        self->epoch = epoch + 1;
        self->purpose = plan->purpose;
        self->seed = plan->seed;
    }
    *count = size;
    return self->order + (size_t)((step - 1) % per_epoch) * size;
}

/* average += (weights - average) / n, so that no sum grows. */
static void add_to_average(engine *self) {
    const linear_head *own = self->setup.head;
    self->averaged++;
    for (size_t i = 0; i < (own->features + 1) * own->outputs; i++) {
        self->average[i] += ((double)own->weights[i] - self->average[i]) / (double)self->averaged;
    }
}

void engine_use_average(engine *self) {
    const linear_head *own = self->setup.head;
    for (size_t i = 0; self->averaged > 0 && i < (own->features + 1) * own->outputs; i++) {
        own->weights[i] = (float)self->average[i];
    }
}

/* One thread where a step is so little work that starting others would cost more; the bits are the same. */
static thread_pool *worthwhile_threads(const engine *self, const train_plan *plan, size_t rows) {
    const double columns = (double)self->setup.rows->stage->columns + COSINE_PRODUCTS;
    const double products = (double)rows * (double)self->setup.map->features *
                            ((double)self->setup.head->outputs + (cpu_from_cache(self, plan) ? 0.0 : columns));
    const double by_parts = cpu_part_count(self->setup.map->features) > 1 ? LEAST_BY_PARTS : LEAST_WITH_ONE;
    return products < (cpu_by_parts(self, plan) ? by_parts : LEAST_ELSE) ? NULL : self->pool;
}

/* A step that is not made by parts. */
static cnm_status whole_step(engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t rows,
                             double *loss, cnm_error *err) {
    const cnm_status status = cpu_forward(self, plan, step, batch, rows, loss, err);
    if (status == CNM_OK) {
        cpu_gradients(self, plan, rows);
        cpu_update(self, plan, step);
    }
    return status;
}

/* One step; adds to the sum of losses and of rows. */
static cnm_status one_step(engine *self, const train_plan *plan, bool by_parts, uint64_t step, double *total,
                           size_t *rows, cnm_error *err) {
    size_t count;
    double loss = 0.0;
    cnm_status status = CNM_OK;
    const size_t *batch = cpu_batch(self, plan, step, &count);
    self->threads = worthwhile_threads(self, plan, count);
    if (by_parts) {
        loss = cpu_parts_step(self, plan, step, batch, count);
    } else {
        status = whole_step(self, plan, step, batch, count, &loss, err);
    }
    if (status == CNM_OK && plan->average_from > 0 && step > plan->average_from) {
        add_to_average(self);
    }
    *total += loss;
    *rows += count;
    return status;
}

/* Denormal numbers count as 0 on all threads: the pool's are started inside, here or in engine_scores, and take that over. */
cnm_status engine_run(engine *self, const train_plan *plan, uint64_t first, uint64_t count, double *loss,
                      cnm_error *err) {
    const bool by_parts = cpu_by_parts(self, plan);
    const uint64_t before = flush_begin();
    double total = 0.0;
    size_t rows = 0;
    cnm_status status = plan->map_update == NULL ? CNM_OK : prepare_map_training(self, plan, err);
    if (status == CNM_OK) {
        cpu_prepare_cache(self, plan);
        (by_parts ? cpu_parts_begin : cpu_parts_leave)(self);
    }
    for (uint64_t step = first; status == CNM_OK && step < first + count; step++) {
        status = one_step(self, plan, by_parts, step, &total, &rows, err);
    }
    self->threads = self->pool;
    if (status == CNM_OK && by_parts) {
        cpu_parts_end(self);
    }
    *loss = rows == 0 ? 0.0 : total / (double)rows;
    flush_end(before);
    return status;
}
