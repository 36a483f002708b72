/* Makes a step of training map and head together, for maps whose features have their own
 * parameters: features are cut into parts, and a part keeps to one worker from the projection to
 * the update of its parameters.
 *
 *   prepare   rows of the batch                                                  by blocks of rows
 *   forward   a part's projections, activations, slopes and share of the scores  by parts
 *   loss      sum of the shares in the order of parts, loss, d loss / d score    by blocks of rows
 *   back      a part's d loss / d projection, gradients and updates              by parts
 *
 * A line that one core writes after another has read it costs as much as hundreds of products, and
 * hardware reads ahead. So while steps run, theta and what optimisers remember of it are kept as
 * (parts, columns, features of the part); gradients live in a worker's scratch alone; and what must
 * cross, rows, shares and errors, is published past the caches. The cut depends on the number of
 * features alone, so the bits are the same for any number of threads.
 *
 * Products with the head have few outputs, so that outputs are the rows of their tiles: a part's
 * share of the scores is (blocks of rows, outputs, GEMM_ROWS). Errors are padded to whole lines
 * (`wide`), for sums over their columns. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "engine/cpu/cpu.h"
#include "math/gemm/gemm.h"
#include "math/linalg/vector_ops.h"

enum {
    LINE = 16,             /* floats */
    WIDEST = 3 * 16,       /* features in the widest part: cpu_layout.c */
    BACK_ROWS = 256,       /* of d loss / d z at a time */
    STRIP = 256,           /* columns of theta whose gradient is in the scratch at a time */
    STRIP_CELLS = 256 * 48 /* in the scratch: STRIP * WIDEST, and BACK_ROWS * WIDEST */
};

typedef struct parts_pass {
    batch_pass batch;
    size_t parts;
    size_t pieces; /* of each part's work, where there are more workers than parts; else 1 */
    update_call head, tensor, phase;
    const update_ops *for_head, *for_map; /* NULL where nothing of it is trained */
} parts_pass;

/* Whether an optimiser, or none, may run on slices of an array. */
static bool takes_slices(const update_ops *ops) { return ops == NULL || !ops->whole; }

bool cpu_by_parts(const cpu_engine *self, const train_plan *plan) {
    return plan->map_update != UPDATE_NONE && takes_slices(update_find(plan, plan->map_update)) &&
           plan->feature_loss == NULL && takes_slices(update_find(plan, plan->head_update)) &&
           !self->setup.rows->sparse && self->setup.map->layer_count == 1 &&
           map_first(self->setup.map)->projection->forward_part != NULL;
}

static feature_part pass_part(const parts_pass *self, size_t part) {
    return cpu_part(self->batch.engine->setup.map->features, part);
}

