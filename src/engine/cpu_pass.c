/* One batch through map, head and loss, and back. Work is cut into blocks of GEMM_ROWS rows on the way forward and into
 * tiles of a gradient's own entries on the way back, each summing over the rows in order: the same bits for any number of
 * threads. */
#include "engine/cpu.h"

#include <string.h>

#include "math/arrays.h"
#include "math/gemm.h"
#include "math/noise.h"
#include "math/variates.h"

enum { GRADIENT_TILE = 64, CELLS_AHEAD = 3072, ROWS_AHEAD = 16, NOISE_RUN = 512, NOISE_COLUMNS = 256 };
enum { FIRST_DRIFT = 1 << 30 }; /* behind the numbers that pick partners */

size_t cpu_block_rows(size_t count, size_t block) {
    const size_t left = count - block * GEMM_ROWS;
    return left < GEMM_ROWS ? left : GEMM_ROWS;
}

/* Asks for columns from .. to of a row that will be taken soon: rows of a batch lie anywhere. */
static void expect_columns(const rows_view *rows, size_t row, size_t from, size_t to) {
#if defined(__GNUC__)
    for (size_t j = from; j < to; j += 16) {
        __builtin_prefetch(rows->values + row * rows->stride + j, 0, 3);
    }
#else
    (void)rows, (void)row, (void)from, (void)to;
#endif
}

/* Row i += drift n_i (row i + a - row i + b) within the block, cyclically; a and b are the block's, n_i the row's. The directions in which
 * rows differ are those in which new rows will differ from old ones; noise alike in all columns is mostly elsewhere. */
static void drift_rows(const batch_pass *self, size_t block, size_t worker, float *u) {
    const size_t columns = self->engine->setup.rows->stage->columns, rows = cpu_block_rows(self->count, block);
    const random_stream stream = {self->plan->seed, RANDOM_DRIFT, (uint32_t)self->step};
    float *still = self->engine->still + worker * GEMM_ROWS * columns, along[GEMM_ROWS];
    if (rows < 3) {
        return;
    }
    const size_t a = 1 + (size_t)random_below(stream, 2 * block, rows - 1);
    const size_t other = 1 + (size_t)random_below(stream, 2 * block + 1, rows - 2), b = other < a ? other : other + 1;
    memcpy(still, u, rows * columns * sizeof *u);
    variates_normal(stream, FIRST_DRIFT + block * GEMM_ROWS, GEMM_ROWS, self->plan->drift, along);
    for (size_t i = 0; i < rows; i++) {
        array_add_difference(columns, along[i], still + (i + a) % rows * columns, still + (i + b) % rows * columns,
                             u + i * columns);
    }
}

/* The row to be asked for while row i of a block is taken, which may be one of the next block; false: none. */
static bool row_ahead(const batch_pass *self, size_t block, size_t i, size_t *row) {
    const rows_view *rows = &self->engine->setup.rows->rows;
    const size_t columns = rows->columns, place = block * GEMM_ROWS + i;
    const size_t ahead = columns > CELLS_AHEAD / ROWS_AHEAD ? 1 + CELLS_AHEAD / columns : ROWS_AHEAD;
    if (self->batch == NULL || rows_are_sparse(rows) || place + ahead >= self->count) {
        return false;
    }
    *row = self->batch[place + ahead];
    return true;
}

/* A block's rows u, to which noise is added. */
typedef struct noisy_block {
    const batch_pass *pass;
    size_t block, columns;
    float *u;
} noisy_block;

/* u = x + noise from `place` in the block on. */
static void add_noise(const noisy_block *self, size_t place, size_t count, const float *x) {
    const train_plan *plan = self->pass->plan;
    const random_stream stream = {plan->seed, RANDOM_NOISE, (uint32_t)self->pass->step};
    noise_add(stream, self->block * GEMM_ROWS * self->columns + place, count, plan->noise, x, self->u + place);
}

