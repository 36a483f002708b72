/* Works on blocks of rows: products with the centres become kernel values, and those scores. */
#include "learn/krr/kernel_model.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/distances.h"
#include "math/elementary/exp_log.h"
#include "math/gemm/gemm.h"

/* ---- The kernel ---- */

typedef struct kernel_task {
    const kernel_rows *of;
    krr_kernel kind;
    double gamma;
    const float *rows; /* (count, columns) */
    size_t count;
    bool rescaled;             /* rows are to be rescaled or weighted first */
    float *kernel;             /* (count, of->rows), or NULL: only a block at a time, in `blocks` */
    float *blocks;             /* of each worker: (GEMM_ROWS, of->rows), (GEMM_ROWS, columns) */
    const kernel_model *model; /* computes scores where not NULL */
    float *scores;             /* (count, outputs) */
} kernel_task;

enum { RUN = 64 }; /* exponentials computed together */

static const double LEAST = -80.0;

/* Turns squared distances (count) into exponents, clipped: rounding makes some below 0, and an
 * infinite one would make NaN. */
static void fill_exponents(const kernel_task *task, size_t count, double *squares) {
    for (size_t i = 0; i < count; i++) {
        squares[i] = task->gamma * (squares[i] > 0.0 ? squares[i] : 0.0);
    }
    for (size_t i = 0; task->kind == KRR_EXPONENTIAL && i < count; i++) {
        squares[i] = sqrt(2.0 * squares[i]);
    }
    for (size_t i = 0; i < count; i++) {
        squares[i] = squares[i] < -2.0 * LEAST ? -squares[i] : 2.0 * LEAST;
    }
}

/* Turns values (rows of the model), products of a row with the centres, into kernel values. */
static void apply_kernel(const kernel_task *task, double square, float *values) {
    const kernel_rows *self = task->of;
    double exponents[RUN], powers[RUN];
    for (size_t first = 0; first < self->rows; first += RUN) {
        const size_t count = self->rows - first < RUN ? self->rows - first : RUN;
        for (size_t i = 0; i < count; i++) {
            exponents[i] = square + (double)self->squares[first + i] - 2.0 * (double)values[first + i];
        }
        fill_exponents(task, count, exponents);
        exp_array(exponents, count, LEAST, powers);
        for (size_t i = 0; i < count; i++) {
            values[first + i] = (float)powers[i];
        }
    }
}

void kernel_model_pair_sums(const kernel_model *self, const float *kernel, double *sums) {
    const size_t outputs = self->outputs;
    for (size_t i = 0; i < outputs * outputs; i++) {
        sums[i] = (double)self->offset[i];
    }
    for (size_t i = 0; i < self->of->rows; i++) {
        double *own = sums + (size_t)self->classes[i] * outputs;
        for (size_t j = 0; j < outputs; j++) {
            own[j] += (double)kernel[i] * (double)self->weights[i * outputs + j];
        }
    }
}

void kernel_model_vote(const double *sums, size_t outputs, float *scores) {
    for (size_t c = 0; c < outputs; c++) {
        double votes = 0.0;
        for (size_t j = 0; j < outputs; j++) {
            const double difference = sums[c * outputs + j] - sums[j * outputs + c];
            votes += j == c ? 0.0 : fmin(fmax(difference, -1.0), 1.0);
        }
        scores[c] = (float)(2.0 * votes / (double)outputs);
    }
}

static void vote_block(const kernel_task *task, size_t count, const float *kernel, float *scores) {
    const kernel_model *model = task->model;
    double sums[KERNEL_MODEL_MOST_CLASSES * KERNEL_MODEL_MOST_CLASSES];
    for (size_t i = 0; i < count; i++) {
        kernel_model_pair_sums(model, kernel + i * task->of->rows, sums);
        kernel_model_vote(sums, model->outputs, scores + i * model->outputs);
    }
}

static void score_block(const kernel_task *task, size_t count, const float *kernel, float *scores) {
    const size_t outputs = task->model->outputs;
    for (size_t i = 0; i < count; i++) {
        memcpy(scores + i * outputs, task->model->offset, outputs * sizeof *scores);
    }
    gemm(&(gemm_call){.add = true,
                      .m = count,
                      .n = outputs,
                      .k = task->of->rows,
                      .a = kernel,
                      .lda = task->of->rows,
                      .b = task->model->weights,
                      .ldb = outputs,
                      .c = scores,
                      .ldc = outputs});
}

static void weight_rows(const float *weights, size_t count, size_t columns, float *rows) {
    for (size_t i = 0; weights != NULL && i < count; i++) {
        for (size_t j = 0; j < columns; j++) {
            rows[i * columns + j] *= weights[j];
        }
    }
}

/* Fills own (count, columns) with rows in the model's scaling, and weighted. */
static void rescale_block(const kernel_rows *self, size_t count, const float *rows, float *own) {
    if (self->units.columns > 0) {
        rescale_rows(&self->units, count, rows, own);
    } else {
        memcpy(own, rows, count * self->columns * sizeof *own);
    }
    weight_rows(self->weights, count, self->columns, own);
}