/* Returns the number of outputs with their padding. */
static size_t wide(const cpu_engine *self) { return (self->setup.head->outputs + LINE - 1) / LINE * LINE; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Returns the floats of a worker's first scratch: a strip's gradient, or a block of rows. Behind it
 * are the gradient of a part's head and its transpose, or a block's shares, scores and errors. */
static size_t scratch_first(const cpu_engine *self) {
    return larger(STRIP_CELLS, GEMM_ROWS * self->setup.rows->stage->columns);
}

size_t cpu_parts_scratch(const cpu_engine *self) {
    if (self->setup.rows->sparse || self->setup.map->layer_count > 1 ||
        map_first(self->setup.map)->projection->forward_part == NULL) {
        return 0;
    }
    return scratch_first(self) + larger(2 * (WIDEST + 1), 3 * GEMM_ROWS) * wide(self);
}

cnm_status cpu_parts_prepare(cpu_engine *self, cnm_error *err) {
    const layer_tensor *tensor = &map_first(self->setup.map)->tensors[0];
    const size_t outputs = self->setup.head->outputs, cells = tensor->rows * tensor->columns;
    if (self->theta == NULL) {
        TRY(memory_take(&self->theta, cells + cpu_part_gaps(tensor->columns), sizeof *self->theta, "theta by parts",
                        err));
    }
    if (self->shares == NULL) {
        TRY(memory_zeroed(&self->shares, cpu_part_count(tensor->columns) * self->batch_rows * outputs,
                          sizeof *self->shares, "scores of a batch", err));
    }
    if (self->wide_error == NULL) {
        TRY(memory_take(&self->wide_error, self->batch_rows * wide(self), sizeof *self->wide_error, "slopes of scores",
                        err));
    }
    return CNM_OK;
}

/* ---- Forward ---- */

static rows_view rows_of(const parts_pass *self, size_t first, size_t rows) {
    const cpu_engine *cpu = self->batch.engine;
    const size_t columns = cpu->setup.rows->stage->columns;
    return (rows_view){
        .rows = rows, .columns = columns, .values = cpu->input.values + first * columns, .stride = columns};
}

static void prepare_block(void *context, size_t block, size_t worker) {
    const parts_pass *self = context;
    cpu_engine *cpu = self->batch.engine;
    float *u = cpu->input.values + block * GEMM_ROWS * cpu->setup.rows->stage->columns;
    if (cpu->threads == NULL) {
        cpu_prepare_rows(&self->batch, block, worker, u, NULL);
    } else {
        cpu_prepare_rows(&self->batch, block, worker, cpu->scratch[worker], u);
        vector_publish_end();
    }
}

/* Returns a part's features of the rows from `first` on, in an array by parts of (batch_rows,
 * features). */
static float *part_rows(const parts_pass *self, float *features, size_t number, size_t first) {
    const cpu_engine *cpu = self->batch.engine;
    return features + cpu_part_start(cpu->setup.map->features, cpu->batch_rows, number) +
           first * pass_part(self, number).count;
}

/* Computes a part's share of the scores of a block. Rows beyond the batch's last, up to a whole
 * vector, get what the rest of z gives. */
static void share_of_scores(const parts_pass *self, size_t number, size_t block, const float *z, float *scratch) {
    const cpu_engine *cpu = self->batch.engine;
    const feature_part part = pass_part(self, number);
    const size_t outputs = cpu->setup.head->outputs, rows = cpu_block_rows(self->batch.count, block);
    float *share = cpu->shares + (number * cpu->batch_rows + block * GEMM_ROWS) * outputs;
    gemm(&(gemm_call){.transpose_a = true,
                      .transpose_b = true,
                      .m = outputs,
                      .n = (rows + LINE - 1) / LINE * LINE,
                      .k = part.count,
                      .a = cpu->setup.head->weights + part.first * outputs,
                      .lda = outputs,
                      .b = z,
                      .ldb = part.count,
                      .c = cpu->threads == NULL ? share : scratch,
                      .ldc = GEMM_ROWS});
    if (cpu->threads != NULL) {
        vector_publish(outputs * GEMM_ROWS, scratch, share);
    }
}

/* Runs one block of rows through one part. */
static void forward_block(const parts_pass *self, size_t number, size_t block, float *scratch) {
    const cpu_engine *cpu = self->batch.engine;
    const feature_part part = pass_part(self, number);
    const size_t first = block * GEMM_ROWS, count = self->batch.count;
    const rows_view u = rows_of(self, first, cpu_block_rows(count, block));
    const part_columns own = {.values = cpu->theta + cpu_part_start(cpu->setup.map->features, u.columns, number),
                              .count = part.count,
                              .stride = part.count,
                              .far = cpu->threads == NULL ? 0 : count - first};
    float *z = part_rows(self, cpu->layers[0].z, number, first),
          *slope = part_rows(self, cpu->layers[0].slope, number, first);
    layer_forward_part(map_first(cpu->setup.map), &u, part.first, &own, z, slope);
    share_of_scores(self, number, block, z, scratch);
}

/* Runs some blocks through one part, all of them where pieces is 1. */
static void forward_piece(void *context, size_t index, size_t worker) {
    const parts_pass *self = context;
    cpu_engine *cpu = self->batch.engine;
    const size_t number = index / self->pieces, piece = index % self->pieces;
    const size_t blocks = (self->batch.count + GEMM_ROWS - 1) / GEMM_ROWS, end = blocks * (piece + 1) / self->pieces;
    for (size_t block = blocks * piece / self->pieces; block < end; block++) {
        forward_block(self, number, block, cpu->scratch[worker] + scratch_first(cpu));
    }
    vector_publish_end();
}

/* Fills scores (rows, outputs) of a block from the sums (outputs, GEMM_ROWS) of their shares, added
 * in the order of parts. */
static void sum_shares(const parts_pass *self, size_t block, float *sums, float *scores) {
    const cpu_engine *cpu = self->batch.engine;
    const linear_head *head = cpu->setup.head;
    const size_t outputs = head->outputs, rows = cpu_block_rows(self->batch.count, block);
    const float *intercept = head->weights + head->features * outputs;
    const float scale = (float)self->batch.plan->feature_scale;
    vector_sum(self->parts, cpu->batch_rows * outputs, outputs * GEMM_ROWS, cpu->shares + block * GEMM_ROWS * outputs,
               sums);
    for (size_t j = 0; j < outputs; j++) {
        for (size_t i = 0; i < rows; i++) {
            scores[i * outputs + j] = scale * sums[j * GEMM_ROWS + i] + intercept[j];
        }
    }
}

static void loss_block(void *context, size_t block, size_t worker) {
    const parts_pass *self = context;
    cpu_engine *cpu = self->batch.engine;
    const size_t outputs = cpu->setup.head->outputs, width = wide(cpu), rows = cpu_block_rows(self->batch.count, block);
    float *padded = cpu->scratch[worker] + scratch_first(cpu);
    float *scores = padded + GEMM_ROWS * width, *error = scores + GEMM_ROWS * width;
    sum_shares(self, block, padded, scores);
    cpu->block_loss[block * LOSS_STEP] = cpu_block_loss(&self->batch, block, scores, error);
    memset(padded, 0, rows * width * sizeof *padded);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < outputs; j++) {
            padded[i * width + j] = error[i * outputs + j];
        }
    }
    vector_publish(rows * width, padded, cpu->wide_error + block * GEMM_ROWS * width);
    vector_publish_end();
}

