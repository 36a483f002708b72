/* Runs one batch through map, head and loss, and back. Work is cut into blocks of GEMM_ROWS rows on
 * the way forward and into tiles of a gradient's own entries on the way back, each summing over the
 * rows in order: the same bits for any number of threads. */
#include "engine/cpu/cpu.h"

#include <string.h>

#include "base/core/try.h"
#include "math/gemm/gemm.h"

enum { GRADIENT_TILE = 64 };

/* Prepares the rows of one block in the batch's input, padded; returns the view that a map
 * takes. */
static rows_view prepare_block(const batch_pass *self, size_t block, size_t worker) {
    const cpu_engine *cpu = self->engine;
    const size_t columns = cpu->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    const size_t first = block * GEMM_ROWS;
    if (cpu->setup.rows->sparse) {
        return rows_slice(cpu->input.view, first, rows);
    }
    float *u = cpu->input.values + first * columns;
    cpu_prepare_rows(self, block, worker, u, NULL);
    memset(u + rows * columns, 0, (GEMM_ROWS - rows) * columns * sizeof *u);
    return (rows_view){.rows = rows, .columns = columns, .values = u, .stride = columns};
}

bool cpu_from_cache(const cpu_engine *self, const train_plan *plan) {
    return self->cached && plan->map_update == UPDATE_NONE && plan->noise == 0.0 && !cpu_rows_move(plan);
}

/* Returns rows first .. first + rows of the batch's features of a layer, as the layer above takes
 * them. */
static rows_view layer_rows(const cpu_engine *cpu, size_t number, size_t first, size_t rows) {
    const size_t k = cpu->setup.map->layers[number]->features;
    return (rows_view){.rows = rows, .columns = k, .values = cpu->layers[number].z + first * k, .stride = k};
}

/* Returns the lowest layer that the plan trains, which slopes are taken back to; the number of
 * layers where it trains none. */
static size_t lowest_trained(const cpu_engine *cpu, const train_plan *plan) {
    const size_t layers = cpu->setup.map->layer_count;
    size_t lowest = plan->map_update == UPDATE_NONE ? layers : 0;
    while (lowest < layers && plan->layer_fixed[lowest]) {
        lowest++;
    }
    return lowest;
}

/* Runs one block through all layers: activations, and slopes from the lowest layer that is trained
 * on. */
static void block_layers(const batch_pass *self, size_t block, size_t worker) {
    cpu_engine *cpu = self->engine;
    const map *own = cpu->setup.map;
    const size_t first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    const size_t lowest = lowest_trained(cpu, self->plan);
    rows_view below = prepare_block(self, block, worker);
    for (size_t number = 0; number < own->layer_count; number++) {
        layer_memory *memory = &cpu->layers[number];
        const size_t from = first * own->layers[number]->features;
        const bool slopes = number >= lowest;
        layer_forward(own->layers[number], &below, memory->z + from, slopes ? memory->slope + from : NULL,
                      cpu->scratch[worker]);
        below = layer_rows(cpu, number, first, rows);
    }
}

/* Fills the features of one block: from the cache where there is one. */
static void block_features(const batch_pass *self, size_t block, size_t worker) {
    cpu_engine *cpu = self->engine;
    const size_t k = cpu->setup.map->features, first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    if (!cpu_from_cache(cpu, self->plan)) {
        block_layers(self, block, worker);
        return;
    }
    float *z = cpu_features(cpu) + first * k;
    for (size_t i = 0; i < rows; i++) {
        memcpy(z + i * k, cpu->cache + self->batch[first + i] * k, k * sizeof *z);
    }
}

void cpu_head_scores(const linear_head *head, double feature_scale, const float *z, size_t rows, float *scores) {
    const size_t outputs = head->outputs, k = head->features;
    const float *intercept = head->weights + k * outputs;
    gemm(&(gemm_call){.m = GEMM_ROWS,
                      .n = outputs,
                      .k = k,
                      .a = z,
                      .lda = k,
                      .b = head->weights,
                      .ldb = outputs,
                      .c = scores,
                      .ldc = outputs});
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < outputs; j++) {
            scores[i * outputs + j] = (float)feature_scale * scores[i * outputs + j] + intercept[j];
        }
    }
}

