/* Compares rows by the Gaussian kernel, which matrix products compute: it is the larger the nearer
 * they are. */
#include "learn/distill/neighbours.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/krr/kernel_model.h"
#include "math/elementary/elementary.h"

typedef struct nearness_task {
    const float *kernel; /* (rows, rows); gamma is 1 / mean squared distance */
    size_t rows;
    size_t *nearest;
    double *near; /* (rows) */
} nearness_task;

/* Finds the neighbours of one row. In single precision, rows that are much nearer than others count
 * as copies. */
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
        size_t at = NEIGHBOURS;
        while (at > 0 && j != row && value < 1.0 - COPY && value > values[at - 1]) {
            at--;
        }
        for (size_t k = NEIGHBOURS - 1; k > at; k--) {
            values[k] = values[k - 1];
            nearest[k] = nearest[k - 1];
        }
        if (at < NEIGHBOURS) {
            values[at] = value;
            nearest[at] = j;
        }
    }
    task->near[row] = values[0] > 0.0 ? sqrt(-elementary_log(values[0])) : 1.0;
}

static cnm_status find_all(neighbours *out, const kernel_rows *rows, thread_pool *pool, cnm_error *err) {
    const size_t n = rows->rows;
    const double spread = kernel_rows_spread(rows);
    const bool apart = spread > 0.0 && isfinite(spread);
    float *kernel = NULL;
    double *near = NULL, sum = 0.0;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&kernel, n, n * sizeof *kernel, "a kernel", err));
    TRY_DONE(memory_take(&near, n, sizeof *near, "distances", err));
    nearness_task task = {kernel, n, out->nearest, near};
    kernel_matrix_fill(rows, KRR_GAUSSIAN, apart ? 1.0 / spread : 0.0, pool, kernel);
    threads_for(pool, n, find_nearest, &task);
    for (size_t i = 0; i < n; i++) {
        sum += near[i];
    }
    out->near = fmin(sum / (double)n, 1.0);
done:
    memory_free(near);
    memory_free(kernel);
    return status;
}

cnm_status neighbours_find(neighbours *out, const fit_session *of, cnm_error *err) {
    const size_t n = of->split.train_count;
    const krr_source from = {of->data, &of->scaled->scaling, &of->source};
    kernel_rows rows = {0};
    cnm_status status = CNM_OK;
    *out = (neighbours){.near = 1.0};
    TRY_DONE(kernel_rows_create(&rows, &from, of->scaled->scaling.kind, of->split.train, n, err));
    TRY_DONE(memory_take(&out->nearest, n, NEIGHBOURS * sizeof *out->nearest, "neighbours", err));
    thread_pool *pool = thread_pool_create((size_t)of->data->settings->threads);
    status = find_all(out, &rows, pool, err);
    thread_pool_destroy(pool);
done:
    kernel_rows_free(&rows);
    if (status != CNM_OK) {
        neighbours_free(out);
    }
    return status;
}

void neighbours_free(neighbours *self) {
    memory_free(self->nearest);
    *self = (neighbours){0};
}