/* Row i, which is x, on its way into the block. Whole groups get their noise as they are copied, a group that began with the row before
 * where it lies; the row ahead is fetched meanwhile, some columns at a time. Returns where the noise ends. */
static size_t copy_with_noise(const noisy_block *self, size_t i, const float *x, bool last) {
    const size_t columns = self->columns, place = i * columns, begun = place % NOISE_TOGETHER;
    const size_t head = begun == 0 ? 0 : NOISE_TOGETHER - begun;
    const size_t end = last ? columns : head + (columns - head) / NOISE_TOGETHER * NOISE_TOGETHER;
    float *to = self->u + place;
    size_t later;
    const bool expects = row_ahead(self->pass, self->block, i, &later);
    if (head > 0) {
        memcpy(to, x, head * sizeof *to);
        add_noise(self, place - begun, NOISE_TOGETHER, to - begun);
    }
    for (size_t at = head; at < end; at += NOISE_COLUMNS) {
        const size_t count = end - at < NOISE_COLUMNS ? end - at : NOISE_COLUMNS;
        if (expects) {
            expect_columns(&self->pass->engine->setup.rows->rows, later, at - head,
                           at + count == end ? columns : at - head + count);
        }
        add_noise(self, place + at, count, x + at);
    }
    memcpy(to + end, x + end, (columns - end) * sizeof *to);
    return place + end;
}

/* Rows with noise but no drift, long ones or of whole groups. What is to be done to a row before is done aside, in the nearest cache. */
static void prepare_noisy(const batch_pass *self, size_t block, size_t worker, float *u, float *published) {
    const input_source *source = self->engine->setup.rows;
    const size_t columns = source->stage->columns, first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    const noisy_block noisy = {self, block, columns, u};
    const bool plain = input_is_plain(source);
    float *aside = self->engine->still + worker * GEMM_ROWS * columns;
    for (size_t i = 0, done = 0; i < rows; i++) {
        const size_t row = self->batch == NULL ? first + i : self->batch[first + i];
        if (!plain) {
            input_take_dense(source, &row, 0, 0, 1, aside);
        }
        const float *x = plain ? source->rows.values + row * source->rows.stride : aside;
        const size_t ready = copy_with_noise(&noisy, i, x, i + 1 == rows);
        if (published != NULL) {
            array_publish(ready - done, u + done, published + done);
        }
        done = ready;
    }
}

/* Noise follows the rows in runs of whole groups while they are in the nearest cache, and hides the fetching of later rows and the
 * publishing of earlier ones. */
void cpu_prepare_rows(const batch_pass *self, size_t block, size_t worker, float *u, float *published) {
    const input_source *source = self->engine->setup.rows;
    const size_t columns = source->stage->columns, rows = cpu_block_rows(self->count, block), first = block * GEMM_ROWS;
    const size_t *order = self->batch == NULL ? NULL : self->batch + first;
    const random_stream stream = {self->plan->seed, RANDOM_NOISE, (uint32_t)self->step};
    size_t done = 0, later;
    if (self->plan->noise > 0.0 && self->plan->drift == 0.0 &&
        (columns % NOISE_TOGETHER == 0 || columns >= NOISE_COLUMNS)) {
        prepare_noisy(self, block, worker, u, published);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        if (row_ahead(self, block, i, &later)) {
            expect_columns(&source->rows, later, 0, columns);
        }
        input_take_dense(source, order, first, i, i + 1, u);
        const bool waits = self->plan->drift > 0.0 && i + 1 < rows; /* the whole block drifts before noise comes */
        if (self->plan->drift > 0.0 && i + 1 == rows) {
            drift_rows(self, block, worker, u);
        }
        const size_t ready = waits ? 0 : i + 1 == rows ? rows * columns : (i + 1) * columns / NOISE_RUN * NOISE_RUN;
        if (self->plan->noise > 0.0 && ready > done) {
            noise_add(stream, first * columns + done, ready - done, self->plan->noise, u + done, u + done);
        }
        if (published != NULL && ready > done) {
            array_publish(ready - done, u + done, published + done);
        }
        done = ready > done ? ready : done;
    }
}

