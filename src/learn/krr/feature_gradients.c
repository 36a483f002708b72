/* At row i, for an output with weights a and but for the factor -2 gamma,
 *
 *   slope = sum over rows j of c_ij a_j (x_i - x_j),   c = K, or K / r with r = -log K = sqrt(2 gamma) |x_i - x_j| for the exponential kernel
 *
 * which is two products of matrices: (sum_j q_ij) x_i - (q x)_i, q_ij = c_ij a_j. Squares are summed block by block, in the order of the rows. */
#include "learn/krr/feature_gradients.h"

#include <math.h>

#include "base/core/memory.h"
#include "math/elementary/elementary.h"
#include "math/gemm/gemm.h"

typedef struct slope_task {
    const kernel_machine *machine;
    const float *kernel;
    float *scratch; /* for each worker: c and q (GEMM_ROWS, rows), products (GEMM_ROWS, columns) */
    double *sums;   /* (blocks, columns) */
} slope_task;

/* c (rows) of row i. A row and its copies pull it nowhere. */
static void take_pull(const slope_task *task, size_t i, float *c) {
    const size_t rows = task->machine->of->rows;
    const float *kernel = task->kernel + i * rows;
    const bool gaussian = task->machine->kind == MACHINE_GAUSSIAN;
    for (size_t j = 0; j < rows; j++) {
        const double k = (double)kernel[j];
        const double pull = gaussian ? k : k > 0.0 ? k / -elementary_log(k) : 0.0;
        c[j] = j != i && k < 1.0 ? (float)pull : 0.0F;
    }
}

/* q (count, rows) and its sums (count) for an output. */
static void weigh_pulls(const slope_task *task, size_t count, size_t output, const float *c, float *q, double *totals) {
    const kernel_machine *machine = task->machine;
    const size_t rows = machine->of->rows;
    for (size_t i = 0; i < count; i++) {
        totals[i] = 0.0;
        for (size_t j = 0; j < rows; j++) {
            q[i * rows + j] = c[i * rows + j] * machine->weights[j * machine->outputs + output];
            totals[i] += (double)q[i * rows + j];
        }
    }
}

/* GEMM_ROWS rows from index * GEMM_ROWS on. */
static void slope_block(void *context, size_t index, size_t worker) {
    const slope_task *task = context;
    const machine_rows *of = task->machine->of;
    const size_t first = index * GEMM_ROWS, left = of->rows - first, count = left < GEMM_ROWS ? left : GEMM_ROWS;
    float *c = task->scratch + worker * GEMM_ROWS * (2 * of->rows + of->columns);
    float *q = c + GEMM_ROWS * of->rows, *products = q + GEMM_ROWS * of->rows;
    double totals[GEMM_ROWS], *sums = task->sums + index * of->columns;
    for (size_t i = 0; i < count; i++) {
        take_pull(task, first + i, c + i * of->rows);
    }
    for (size_t output = 0; output < task->machine->outputs; output++) {
        weigh_pulls(task, count, output, c, q, totals);
        gemm(&(gemm_call){.m = count,
                          .n = of->columns,
                          .k = of->rows,
                          .a = q,
                          .lda = of->rows,
                          .b = of->centres,
                          .ldb = of->columns,
                          .c = products,
                          .ldc = of->columns});
        for (size_t i = 0; i < count * of->columns; i++) {
            const size_t row = i / of->columns, column = i % of->columns;
            const double at = (double)of->centres[(first + row) * of->columns + column];
            const double slope = totals[row] * at - (double)products[i];
            sums[column] += slope * slope;
        }
    }
}

cnm_status machine_relevance(const kernel_machine *self, const float *kernel, thread_pool *pool, double *out,
                             cnm_error *err) {
    const machine_rows *of = self->of;
    const size_t blocks = (of->rows + GEMM_ROWS - 1) / GEMM_ROWS, columns = of->columns;
    slope_task task = {.machine = self, .kernel = kernel};
    cnm_status status = memory_take(&task.scratch, thread_pool_size(pool) * GEMM_ROWS,
                                    (2 * of->rows + columns) * sizeof *task.scratch, "slopes", err);
    status = status == CNM_OK ? memory_zeroed(&task.sums, blocks, columns * sizeof *task.sums, "slopes", err) : status;
    if (status == CNM_OK) {
        threads_for(pool, blocks, slope_block, &task);
    }
    for (size_t j = 0; status == CNM_OK && j < columns; j++) {
        out[j] = 0.0;
        for (size_t i = 0; i < blocks; i++) {
            out[j] += task.sums[i * columns + j];
        }
    }
    memory_free(task.sums);
    memory_free(task.scratch);
    return status;
}
