/* Computes the loss and its slopes in tiles of rows of the (rows, rows) matrices of kernels and
 * errors. */
#include "learn/fit/kernel_approximation_loss.h"

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "learn/dataset/distances.h"
#include "math/gemm/gemm.h"

enum { TILE = 64 };

/* Fills the rows of a tile in both matrices, and their sums. */
static void error_tile(void *context, size_t tile, size_t worker) {
    pair_loss *self = context;
    const size_t rows = self->u->rows, first = tile * TILE, k = self->features;
    const size_t count = rows - first < TILE ? rows - first : TILE;
    (void)worker;
    distance_kernels(self->u, self->squares, first, count, self->kernel, self->gamma, self->kernels + first * rows);
    gemm(&(gemm_call){.transpose_b = true,
                      .m = count,
                      .n = rows,
                      .k = k,
                      .a = self->z + first * k,
                      .lda = k,
                      .b = self->z,
                      .ldb = k,
                      .c = self->errors + first * rows,
                      .ldc = rows});
    for (size_t i = first; i < first + count; i++) {
        double squares = 0.0, kernels = 0.0, kernel_squares = 0.0;
        for (size_t j = 0; j < rows; j++) {
            const double value = i == j ? 0.0 : (double)self->kernels[i * rows + j];
            const double error = i == j ? 0.0 : value - self->scale * (double)self->errors[i * rows + j];
            self->errors[i * rows + j] = (float)error;
            squares += error * error;
            kernels += value;
            kernel_squares += value * value;
        }
        self->row_error[i] = squares;
        self->row_kernel[i] = kernels;
        self->row_kernel_squares[i] = kernel_squares;
    }
}

static void slope_tile(void *context, size_t tile, size_t worker) {
    pair_loss *self = context;
    const size_t rows = self->u->rows, first = tile * TILE, k = self->features;
    const size_t count = rows - first < TILE ? rows - first : TILE;
    const float factor = (float)(-4.0 * self->scale / ((double)rows * (double)(rows - 1)));
    (void)worker;
    gemm(&(gemm_call){.m = count,
                      .n = k,
                      .k = rows,
                      .a = self->errors + first * rows,
                      .lda = rows,
                      .b = self->z,
                      .ldb = k,
                      .c = self->slope + first * k,
                      .ldc = k});
    for (size_t i = first * k; i < (first + count) * k; i++) {
        self->slope[i] *= factor;
    }
}

static double sum(const double *values, size_t count) {
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        total += values[i];
    }
    return total;
}

double pair_loss_evaluate(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                          thread_pool *threads, float *slope) {
    pair_loss *self = context;
    const size_t tiles = (u->rows + TILE - 1) / TILE;
    self->u = u;
    self->z = z;
    self->features = features;
    self->scale = feature_scale * feature_scale;
    self->slope = slope;
    distance_squares(u, self->squares);
    threads_for(threads, tiles, error_tile, self);
    if (slope != NULL) {
        threads_for(threads, tiles, slope_tile, self);
    }
    return sum(self->row_error, u->rows) / ((double)u->rows * (double)(u->rows - 1));
}

double pair_loss_constant(const pair_loss *self, size_t rows) {
    const double pairs = (double)rows * (double)(rows - 1), mean = sum(self->row_kernel, rows) / pairs;
    return sum(self->row_kernel_squares, rows) / pairs - mean * mean;
}

cnm_status pair_loss_create(pair_loss *self, map_kernel kernel, double gamma, size_t rows, cnm_error *err) {
    *self = (pair_loss){.kernel = kernel, .gamma = gamma};
    TRY(memory_take(&self->errors, rows * rows, sizeof *self->errors, "pairs of rows", err));
    TRY(memory_take(&self->kernels, rows * rows, sizeof *self->kernels, "pairs of rows", err));
    TRY(memory_take(&self->row_error, 4 * rows, sizeof *self->row_error, "pairs of rows", err));
    self->row_kernel = self->row_error + rows;
    self->row_kernel_squares = self->row_kernel + rows;
    self->squares = self->row_kernel_squares + rows;
    return CNM_OK;
}

void pair_loss_free(pair_loss *self) {
    memory_free(self->errors);
    memory_free(self->kernels);
    memory_free(self->row_error);
}
