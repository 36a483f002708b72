/* One kernel machine of some rows, in deviations, says of each what it would have said without it: A = K + 1 + lambda I, a = A^-1 y, and row i is off by
 * a_i / (A^-1)_ii, as in ridge.c. The exponential kernel is wide, so that the machine follows straight lines and neighbours alike. Its share of the
 * variance that is foretold, rows left out, is 0.09 to 0.99 on real tails and below 0.02 where a few targets are made up. */
#include "learn/tails.h"

#include <math.h>

#include "base/memory.h"
#include "learn/machine.h"
#include "learn/split_copies.h"
#include "math/cholesky.h"

enum { MOST_ROWS = 1000, LEAST_ROWS = 20, MOST_COLUMNS = 1024 };

static const double WIDTH = 0.03, PENALTY = 0.1, ENOUGH = 0.05;

typedef struct tail_rows {
    machine_rows rows;
    double *targets;  /* (rows) of mean 0 */
    double *weights;  /* (rows) */
    double *diagonal; /* (rows) of the inverse */
    float *kernel;    /* (rows, rows) */
    double *factor;   /* (rows, rows) */
} tail_rows;

static void free_rows(tail_rows *self) {
    machine_rows_free(&self->rows);
    memory_free(self->targets);
    memory_free(self->weights);
    memory_free(self->diagonal);
    memory_free(self->kernel);
    memory_free(self->factor);
}

static cnm_status take_memory(tail_rows *self, size_t rows, size_t columns, cnm_error *err) {
    *self = (tail_rows){.rows = {.rows = rows, .columns = columns}};
    cnm_status status = memory_take(&self->rows.centres, rows, columns * sizeof(float), "rows", err);
    status = status == CNM_OK ? memory_zeroed(&self->rows.squares, rows, sizeof(float), "rows", err) : status;
    status = status == CNM_OK ? memory_take(&self->targets, rows, sizeof(double), "targets", err) : status;
    status = status == CNM_OK ? memory_take(&self->weights, rows, sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&self->diagonal, rows, sizeof(double), "weights", err) : status;
    status = status == CNM_OK ? memory_take(&self->kernel, rows, rows * sizeof(float), "a kernel", err) : status;
    return status == CNM_OK ? memory_take(&self->factor, rows, rows * sizeof(double), "a kernel", err) : status;
}

/* Every column gets mean 0 and deviation 1, or is 0. */
static void standardise(machine_rows *self) {
    const size_t n = self->rows, d = self->columns;
    for (size_t j = 0; j < d; j++) {
        double mean = 0.0, square = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += (double)self->centres[i * d + j] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            square += pow((double)self->centres[i * d + j] - mean, 2.0) / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            float *cell = &self->centres[i * d + j];
            *cell = square > 0.0 ? (float)(((double)*cell - mean) / sqrt(square)) : 0.0F;
            self->squares[i] += *cell * *cell;
        }
    }
}

/* Weights and what they need. False where rounding leaves no factor. */
static bool solve(tail_rows *self, thread_pool *pool) {
    const size_t n = self->rows.rows;
    machine_kernel(&self->rows, MACHINE_EXPONENTIAL, WIDTH / machine_rows_spread(&self->rows), pool, self->kernel);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            self->factor[i * n + j] = (double)self->kernel[i * n + j] + 1.0 + (i == j ? PENALTY : 0.0);
        }
        self->weights[i] = self->targets[i];
    }
    if (!cholesky_factor(self->factor, n, pool)) {
        return false;
    }
    cholesky_solve_lower(self->factor, n, self->weights, 1);
    cholesky_solve_upper(self->factor, n, self->weights, 1);
    return true;
}

static cnm_status judge(tail_rows *self, thread_pool *pool, bool *out, cnm_error *err) {
    const double spread = machine_rows_spread(&self->rows);
    double off = 0.0, all = 0.0;
    if (!(spread > 0.0 && isfinite(spread)) || !solve(self, pool)) {
        return CNM_OK;
    }
    const cnm_status status = cholesky_inverse_diagonal(self->factor, self->rows.rows, pool, self->diagonal, err);
    for (size_t i = 0; status == CNM_OK && i < self->rows.rows; i++) {
        off += pow(self->weights[i] / self->diagonal[i], 2.0);
        all += self->targets[i] * self->targets[i];
    }
    *out = status == CNM_OK && off < (1.0 - ENOUGH) * all;
    return status;
}

/* positions (count): some of these rows. */
static cnm_status ask_rows(const problem *task, const double *targets, size_t *positions, size_t count, bool *out,
                           cnm_error *err) {
    const size_t rows = count < MOST_ROWS ? count : MOST_ROWS;
    tail_rows some;
    double mean = 0.0;
    cnm_status status = take_memory(&some, rows, task->rows.columns, err);
    if (status == CNM_OK) {
        thread_pool *pool = thread_pool_create((size_t)task->settings->threads);
        for (size_t i = 0; i < rows; i++) {
            positions[i] = positions[i * count / rows];
            mean += targets[positions[i]] / (double)rows;
        }
        for (size_t i = 0; i < rows; i++) {
            some.targets[i] = targets[positions[i]] - mean;
        }
        rows_gather(task->rows, positions, rows, some.rows.centres);
        standardise(&some.rows);
        status = judge(&some, pool, out, err);
        thread_pool_destroy(pool);
    }
    free_rows(&some);
    return status;
}

cnm_status tails_are_foretold(const problem *task, const double *targets, bool *out, cnm_error *err) {
    const size_t rows = task->rows.rows;
    size_t *positions = NULL, count = 0;
    *out = false;
    if (task->rows.columns > MOST_COLUMNS) {
        return CNM_OK;
    }
    cnm_status status = memory_take(&positions, 2 * rows, sizeof *positions, "rows", err);
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        positions[rows + i] = i;
    }
    status = status == CNM_OK ? positions_without_copies(task, positions + rows, rows, false, positions, &count, err)
                              : status;
    if (status == CNM_OK && count >= LEAST_ROWS) {
        status = ask_rows(task, targets, positions, count, out, err);
    }
    memory_free(positions);
    return status;
}
