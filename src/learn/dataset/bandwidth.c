/* The k-nearest-neighbour distance in a sample of rows, by exact distances and selection. */
#include "learn/dataset/bandwidth.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "learn/dataset/distances.h"
#include "math/linalg/quickselect.h"

enum { SAMPLE = 1000, NEIGHBOUR = 50 };

typedef struct neighbour_search {
    const rows_view *rows; /* the prepared sample */
    bool absolute;         /* 1-norm instead of Euclidean */
    float *distances;      /* (workers, SAMPLE) scratch */
    double *nearest;       /* (sample): distance to the NEIGHBOUR-th */
    double *mean;          /* (sample): mean distance to all others */
} neighbour_search;

static void measure_row(void *context, size_t row, size_t worker) {
    const neighbour_search *self = context;
    const rows_view *rows = self->rows;
    float *distances = self->distances + worker * SAMPLE;
    size_t count = 0;
    double sum = 0.0;
    for (size_t other = 0; other < rows->rows; other++) {
        if (other != row) {
            const double distance = distance_rows(rows, row, other, self->absolute);
            distances[count++] = (float)distance;
            sum += distance;
        }
    }
    self->mean[row] = sum / (double)count;
    self->nearest[row] = (double)quickselect(distances, count, count < NEIGHBOUR ? count - 1 : NEIGHBOUR - 1);
}

static double mean_of(const double *values, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

static void fill_bandwidth(bandwidth *out, const neighbour_search *self, map_kernel kernel) {
    double sigma = mean_of(self->nearest, self->rows->rows);
    if (!(sigma > 0.0)) {
        sigma = mean_of(self->mean, self->rows->rows);
    }
    if (!(sigma > 0.0) || !isfinite(sigma)) {
        sigma = 1.0;
    }
    const double knn[] = {0.5 / (sigma * sigma), 1.0 / sigma, sqrt(0.5) / sigma};
    out->sigma = sigma;
    out->knn = knn[kernel];
    out->paper = kernel == KERNEL_GAUSSIAN ? 2.0 / (sigma * sigma) : out->knn;
}

/* Fills the block with the sampled rows: the first of a random order of all rows. */
static cnm_status sample_rows(const input_source *rows, uint64_t seed, size_t count, input_block *block,
                              cnm_error *err) {
    const random_stream stream = {seed, RANDOM_BANDWIDTH, 0};
    size_t *order;
    TRY(memory_take(&order, rows->rows.rows, sizeof *order, "a sample of rows", err));
    random_order(stream, rows->rows.rows, order);
    const cnm_status status = input_take(rows, order, 0, count, block, err);
    memory_free(order);
    return status;
}

cnm_status bandwidth_estimate(bandwidth *out, const input_source *rows, map_kernel kernel, uint64_t seed,
                              size_t threads, cnm_error *err) {
    const size_t count = rows->rows.rows < SAMPLE ? rows->rows.rows : SAMPLE;
    input_block block = {0};
    neighbour_search self = {.absolute = kernel == KERNEL_LAPLACIAN};
    *out = (bandwidth){1.0, 1.0, 1.0};
    if (count < 2) {
        return CNM_OK;
    }
    cnm_status status = CNM_OK;
    thread_pool *pool = thread_pool_create(threads);
    TRY_DONE(input_block_create(&block, rows, count, err));
    TRY_DONE(sample_rows(rows, seed, count, &block, err));
    TRY_DONE(memory_take(&self.distances, SAMPLE * thread_pool_size(pool), sizeof *self.distances, "distances", err));
    TRY_DONE(memory_take(&self.nearest, 2 * SAMPLE, sizeof *self.nearest, "distances", err));
    self.rows = &block.view;
    self.mean = self.nearest + SAMPLE;
    threads_for(pool, count, measure_row, &self);
    fill_bandwidth(out, &self, kernel);
done:
    thread_pool_destroy(pool);
    memory_free(self.distances);
    memory_free(self.nearest);
    input_block_free(&block);
    return status;
}
