/* With K = L L^T, the rows of L are features whose products are the kernel: weights w for them are found as for any features, and
 * weights for the kernel itself are L^-T w. The kernel is taken times JOINT_GAIN^2, as a map's features are times JOINT_GAIN, so
 * that a penalty means the same. */
#include "learn/machine.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "learn/solve.h"
#include "learn/solver.h"
#include "math/cholesky.h"
#include "math/exponential.h"
#include "math/gemm.h"

enum { MOST_ROWS = 2000, MOST_CELLS = 1 << 23 };

bool machine_can_be_found(const training *self) {
    const settings *wanted = self->problem.settings;
    const rows_view *rows = &self->problem.rows;
    return head_can_be_solved(self) && strcmp(self->spec.projection, "dense") == 0 &&
           strcmp(self->spec.activation, "cos") == 0 && self->spec.kernel == KERNEL_GAUSSIAN && self->spec.phases &&
           wanted->validation == 0.0 && wanted->prune == 0.0 && self->problem.hint == NULL && !rows_are_sparse(rows) &&
           rows->rows <= MOST_ROWS && rows->columns <= MOST_CELLS / MOST_ROWS;
}

/* The kernel, its factor, the features' products with each other, their factor, and two passes and two solutions a round. */
double machine_steps(const training *self) {
    const double rows = 0.8 * (double)self->problem.rows.rows, outputs = (double)self->problem.outputs; /* of a fold */
    const double columns = (double)self->problem.rows.columns, features = (double)self->spec.features;
    const double step = (double)self->recipe.batch * features * (2.0 * columns + 3.0 * outputs);
    return rows * rows * (columns + 0.9 * rows + 3.0 * SOLVER_ROUNDS * outputs) / step;
}

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

/* values (rows of the machine), products of x with its centres, become kernel values times JOINT_GAIN^2. */
static void turn_into_kernel(const kernel_machine *self, double square, float *values) {
    static const double GAIN = JOINT_GAIN * JOINT_GAIN, LEAST = -80.0;
    double exponents[RUN], powers[RUN];
    for (size_t first = 0; first < self->rows; first += RUN) {
        const size_t count = self->rows - first < RUN ? self->rows - first : RUN;
        for (size_t i = 0; i < count; i++) {
            const double distance = square + (double)self->squares[first + i] - 2.0 * (double)values[first + i];
            exponents[i] = fmax(-self->gamma * fmax(distance, 0.0), 2.0 * LEAST); /* no infinity: it would be NaN */
        }
        exp_array(exponents, count, LEAST, powers);
        for (size_t i = 0; i < count; i++) {
            values[first + i] = (float)(GAIN * powers[i]);
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

cnm_status machine_scores_at(const kernel_machine *self, const training *of, const size_t *positions, size_t count,
                             float *scores, cnm_error *err) {
    float *rows = NULL;
    cnm_status status = memory_take(&rows, count, self->columns * sizeof *rows, "rows", err);
    if (status == CNM_OK) {
        input_take_dense(&of->source, positions, 0, 0, count, rows);
        status = machine_scores(self, rows, count, (size_t)of->problem.settings->threads, scores, err);
    }
    memory_free(rows);
    return status;
}

/* ---- Its weights ---- */

/* factor (rows, rows) = L of the kernel between centres, and a little beside it on the diagonal: what rounding took. */
static cnm_status take_factor(const kernel_machine *self, thread_pool *pool, double *factor, cnm_error *err) {
    enum { TRIES = 6 };
    const size_t n = self->rows;
    float *kernel = NULL;
    const cnm_status status = memory_take(&kernel, n, n * sizeof *kernel, "a kernel", err);
    if (status != CNM_OK) {
        return status;
    }
    run_kernel(&(kernel_task){.of = self, .rows = self->centres, .count = n, .kernel = kernel}, pool);
    bool sound = false;
    double more = 1e-5 * JOINT_GAIN * JOINT_GAIN;
    for (int tries = 0; tries < TRIES && !sound; tries++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++) {
                factor[i * n + j] = (double)kernel[i * n + j];
            }
            factor[i * n + i] = JOINT_GAIN * JOINT_GAIN + more;
        }
        sound = cholesky_factor(factor, n);
        more *= 10.0;
    }
    memory_free(kernel);
    return sound ? CNM_OK : error_set(err, CNM_BAD_DATA, "the kernel between rows is out of the range of numbers");
}

/* weights and offset, from L. */
static cnm_status take_weights(kernel_machine *self, const training *of, const train_plan *plan, const double *factor,
                               cnm_error *err) {
    const size_t n = self->rows, outputs = self->outputs;
    float *z = NULL, *found = NULL;
    double *weights = NULL;
    cnm_status status = memory_zeroed(&z, n, (n + 1) * sizeof *z, "features", err);
    status = status == CNM_OK ? memory_take(&found, n + 1, outputs * sizeof *found, "weights", err) : status;
    status = status == CNM_OK ? memory_take(&weights, n, outputs * sizeof *weights, "weights", err) : status;
    for (size_t i = 0; status == CNM_OK && i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            z[i * (n + 1) + j] = (float)factor[i * n + j];
        }
        z[i * (n + 1) + n] = 1.0F;
    }
    status = status == CNM_OK ? solver_run(of, plan, z, n, found, err) : status;
    if (status == CNM_OK) {
        for (size_t i = 0; i < n * outputs; i++) {
            weights[i] = (double)found[i];
        }
        cholesky_solve_upper(factor, n, weights, outputs);
        for (size_t i = 0; i < n * outputs; i++) {
            self->weights[i] = (float)weights[i];
        }
        memcpy(self->offset, found + n * outputs, outputs * sizeof *self->offset);
    }
    memory_free(weights);
    memory_free(found);
    memory_free(z);
    return status;
}

