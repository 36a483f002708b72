/* Rows in blocks: their products with the centres, which become the kernel in place, which the weights turn into scores. */
#include "learn/krr/kernel_model.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "math/elementary/exp_log.h"
#include "math/gemm/gemm.h"

/* ---- The kernel ---- */

typedef struct kernel_task {
    const machine_rows *of;
    machine_kind kind;
    double gamma;
    const float *rows; /* (count, columns) */
    size_t count;
    bool foreign;  /* the rows are in the training's scaling, which is another, or they are to be weighed */
    float *kernel; /* (count, of->rows), or NULL: a block of them for each worker in `blocks` ... */
    float *blocks; /* ... behind which there is room for rows in the machine's scaling */
    const kernel_machine *machine; /* ... and what its weights make of it */
    float *scores;
} kernel_task;

enum { RUN = 64 }; /* exponentials that are taken together */

static const double LEAST = -80.0;

/* exponents (count) from the squares of distances, rounding left over; no infinity: it would be NaN. */
static void take_exponents(const kernel_task *task, size_t count, double *squares) {
    for (size_t i = 0; i < count; i++) {
        squares[i] = task->gamma * (squares[i] > 0.0 ? squares[i] : 0.0);
    }
    for (size_t i = 0; task->kind == MACHINE_EXPONENTIAL && i < count; i++) {
        squares[i] = sqrt(2.0 * squares[i]);
    }
    for (size_t i = 0; i < count; i++) {
        squares[i] = squares[i] < -2.0 * LEAST ? -squares[i] : 2.0 * LEAST;
    }
}

/* values (rows of the machine), products of x with its centres, become kernel values. */
static void turn_into_kernel(const kernel_task *task, double square, float *values) {
    const machine_rows *self = task->of;
    double exponents[RUN], powers[RUN];
    for (size_t first = 0; first < self->rows; first += RUN) {
        const size_t count = self->rows - first < RUN ? self->rows - first : RUN;
        for (size_t i = 0; i < count; i++) {
            exponents[i] = square + (double)self->squares[first + i] - 2.0 * (double)values[first + i];
        }
        take_exponents(task, count, exponents);
        exp_array(exponents, count, LEAST, powers);
        for (size_t i = 0; i < count; i++) {
            values[first + i] = (float)powers[i];
        }
    }
}

static float square_of(const float *row, size_t columns) {
    double sum = 0.0;
    for (size_t j = 0; j < columns; j++) {
        sum += (double)row[j] * (double)row[j];
    }
    return (float)sum;
}