/* ---- Back ---- */

/* Updates some rows of an array, from `offset` on. */
static void apply(const update_ops *ops, update_call call, size_t offset, size_t rows, size_t columns,
                  const float *gradient) {
    call.rows = rows;
    call.columns = columns;
    call.values += offset;
    call.gradient = gradient;
    for (size_t j = 0; j < ops->moments; j++) {
        call.moments[j] += offset;
    }
    ops->apply(&call);
}

/* Computes slope := d (mean loss) / d projection = (feature_scale / count) (error W^T) o slope, and
 * its sums (part.count) over the rows. */
static void back_slope(const parts_pass *self, feature_part part, float *slope, double *sums, float *scratch) {
    const cpu_engine *cpu = self->batch.engine;
    const size_t count = self->batch.count, outputs = cpu->setup.head->outputs, width = wide(cpu);
    const float factor = (float)(self->batch.plan->feature_scale / (double)count);
    for (size_t first = 0; first < count; first += BACK_ROWS) {
        const size_t rows = count - first < BACK_ROWS ? count - first : BACK_ROWS;
        gemm(&(gemm_call){.transpose_b = true,
                          .m = rows,
                          .n = part.count,
                          .k = outputs,
                          .a = cpu->wide_error + first * width,
                          .lda = width,
                          .b = cpu->setup.head->weights + part.first * outputs,
                          .ldb = outputs,
                          .c = scratch,
                          .ldc = part.count});
        vector_scale_columns(rows, part.count, factor, scratch, slope + first * part.count, sums);
    }
}

/* Updates a part's rows of the head, and the intercept with the last part. */
static void back_head(const parts_pass *self, feature_part part, const float *z, float *scratch) {
    const cpu_engine *cpu = self->batch.engine;
    const size_t count = self->batch.count, outputs = cpu->setup.head->outputs, width = wide(cpu);
    const bool last = part.first + part.count == cpu->setup.head->features;
    float *turned = scratch, *gradient = scratch + WIDEST * outputs;
    const float factor = (float)(self->batch.plan->feature_scale / (double)count);
    gemm(&(gemm_call){.transpose_a = true,
                      .m = outputs,
                      .n = part.count,
                      .k = count,
                      .a = cpu->wide_error,
                      .lda = width,
                      .b = z,
                      .ldb = part.count,
                      .c = turned,
                      .ldc = part.count});
    for (size_t i = 0; i < part.count; i++) {
        for (size_t j = 0; j < outputs; j++) {
            gradient[i * outputs + j] = factor * turned[j * part.count + i];
        }
    }
    if (last) {
        float *intercept = gradient + part.count * outputs; /* padded behind */
        vector_column_sums(count, width, cpu->wide_error, intercept);
        for (size_t j = 0; j < outputs; j++) {
            intercept[j] /= (float)count;
        }
    }
    apply(self->for_head, self->head, part.first * outputs, part.count + last, outputs, gradient);
}