/* Computes the kernel, and the scores, of GEMM_ROWS rows from index * GEMM_ROWS on. */
static void kernel_block(void *context, size_t index, size_t worker) {
    const kernel_task *task = context;
    const kernel_rows *self = task->of;
    const size_t first = index * GEMM_ROWS, left = task->count - first, count = left < GEMM_ROWS ? left : GEMM_ROWS;
    const float *rows = task->rows + first * self->columns;
    float *own = task->blocks == NULL ? NULL : task->blocks + worker * GEMM_ROWS * (self->rows + self->columns);
    float *kernel = task->kernel != NULL ? task->kernel + first * self->rows : own;
    if (task->rescaled) {
        rescale_block(self, count, rows, own + GEMM_ROWS * self->rows);
        rows = own + GEMM_ROWS * self->rows;
    }
    gemm(&(gemm_call){.transpose_b = true,
                      .m = count,
                      .n = self->rows,
                      .k = self->columns,
                      .a = rows,
                      .lda = self->columns,
                      .b = self->centres,
                      .ldb = self->columns,
                      .c = kernel,
                      .ldc = self->rows});
    for (size_t i = 0; i < count; i++) {
        const float square = (float)distance_square(rows + i * self->columns, self->columns);
        apply_kernel(task, (double)square, kernel + i * self->rows);
    }
    if (task->model != NULL) {
        float *scores = task->scores + first * task->model->outputs;
        (task->model->classes == NULL ? score_block : vote_block)(task, count, kernel, scores);
    }
}

static void run_kernel(const kernel_task *task, thread_pool *pool) {
    threads_for(pool, (task->count + GEMM_ROWS - 1) / GEMM_ROWS, kernel_block, (void *)task);
}

void kernel_matrix_fill(const kernel_rows *self, krr_kernel kind, double gamma, thread_pool *pool, float *kernel) {
    const kernel_task task = {
        .of = self, .kind = kind, .gamma = gamma, .rows = self->centres, .count = self->rows, .kernel = kernel};
    run_kernel(&task, pool);
}

cnm_status kernel_model_scores(const kernel_model *self, const float *rows, size_t count, size_t threads, float *scores,
                               cnm_error *err) {
    cnm_status status = CNM_OK;
    thread_pool *pool = thread_pool_create(threads);
    kernel_task task = {.of = self->of,
                        .kind = self->kind,
                        .gamma = self->gamma,
                        .rows = rows,
                        .count = count,
                        .rescaled = self->of->units.columns > 0 || self->of->weights != NULL,
                        .model = self,
                        .scores = scores};
    TRY_DONE(memory_take(&task.blocks, thread_pool_size(pool) * GEMM_ROWS,
                         (self->of->rows + self->of->columns) * sizeof *task.blocks, "a kernel", err));
    run_kernel(&task, pool);
done:
    memory_free(task.blocks);
    thread_pool_destroy(pool);
    return status;
}

/* ---- Rows ---- */

/* Brings the centres from the scaling of the source to another. */
static cnm_status rescale_centres(kernel_rows *self, const krr_source *from, scaling_kind kind, cnm_error *err) {
    scaling wanted;
    if (kind == from->scaling->kind) {
        return CNM_OK;
    }
    cnm_status status = CNM_OK;
    TRY(scaling_fit(&wanted, kind, &from->data->rows, err));
    TRY_DONE(rescale_create(&self->units, from->scaling, &wanted, err));
    rescale_rows(&self->units, self->rows, self->centres, self->centres);
done:
    scaling_free(&wanted);
    return status;
}

static void fill_squares(kernel_rows *self) {
    for (size_t i = 0; i < self->rows; i++) {
        self->squares[i] = (float)distance_square(self->centres + i * self->columns, self->columns);
    }
}

cnm_status kernel_rows_create(kernel_rows *out, const krr_source *from, scaling_kind kind, const size_t *positions,
                              size_t rows, cnm_error *err) {
    *out = (kernel_rows){.rows = rows, .columns = from->data->rows.columns, .scale = kind};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&out->centres, rows, out->columns * sizeof(float), "rows", err));
    TRY_DONE(memory_take(&out->squares, rows, sizeof(float), "rows", err));
    input_take_dense(from->rows, positions, 0, 0, rows, out->centres);
    TRY_DONE(rescale_centres(out, from, kind, err));
    fill_squares(out);
done:
    if (status != CNM_OK) {
        kernel_rows_free(out);
    }
    return status;
}

cnm_status kernel_rows_weight(kernel_rows *self, const double *weights, cnm_error *err) {
    TRY(memory_take(&self->weights, self->columns, sizeof *self->weights, "weights", err));
    for (size_t j = 0; j < self->columns; j++) {
        self->weights[j] = (float)weights[j];
    }
    weight_rows(self->weights, self->rows, self->columns, self->centres);
    fill_squares(self);
    return CNM_OK;
}

double kernel_rows_spread(const kernel_rows *self) {
    const size_t n = self->rows, d = self->columns;
    double sum = 0.0;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j];
        }
        mean /= (double)n;
        for (size_t i = 0; i < n; i++) {
            const double deviation = (double)self->centres[i * d + j] - mean;
            square += deviation * deviation;
        }
        sum += 2.0 * square / (double)(n - 1);
    }
    return sum;
}

void kernel_rows_free(kernel_rows *self) {
    rescale_free(&self->units);
    memory_free(self->weights);
    memory_free(self->centres);
    memory_free(self->squares);
    *self = (kernel_rows){0};
}

/* ---- Weights ---- */

cnm_status kernel_model_create(kernel_model *out, const kernel_rows *of, size_t outputs, bool one_vs_one,
                               cnm_error *err) {
    const size_t offsets = one_vs_one ? outputs * outputs : outputs;
    *out = (kernel_model){.of = of, .outputs = outputs};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_zeroed(&out->weights, of->rows, outputs * sizeof(float), "weights", err));
    TRY_DONE(memory_zeroed(&out->offset, offsets, sizeof(float), "weights", err));
    if (one_vs_one) {
        TRY_DONE(memory_zeroed(&out->classes, of->rows, sizeof *out->classes, "classes", err));
    }
done:
    if (status != CNM_OK) {
        kernel_model_free(out);
    }
    return status;
}

void kernel_model_free(kernel_model *self) {
    memory_free(self->classes);
    memory_free(self->weights);
    memory_free(self->offset);
    *self = (kernel_model){0};
}