static cnm_status take_arrays(kernel_machine *self, cnm_error *err) {
    cnm_status status = memory_take(&self->centres, self->rows, self->columns * sizeof(float), "rows", err);
    status = status == CNM_OK ? memory_take(&self->squares, self->rows, sizeof(float), "rows", err) : status;
    status = status == CNM_OK ? memory_take(&self->weights, self->rows, self->outputs * sizeof(float), "weights", err)
                              : status;
    return status == CNM_OK ? memory_take(&self->offset, self->outputs, sizeof(float), "weights", err) : status;
}

cnm_status machine_find(kernel_machine *out, const training *self, double gamma, const train_plan *plan,
                        cnm_error *err) {
    const size_t rows = self->split.train_count;
    double *factor = NULL;
    *out = (kernel_machine){
        .rows = rows, .columns = self->problem.rows.columns, .outputs = self->problem.outputs, .gamma = gamma};
    cnm_status status = take_arrays(out, err);
    status = status == CNM_OK ? memory_take(&factor, rows, rows * sizeof *factor, "a kernel", err) : status;
    if (status == CNM_OK) {
        thread_pool *pool = thread_pool_create((size_t)self->problem.settings->threads);
        input_take_dense(&self->source, self->split.train, 0, 0, rows, out->centres);
        for (size_t i = 0; i < rows; i++) {
            out->squares[i] = square_of(out->centres + i * out->columns, out->columns);
        }
        status = take_factor(out, pool, factor, err);
        thread_pool_destroy(pool);
    }
    status = status == CNM_OK ? take_weights(out, self, plan, factor, err) : status;
    memory_free(factor);
    if (status != CNM_OK) {
        machine_free(out);
    }
    return status;
}

void machine_free(kernel_machine *self) {
    memory_free(self->centres);
    memory_free(self->squares);
    memory_free(self->weights);
    memory_free(self->offset);
    *self = (kernel_machine){0};
}