static void back_phase(const parts_pass *self, feature_part part, const double *sums) {
    float gradient[WIDEST];
    for (size_t i = 0; i < part.count; i++) {
        gradient[i] = (float)sums[i];
    }
    apply(self->for_map, self->phase, part.first, 1, part.count, gradient);
}

/* Updates strip number `strip` of a part's theta. */
static void back_strip(const parts_pass *self, size_t number, size_t strip, const float *slope, float *gradient) {
    const layer *own = map_first(self->batch.engine->setup.map);
    const feature_part part = pass_part(self, number);
    const size_t column = strip * STRIP, left = own->columns - column, columns = left < STRIP ? left : STRIP;
    const rows_view u = rows_of(self, 0, self->batch.count);
    own->projection->gradient_part(&u, slope, part.count, column, columns, gradient);
    apply(self->for_map, self->tensor, cpu_part_start(own->features, own->columns, number) + column * part.count,
          columns, part.count, gradient);
}

static size_t strips_of(const parts_pass *self) { return (self->batch.engine->setup.map->columns + STRIP - 1) / STRIP; }

/* Updates all of a part but theta; theta too where the work is not cut into pieces. */
static void back_part(void *context, size_t number, size_t worker) {
    const parts_pass *self = context;
    cpu_engine *cpu = self->batch.engine;
    const feature_part part = pass_part(self, number);
    float *z = part_rows(self, cpu->layers[0].z, number, 0), *slope = part_rows(self, cpu->layers[0].slope, number, 0);
    float *scratch = cpu->scratch[worker];
    double sums[WIDEST] = {0};
    back_slope(self, part, slope, sums, scratch);
    if (self->batch.plan->head_update != UPDATE_NONE) {
        back_head(self, part, z, scratch + scratch_first(cpu));
    }
    if (map_first(cpu->setup.map)->phase != NULL) {
        back_phase(self, part, sums);
    }
    for (size_t strip = 0; self->pieces == 1 && strip < strips_of(self); strip++) {
        back_strip(self, number, strip, slope, scratch);
    }
}

static void back_piece(void *context, size_t index, size_t worker) {
    const parts_pass *self = context;
    cpu_engine *cpu = self->batch.engine;
    const size_t number = index / strips_of(self), strip = index % strips_of(self);
    back_strip(self, number, strip, part_rows(self, cpu->layers[0].slope, number, 0), cpu->scratch[worker]);
}

/* ---- A step ---- */

static parts_pass pass_of(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count) {
    const size_t blocks = (count + GEMM_ROWS - 1) / GEMM_ROWS, parts = cpu_part_count(self->setup.map->features);
    const size_t workers = thread_pool_size(self->threads), wanted = (2 * workers + parts - 1) / parts;
    parts_pass out = {.batch = {self, plan, step, batch, count},
                      .parts = parts,
                      .pieces = workers <= parts  ? 1
                                : wanted < blocks ? wanted
                                                  : blocks,
                      .tensor = cpu_tensor_update(self, plan, step, 0, 0),
                      .for_head = update_find(plan, plan->head_update),
                      .for_map = update_find(plan, plan->map_update)};
    out.tensor.values = self->theta;
    if (plan->head_update != UPDATE_NONE) {
        out.head = cpu_head_update(self, plan, step);
    }
    if (map_first(self->setup.map)->phase != NULL) {
        out.phase = cpu_phase_update(self, plan, step, 0);
    }
    return out;
}

double cpu_parts_step(cpu_engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count) {
    const size_t blocks = (count + GEMM_ROWS - 1) / GEMM_ROWS;
    parts_pass pass = pass_of(self, plan, step, batch, count);
    double loss = 0.0;
    threads_for(self->threads, blocks, prepare_block, &pass);
    threads_for(self->threads, pass.parts * pass.pieces, forward_piece, &pass);
    threads_for(self->threads, blocks, loss_block, &pass);
    threads_for(self->threads, pass.parts, back_part, &pass);
    if (pass.pieces > 1) {
        threads_for(self->threads, pass.parts * strips_of(&pass), back_piece, &pass);
    }
    for (size_t i = 0; i < blocks; i++) {
        loss += self->block_loss[i * LOSS_STEP];
    }
    return loss;
}
