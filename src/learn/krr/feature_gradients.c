/* The gradient at row i of an output with weights a is, up to the factor -2 gamma,
 *
 *   sum over rows j of c_ij a_j (x_i - x_j),   c = K, or for the exponential kernel K / r with
 *                                              r = -log K = sqrt(2 gamma) |x_i - x_j|
 *
 * which is a product of matrices: (sum_j q_ij) x_i - (q x)_i, q_ij = c_ij a_j. Squares are summed
 * block by block, in the order of the rows. */
#include "learn/krr/feature_gradients.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"
#include "math/gemm/gemm.h"

typedef struct gradient_task {
    const kernel_model *model;
    const float *kernel;
    float *scratch; /* of each worker: c and q (GEMM_ROWS, rows), products (GEMM_ROWS, columns) */
    double *sums;   /* (blocks, columns) */
} gradient_task;

/* Fills c (rows) of row i; 0 for the row itself and its copies. */
static void fill_factors(const gradient_task *self, size_t i, float *c) {
    const size_t rows = self->model->of->rows;
    const float *kernel = self->kernel + i * rows;
    const bool gaussian = self->model->kind == KRR_GAUSSIAN;
    for (size_t j = 0; j < rows; j++) {
        const double k = (double)kernel[j];
        const double factor = gaussian ? k : k > 0.0 ? k / -elementary_log(k) : 0.0;
        c[j] = j != i && k < 1.0 ? (float)factor : 0.0F;
    }
}

/* Fills q (count, rows) of an output and its sums over rows, totals (count). */
static void multiply_weights(const gradient_task *self, size_t count, size_t output, const float *c, float *q,
                             double *totals) {
    const kernel_model *model = self->model;
    const size_t rows = model->of->rows;
    for (size_t i = 0; i < count; i++) {
        totals[i] = 0.0;
        for (size_t j = 0; j < rows; j++) {
            q[i * rows + j] = c[i * rows + j] * model->weights[j * model->outputs + output];
            totals[i] += (double)q[i * rows + j];
        }
    }
}

/* Adds the squared gradients at GEMM_ROWS rows from index * GEMM_ROWS on. */
static void sum_block(void *context, size_t index, size_t worker) {
    const gradient_task *self = context;
    const kernel_rows *of = self->model->of;
    const size_t first = index * GEMM_ROWS, left = of->rows - first, count = left < GEMM_ROWS ? left : GEMM_ROWS;
    float *c = self->scratch + worker * GEMM_ROWS * (2 * of->rows + of->columns);
    float *q = c + GEMM_ROWS * of->rows, *products = q + GEMM_ROWS * of->rows;
    double totals[GEMM_ROWS], *sums = self->sums + index * of->columns;
    for (size_t i = 0; i < count; i++) {
        fill_factors(self, first + i, c + i * of->rows);
    }
    for (size_t output = 0; output < self->model->outputs; output++) {
        multiply_weights(self, count, output, c, q, totals);
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
            const double gradient = totals[row] * at - (double)products[i];
            sums[column] += gradient * gradient;
        }
    }
}

cnm_status feature_gradients(const kernel_model *self, const float *kernel, thread_pool *pool, double *out,
                             cnm_error *err) {
    const kernel_rows *of = self->of;
    const size_t blocks = (of->rows + GEMM_ROWS - 1) / GEMM_ROWS, columns = of->columns;
    gradient_task task = {.model = self, .kernel = kernel};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&task.scratch, thread_pool_size(pool) * GEMM_ROWS,
                         (2 * of->rows + columns) * sizeof *task.scratch, "gradients", err));
    TRY_DONE(memory_zeroed(&task.sums, blocks, columns * sizeof *task.sums, "gradients", err));
    threads_for(pool, blocks, sum_block, &task);
    for (size_t j = 0; j < columns; j++) {
        out[j] = 0.0;
        for (size_t i = 0; i < blocks; i++) {
            out[j] += task.sums[i * columns + j];
        }
    }
done:
    memory_free(task.sums);
    memory_free(task.scratch);
    return status;
}
