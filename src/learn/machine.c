/* Rows in blocks: their products with the centres, which become the kernel in place, which the weights turn into scores. */
#include "learn/machine.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/exponential.h"
#include "math/gemm.h"

/* ---- The kernel ---- */

typedef struct kernel_task {
    const kernel_machine *of;
    const float *rows; /* (count, columns) */
    size_t count;
    float *kernel; /* (count, of->rows), or NULL: a block of them for each worker in `blocks` ... */
    float *blocks;
    float *scores; /* ... and what the weights make of it */
} kernel_task;

enum { RUN = 64 }; /* exponentials that are taken together */

/* values (rows of the machine), products of x with its centres, become kernel values. */
static void turn_into_kernel(const kernel_machine *self, double square, float *values) {
    static const double LEAST = -80.0;
    double exponents[RUN], powers[RUN];
    for (size_t first = 0; first < self->rows; first += RUN) {
        const size_t count = self->rows - first < RUN ? self->rows - first : RUN;
        for (size_t i = 0; i < count; i++) {
            const double distance = square + (double)self->squares[first + i] - 2.0 * (double)values[first + i];
            exponents[i] = fmax(-self->gamma * fmax(distance, 0.0), 2.0 * LEAST); /* no infinity: it would be NaN */
        }
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

/* GEMM_ROWS rows from index * GEMM_ROWS on. */
static void kernel_block(void *context, size_t index, size_t worker) {
    const kernel_task *task = context;
    const kernel_machine *self = task->of;
    const size_t first = index * GEMM_ROWS, left = task->count - first, count = left < GEMM_ROWS ? left : GEMM_ROWS;
    const float *rows = task->rows + first * self->columns;
    float *kernel =
        task->kernel != NULL ? task->kernel + first * self->rows : task->blocks + worker * GEMM_ROWS * self->rows;
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
        turn_into_kernel(self, (double)square_of(rows + i * self->columns, self->columns), kernel + i * self->rows);
    }
    if (task->scores == NULL) {
        return;
    }
    float *scores = task->scores + first * self->outputs;
    for (size_t i = 0; i < count; i++) {
        memcpy(scores + i * self->outputs, self->offset, self->outputs * sizeof *scores);
    }
    gemm(&(gemm_call){.add = true,
                      .m = count,
                      .n = self->outputs,
                      .k = self->rows,
                      .a = kernel,
                      .lda = self->rows,
                      .b = self->weights,
                      .ldb = self->outputs,
                      .c = scores,
                      .ldc = self->outputs});
}

static void run_kernel(const kernel_task *task, thread_pool *pool) {
    threads_for(pool, (task->count + GEMM_ROWS - 1) / GEMM_ROWS, kernel_block, (void *)task);
}

void machine_kernel(const kernel_machine *self, thread_pool *pool, float *kernel) {
    run_kernel(&(kernel_task){.of = self, .rows = self->centres, .count = self->rows, .kernel = kernel}, pool);
}

cnm_status machine_scores(const kernel_machine *self, const float *rows, size_t count, size_t threads, float *scores,
                          cnm_error *err) {
    thread_pool *pool = thread_pool_create(threads);
    kernel_task task = {.of = self, .rows = rows, .count = count, .scores = scores};
    const cnm_status status = memory_take(&task.blocks, thread_pool_size(pool) * GEMM_ROWS,
                                          self->rows * sizeof *task.blocks, "a kernel", err);
    if (status == CNM_OK) {
        run_kernel(&task, pool);
    }
    memory_free(task.blocks);
    thread_pool_destroy(pool);
    return status;
}

/* ---- Its rows ---- */

cnm_status machine_create(kernel_machine *out, const training *self, const size_t *positions, size_t rows, double gamma,
                          cnm_error *err) {
    *out = (kernel_machine){
        .rows = rows, .columns = self->problem.rows.columns, .outputs = self->problem.outputs, .gamma = gamma};
    cnm_status status = memory_take(&out->centres, rows, out->columns * sizeof(float), "rows", err);
    status = status == CNM_OK ? memory_take(&out->squares, rows, sizeof(float), "rows", err) : status;
    status =
        status == CNM_OK ? memory_zeroed(&out->weights, rows, out->outputs * sizeof(float), "weights", err) : status;
    status = status == CNM_OK ? memory_zeroed(&out->offset, out->outputs, sizeof(float), "weights", err) : status;
    if (status != CNM_OK) {
        machine_free(out);
        return status;
    }
    input_take_dense(&self->source, positions, 0, 0, rows, out->centres);
    for (size_t i = 0; i < rows; i++) {
        out->squares[i] = square_of(out->centres + i * out->columns, out->columns);
    }
    return CNM_OK;
}

void machine_free(kernel_machine *self) {
    memory_free(self->centres);
    memory_free(self->squares);
    memory_free(self->weights);
    memory_free(self->offset);
    *self = (kernel_machine){0};
}