double cpu_block_loss(const batch_pass *self, size_t block, const float *scores, float *slope) {
    const engine_setup *setup = &self->engine->setup;
    const size_t *positions = self->batch + block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    int32_t classes[GEMM_ROWS];
    float targets[GEMM_ROWS], weights[GEMM_ROWS];
    for (size_t i = 0; i < rows; i++) {
        classes[i] = setup->classes == NULL ? 0 : setup->classes[positions[i]];
        targets[i] = setup->targets == NULL ? 0.0F : setup->targets[positions[i]];
        weights[i] = setup->weights == NULL ? 1.0F : setup->weights[positions[i]];
    }
    const loss_batch batch = {.rows = rows,
                              .outputs = setup->head->outputs,
                              .scores = scores,
                              .classes = setup->classes == NULL ? NULL : classes,
                              .targets = setup->targets == NULL ? NULL : targets,
                              .weights = setup->weights == NULL ? NULL : weights,
                              .parameter = self->plan->loss_parameter};
    const loss_hint *hint = self->plan->hint;
    return hint == NULL ? self->plan->loss->evaluate(&batch, slope)
                        : hint->evaluate(hint->context, self->plan->loss, &batch, positions, slope);
}

static void forward_block(void *context, size_t block, size_t worker) {
    const batch_pass *self = context;
    cpu_engine *cpu = self->engine;
    const size_t k = cpu->setup.map->features, outputs = cpu->setup.head->outputs, first = block * GEMM_ROWS;
    block_features(self, block, worker);
    if (self->plan->feature_loss != NULL) {
        return;
    }
    cpu_head_scores(cpu->setup.head, self->plan->feature_scale, cpu_features(cpu) + first * k,
                    cpu_block_rows(self->count, block), cpu->scores + first * outputs);
    cpu->block_loss[block * LOSS_STEP] =
        cpu_block_loss(self, block, cpu->scores + first * outputs, cpu->error + first * outputs);
}

/* Returns all prepared rows of the batch. */
static rows_view batch_view(const cpu_engine *cpu, size_t count) {
    const size_t columns = cpu->setup.rows->stage->columns;
    return cpu->setup.rows->sparse
               ? cpu->input.view
               : (rows_view){.rows = count, .columns = columns, .values = cpu->input.values, .stride = columns};
}

cnm_status cpu_forward(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count,
                       double *loss, cnm_error *err) {
    const size_t blocks = (count + GEMM_ROWS - 1) / GEMM_ROWS;
    batch_pass pass = {self, plan, step, batch, count};
    if (self->setup.rows->sparse && !cpu_from_cache(self, plan)) {
        TRY(input_take(self->setup.rows, batch, 0, count, &self->input, err));
    }
    threads_for(self->threads, blocks, forward_block, &pass);
    if (plan->feature_loss != NULL) {
        const rows_view u = batch_view(self, count);
        *loss = (double)count * plan->feature_loss->evaluate(plan->feature_loss->context, &u, cpu_features(self),
                                                             self->setup.map->features, plan->feature_scale,
                                                             self->threads, self->product);
        return CNM_OK;
    }
    *loss = 0.0;
    for (size_t i = 0; i < blocks; i++) {
        *loss += self->block_loss[i * LOSS_STEP];
    }
    return CNM_OK;
}

/* ---- Back ---- */

/* Fills rows tile * GRADIENT_TILE ... of the head's gradient: (feature_scale / count) z^T error. */
static void head_tile(void *context, size_t tile, size_t worker) {
    const batch_pass *self = context;
    cpu_engine *cpu = self->engine;
    const size_t k = cpu->setup.head->features, outputs = cpu->setup.head->outputs, first = tile * GRADIENT_TILE;
    const size_t features = k - first < GRADIENT_TILE ? k - first : GRADIENT_TILE;
    const float factor = (float)(self->plan->feature_scale / (double)self->count);
    float *gradient = cpu->head_gradient + first * outputs;
    (void)worker;
    gemm(&(gemm_call){.transpose_a = true,
                      .m = features,
                      .n = outputs,
                      .k = self->count,
                      .a = cpu_features(cpu) + first,
                      .lda = k,
                      .b = cpu->error,
                      .ldb = outputs,
                      .c = gradient,
                      .ldc = outputs});
    for (size_t i = 0; i < features * outputs; i++) {
        gradient[i] *= factor;
    }
}

