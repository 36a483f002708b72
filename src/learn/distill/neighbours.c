/* By the Gaussian kernel between rows, which products of matrices make: the nearer, the larger it is. */
#include "learn/distill/neighbours.h"

#include <math.h>

#include "base/core/memory.h"
#include "learn/krr/kernel_model.h"
#include "math/elementary/elementary.h"

typedef struct nearness_task {
    const float *kernel; /* (rows, rows); gamma: one over the mean square of the distance between rows */
    size_t rows;
    size_t *nearest;
    double *near; /* (rows) */
} nearness_task;

/* A row's own. In a kernel of floats rows that are much nearer than others cannot be told from copies. */
static void find_nearest(void *context, size_t row, size_t worker) {
    static const double COPY = 1e-5;
    const nearness_task *task = context;
    const float *kernel = task->kernel + row * task->rows;
    size_t *nearest = task->nearest + row * NEIGHBOURS;
    double values[NEIGHBOURS] = {0};
    (void)worker;
    for (size_t k = 0; k < NEIGHBOURS; k++) {
        nearest[k] = row;
    }
    for (size_t j = 0; j < task->rows; j++) {
        const double value = (double)kernel[j];
        size_t place = NEIGHBOURS;
        while (place > 0 && j != row && value < 1.0 - COPY && value > values[place - 1]) {
            place--;
        }
        for (size_t k = NEIGHBOURS - 1; k > place; k--) { /* the others make room; nothing where it is not among them */
            values[k] = values[k - 1];
            nearest[k] = nearest[k - 1];
        }
        if (place < NEIGHBOURS) {
            values[place] = value;
            nearest[place] = j;
        }
    }
    task->near[row] = values[0] > 0.0 ? sqrt(-elementary_log(values[0])) : 1.0;
}

static cnm_status find_all(neighbours *out, const machine_rows *rows, thread_pool *pool, cnm_error *err) {
    const size_t n = rows->rows;
    const double spread = machine_rows_spread(rows);
    float *kernel = NULL;
    double *near = NULL, sum = 0.0;
    cnm_status status = memory_take(&kernel, n, n * sizeof *kernel, "a kernel", err);
    status = status == CNM_OK ? memory_take(&near, n, sizeof *near, "distances", err) : status;
    if (status == CNM_OK) {
        const bool apart = spread > 0.0 && isfinite(spread);
        nearness_task task = {kernel, n, out->nearest, near};
        machine_kernel(rows, MACHINE_GAUSSIAN, apart ? 1.0 / spread : 0.0, pool, kernel);
        threads_for(pool, n, find_nearest, &task);
        for (size_t i = 0; i < n; i++) {
            sum += near[i];
        }
        out->near = fmin(sum / (double)n, 1.0);
    }
    memory_free(near);
    memory_free(kernel);
    return status;
}

cnm_status neighbours_find(neighbours *out, const training *of, cnm_error *err) {
    const size_t n = of->split.train_count;
    machine_rows rows = {0};
    *out = (neighbours){.near = 1.0};
    cnm_status status = machine_rows_create(&rows, of, of->problem.scaling.kind, of->split.train, n, err);
    status =
        status == CNM_OK ? memory_take(&out->nearest, n, NEIGHBOURS * sizeof *out->nearest, "neighbours", err) : status;
    if (status == CNM_OK) {
        thread_pool *pool = thread_pool_create((size_t)of->problem.settings->threads);
        status = find_all(out, &rows, pool, err);
        thread_pool_destroy(pool);
    }
    machine_rows_free(&rows);
    if (status != CNM_OK) {
        neighbours_free(out);
    }
    return status;
}

void neighbours_free(neighbours *self) {
    memory_free(self->nearest);
    *self = (neighbours){0};
}
