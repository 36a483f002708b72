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

/* Fills z of one block: from the cache where there is one. */
static void block_features(const batch_pass *self, size_t block, size_t worker) {
    cpu_engine *cpu = self->engine;
    const size_t k = cpu->setup.map->features, first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    float *z = cpu->z + first * k;
    if (cpu_from_cache(cpu, self->plan)) {
        for (size_t i = 0; i < rows; i++) {
            memcpy(z + i * k, cpu->cache + self->batch[first + i] * k, k * sizeof *z);
        }
        return;
    }
    const rows_view u = prepare_block(self, block, worker);
    map_forward(cpu->setup.map, &u, z, self->plan->map_update == UPDATE_NONE ? NULL : cpu->slope + first * k,
                cpu->scratch[worker]);
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
    cpu_head_scores(cpu->setup.head, self->plan->feature_scale, cpu->z + first * k, cpu_block_rows(self->count, block),
                    cpu->scores + first * outputs);
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
        *loss = (double)count * plan->feature_loss->evaluate(plan->feature_loss->context, &u, self->z,
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
                      .a = cpu->z + first,
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

/* Computes slope := d (mean loss) / d projection = d loss / d z o slope, where d loss / d z is
 * (feature_scale / count) (error W^T), or in product after a loss on features. */
static void backward_block(void *context, size_t block, size_t worker) {
    const batch_pass *self = context;
    cpu_engine *cpu = self->engine;
    const linear_head *head = cpu->setup.head;
    const size_t k = cpu->setup.map->features, outputs = head->outputs, first = block * GEMM_ROWS;
    const size_t rows = cpu_block_rows(self->count, block);
    float factor = 1.0F, *slope = cpu->slope + first * k, *product = cpu->product + first * k;
    (void)worker;
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
    for (size_t i = 0; i < rows * k; i++) {
        slope[i] *= factor * product[i];
    }
}

void cpu_gradients(cpu_engine *self, const train_plan *plan, size_t count) {
    batch_pass pass = {.engine = self, .plan = plan, .count = count};
    const size_t k = self->setup.map->features;
    if (plan->head_update != UPDATE_NONE) {
        threads_for(self->threads, (k + GRADIENT_TILE - 1) / GRADIENT_TILE, head_tile, &pass);
        cpu_intercept_gradient(self, count, self->head_gradient + k * self->setup.head->outputs);
    }
    if (plan->map_update != UPDATE_NONE) {
        const rows_view u = batch_view(self, count);
        threads_for(self->threads, (count + GEMM_ROWS - 1) / GEMM_ROWS, backward_block, &pass);
        map_gradient(self->setup.map, &u, self->slope, self->gradients,
                     self->setup.map->phase == NULL ? NULL : self->phase_gradient, self->threads, self->work);
    }
}