void cpu_intercept_gradient(const cpu_engine *cpu, size_t count, float *gradient) {
    const size_t outputs = cpu->setup.head->outputs;
    for (size_t j = 0; j < outputs; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++) {
            sum += (double)cpu->error[i * outputs + j];
        }
        gradient[j] = (float)(sum / (double)count);
    }
}

/* Multiplies slope (rows, features) by factor * product. */
static void multiply_slope(size_t count, float factor, const float *product, float *slope) {
    for (size_t i = 0; i < count; i++) {
        slope[i] *= factor * product[i];
    }
}

/* Computes slope := d (mean loss) / d projection = d loss / d z o slope of the last layer, where
 * d loss / d z is (feature_scale / count) (error W^T), or in product after a loss on features. */
static void backward_last(const batch_pass *self, size_t block) {
    cpu_engine *cpu = self->engine;
    const linear_head *head = cpu->setup.head;
    const size_t k = cpu->setup.map->features, outputs = head->outputs, first = block * GEMM_ROWS;
    const size_t rows = cpu_block_rows(self->count, block);
    float factor = 1.0F, *product = cpu->product + first * cpu->widest;
    if (self->plan->feature_loss == NULL) {
        factor = (float)(self->plan->feature_scale / (double)self->count);
        gemm(&(gemm_call){.transpose_b = true,
                          .m = rows,
                          .n = k,
                          .k = outputs,
                          .a = cpu->error + first * outputs,
                          .lda = outputs,
                          .b = head->weights,
                          .ldb = outputs,
                          .c = product,
                          .ldc = k});
    }
    multiply_slope(rows * k, factor, product, cpu_last(cpu)->slope + first * k);
}

/* Does so for one block of the layers down to the lowest that is trained: below the last
 * d loss / d z is what the layer above gives back. */
static void backward_block(void *context, size_t block, size_t worker) {
    const batch_pass *self = context;
    cpu_engine *cpu = self->engine;
    const map *own = cpu->setup.map;
    const size_t first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    float *product = cpu->product + first * cpu->widest;
    const size_t lowest = lowest_trained(cpu, self->plan);
    backward_last(self, block);
    for (size_t number = own->layer_count - 1; number > lowest; number--) {
        const layer *above = own->layers[number];
        const size_t k = above->columns;
        layer_back(above, cpu->layers[number].slope + first * above->features, rows, product, cpu->scratch[worker]);
        multiply_slope(rows * k, 1.0F, product, cpu->layers[number - 1].slope + first * k);
    }
}

static void layer_gradients(cpu_engine *self, size_t number, size_t count) {
    const layer *own = self->setup.map->layers[number];
    layer_memory *memory = &self->layers[number];
    const rows_view u = number == 0 ? batch_view(self, count) : layer_rows(self, number - 1, 0, count);
    layer_gradient(own, &u, memory->slope, memory->gradients, own->phase == NULL ? NULL : memory->phase_gradient,
                   self->threads, self->work);
}

void cpu_gradients(cpu_engine *self, const train_plan *plan, size_t count) {
    batch_pass pass = {.engine = self, .plan = plan, .count = count};
    const size_t k = self->setup.map->features;
    if (plan->head_update != UPDATE_NONE) {
        threads_for(self->threads, (k + GRADIENT_TILE - 1) / GRADIENT_TILE, head_tile, &pass);
        cpu_intercept_gradient(self, count, self->head_gradient + k * self->setup.head->outputs);
    }
    if (plan->map_update != UPDATE_NONE) {
        threads_for(self->threads, (count + GEMM_ROWS - 1) / GEMM_ROWS, backward_block, &pass);
        for (size_t number = 0; number < self->setup.map->layer_count; number++) {
            if (!plan->layer_fixed[number]) {
                layer_gradients(self, number, count);
            }
        }
    }
}