/* Prepared rows of one block into the batch's input, padded; the view a map takes. */
static rows_view prepare_block(const batch_pass *self, size_t block, size_t worker) {
    const engine *cpu = self->engine;
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

bool cpu_from_cache(const engine *self, const train_plan *plan) {
    return self->cached && plan->map_update == NULL && plan->noise == 0.0 && plan->drift == 0.0;
}

/* z of one block: from the cache where there is one. */
static void block_features(const batch_pass *self, size_t block, size_t worker) {
    engine *cpu = self->engine;
    const size_t k = cpu->setup.map->features, first = block * GEMM_ROWS, rows = cpu_block_rows(self->count, block);
    float *z = cpu->z + first * k;
    if (cpu_from_cache(cpu, self->plan)) {
        for (size_t i = 0; i < rows; i++) {
            memcpy(z + i * k, cpu->cache + self->batch[first + i] * k, k * sizeof *z);
        }
        return;
    }
    const rows_view u = prepare_block(self, block, worker);
    map_forward(cpu->setup.map, &u, z, self->plan->map_update == NULL ? NULL : cpu->slope + first * k,
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
    engine *cpu = self->engine;
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

/* All prepared rows of the batch. */
static rows_view batch_view(const engine *cpu, size_t count) {
    const size_t columns = cpu->setup.rows->stage->columns;
    return cpu->setup.rows->sparse
               ? cpu->input.view
               : (rows_view){.rows = count, .columns = columns, .values = cpu->input.values, .stride = columns};
}

cnm_status cpu_forward(engine *self, const train_plan *plan, uint64_t step, const size_t *batch, size_t count,
                       double *loss, cnm_error *err) {
    const size_t blocks = (count + GEMM_ROWS - 1) / GEMM_ROWS;
    batch_pass pass = {self, plan, step, batch, count};
    if (self->setup.rows->sparse && !cpu_from_cache(self, plan)) {
        const cnm_status status = input_take(self->setup.rows, batch, 0, count, &self->input, err);
        if (status != CNM_OK) {
            return status;
        }
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

/* Rows tile * GRADIENT_TILE ... of the head's gradient: (feature_scale / count) z^T error. */
static void head_tile(void *context, size_t tile, size_t worker) {
    const batch_pass *self = context;
    engine *cpu = self->engine;
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

void cpu_intercept_gradient(const engine *cpu, size_t count, float *gradient) {
    const size_t outputs = cpu->setup.head->outputs;
    for (size_t j = 0; j < outputs; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++) {
            sum += (double)cpu->error[i * outputs + j];
        }
        gradient[j] = (float)(sum / (double)count);
    }
}

/* slope := d (mean loss) / d projection = d loss / d z o slope, where d loss / d z is (feature_scale / count) (error W^T), or what
 * a loss on features left in product. */
static void backward_block(void *context, size_t block, size_t worker) {
    const batch_pass *self = context;
    engine *cpu = self->engine;
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

void cpu_gradients(engine *self, const train_plan *plan, size_t count) {
    batch_pass pass = {.engine = self, .plan = plan, .count = count};
    const size_t k = self->setup.map->features;
    if (plan->head_update != NULL) {
        threads_for(self->threads, (k + GRADIENT_TILE - 1) / GRADIENT_TILE, head_tile, &pass);
        cpu_intercept_gradient(self, count, self->head_gradient + k * self->setup.head->outputs);
    }
    if (plan->map_update != NULL) {
        const rows_view u = batch_view(self, count);
        threads_for(self->threads, (count + GEMM_ROWS - 1) / GEMM_ROWS, backward_block, &pass);
        map_gradient(self->setup.map, &u, self->slope, self->gradients,
                     self->setup.map->phase == NULL ? NULL : self->phase_gradient, self->threads, self->work);
    }
}