void machine_pair_sums(const kernel_machine *self, const float *kernel, double *sums) {
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

void machine_vote(const double *sums, size_t outputs, float *scores) {
    for (size_t c = 0; c < outputs; c++) {
        double votes = 0.0;
        for (size_t j = 0; j < outputs; j++) {
            const double said = sums[c * outputs + j] - sums[j * outputs + c];
            votes += j == c ? 0.0 : fmin(fmax(said, -1.0), 1.0);
        }
        scores[c] = (float)(2.0 * votes / (double)outputs);
    }
}

static void vote_on_block(const kernel_task *task, size_t count, const float *kernel, float *scores) {
    const kernel_machine *machine = task->machine;
    double sums[MACHINE_MOST_CLASSES * MACHINE_MOST_CLASSES];
    for (size_t i = 0; i < count; i++) {
        machine_pair_sums(machine, kernel + i * task->of->rows, sums);
        machine_vote(sums, machine->outputs, scores + i * machine->outputs);
    }
}

static void weigh_block(const kernel_task *task, size_t count, const float *kernel, float *scores) {
    const size_t outputs = task->machine->outputs;
    for (size_t i = 0; i < count; i++) {
        memcpy(scores + i * outputs, task->machine->offset, outputs * sizeof *scores);
    }
    gemm(&(gemm_call){.add = true,
                      .m = count,
                      .n = outputs,
                      .k = task->of->rows,
                      .a = kernel,
                      .lda = task->of->rows,
                      .b = task->machine->weights,
                      .ldb = outputs,
                      .c = scores,
                      .ldc = outputs});
}

static void weigh_rows(const float *weights, size_t count, size_t columns, float *rows) {
    for (size_t i = 0; weights != NULL && i < count; i++) {
        for (size_t j = 0; j < columns; j++) {
            rows[i * columns + j] *= weights[j];
        }
    }
}

/* own (count, columns) from rows in the training's scaling. */
static void take_in(const machine_rows *self, size_t count, const float *rows, float *own) {
    if (self->units.columns > 0) {
        rescale_rows(&self->units, count, rows, own);
    } else {
        memcpy(own, rows, count * self->columns * sizeof *own);
    }
    weigh_rows(self->weights, count, self->columns, own);
}

/* GEMM_ROWS rows from index * GEMM_ROWS on. */
static void kernel_block(void *context, size_t index, size_t worker) {
    const kernel_task *task = context;
    const machine_rows *self = task->of;
    const size_t first = index * GEMM_ROWS, left = task->count - first, count = left < GEMM_ROWS ? left : GEMM_ROWS;
    const float *rows = task->rows + first * self->columns;
    float *own = task->blocks == NULL ? NULL : task->blocks + worker * GEMM_ROWS * (self->rows + self->columns);
    float *kernel = task->kernel != NULL ? task->kernel + first * self->rows : own;
    if (task->foreign) {
        take_in(self, count, rows, own + GEMM_ROWS * self->rows);
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
        turn_into_kernel(task, (double)square_of(rows + i * self->columns, self->columns), kernel + i * self->rows);
    }
    if (task->machine != NULL) {
        float *scores = task->scores + first * task->machine->outputs;
        (task->machine->classes == NULL ? weigh_block : vote_on_block)(task, count, kernel, scores);
    }
}

static void run_kernel(const kernel_task *task, thread_pool *pool) {
    threads_for(pool, (task->count + GEMM_ROWS - 1) / GEMM_ROWS, kernel_block, (void *)task);
}

void machine_kernel(const machine_rows *self, machine_kind kind, double gamma, thread_pool *pool, float *kernel) {
    const kernel_task task = {
        .of = self, .kind = kind, .gamma = gamma, .rows = self->centres, .count = self->rows, .kernel = kernel};
    run_kernel(&task, pool);
}

cnm_status machine_scores(const kernel_machine *self, const float *rows, size_t count, size_t threads, float *scores,
                          cnm_error *err) {
    thread_pool *pool = thread_pool_create(threads);
    kernel_task task = {.of = self->of,
                        .kind = self->kind,
                        .gamma = self->gamma,
                        .rows = rows,
                        .count = count,
                        .foreign = self->of->units.columns > 0 || self->of->weights != NULL,
                        .machine = self,
                        .scores = scores};
    const cnm_status status = memory_take(&task.blocks, thread_pool_size(pool) * GEMM_ROWS,
                                          (self->of->rows + self->of->columns) * sizeof *task.blocks, "a kernel", err);
    if (status == CNM_OK) {
        run_kernel(&task, pool);
    }
    memory_free(task.blocks);
    thread_pool_destroy(pool);
    return status;
}

/* ---- Its rows ---- */

/* The centres, in the training's scaling so far, get one of their own. */
static cnm_status give_units(machine_rows *self, const problem *of, scaling_kind kind, cnm_error *err) {
    scaling wanted;
    if (kind == of->scaling.kind) {
        return CNM_OK;
    }
    cnm_status status = scaling_fit(&wanted, kind, &of->rows, err);
    if (status != CNM_OK) {
        return status;
    }
    status = rescale_create(&self->units, &of->scaling, &wanted, err);
    if (status == CNM_OK) {
        rescale_rows(&self->units, self->rows, self->centres, self->centres);
    }
    scaling_free(&wanted);
    return status;
}

static void take_squares(machine_rows *self) {
    for (size_t i = 0; i < self->rows; i++) {
        self->squares[i] = square_of(self->centres + i * self->columns, self->columns);
    }
}

cnm_status machine_rows_create(machine_rows *out, const training *self, scaling_kind kind, const size_t *positions,
                               size_t rows, cnm_error *err) {
    *out = (machine_rows){.rows = rows, .columns = self->problem.rows.columns, .scale = kind};
    cnm_status status = memory_take(&out->centres, rows, out->columns * sizeof(float), "rows", err);
    status = status == CNM_OK ? memory_take(&out->squares, rows, sizeof(float), "rows", err) : status;
    if (status == CNM_OK) {
        input_take_dense(&self->source, positions, 0, 0, rows, out->centres);
        status = give_units(out, &self->problem, kind, err);
    }
    if (status != CNM_OK) {
        machine_rows_free(out);
        return status;
    }
    take_squares(out);
    return CNM_OK;
}

cnm_status machine_rows_weigh(machine_rows *self, const double *weights, cnm_error *err) {
    const cnm_status status = memory_take(&self->weights, self->columns, sizeof *self->weights, "weights", err);
    for (size_t j = 0; status == CNM_OK && j < self->columns; j++) {
        self->weights[j] = (float)weights[j];
    }
    if (status == CNM_OK) {
        weigh_rows(self->weights, self->rows, self->columns, self->centres);
        take_squares(self);
    }
    return status;
}

double machine_rows_spread(const machine_rows *self) {
    const size_t n = self->rows, d = self->columns;
    double sum = 0.0;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j];
        }
        mean /= (double)n;
        for (size_t i = 0; i < n; i++) {
            const double off = (double)self->centres[i * d + j] - mean;
            square += off * off;
        }
        sum += 2.0 * square / (double)(n - 1);
    }
    return sum;
}

void machine_rows_free(machine_rows *self) {
    rescale_free(&self->units);
    memory_free(self->weights);
    memory_free(self->centres);
    memory_free(self->squares);
    *self = (machine_rows){0};
}

/* ---- Its weights ---- */

cnm_status machine_create(kernel_machine *out, const machine_rows *of, size_t outputs, bool pairs, cnm_error *err) {
    const size_t offsets = pairs ? outputs * outputs : outputs;
    *out = (kernel_machine){.of = of, .outputs = outputs};
    cnm_status status = memory_zeroed(&out->weights, of->rows, outputs * sizeof(float), "weights", err);
    status = status == CNM_OK ? memory_zeroed(&out->offset, offsets, sizeof(float), "weights", err) : status;
    if (status == CNM_OK && pairs) {
        status = memory_zeroed(&out->classes, of->rows, sizeof *out->classes, "classes", err);
    }
    if (status != CNM_OK) {
        machine_free(out);
    }
    return status;
}

void machine_free(kernel_machine *self) {
    memory_free(self->classes);
    memory_free(self->weights);
    memory_free(self->offset);
    *self = (kernel_machine){0};
}
