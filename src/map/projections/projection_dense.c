/* The dense projection: p (rows, k) = u (rows, d) theta (d, k), every entry of theta free.
 *
 * Gradient: d loss / d theta (d, k) = u^T g. It is tiled over theta, each tile summing the rows in
 * order, so that its bits do not depend on the number of threads. */
#include "math/elementary/contraction.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "base/threads/threads.h"
#include "map/kernels.h"
#include "map/orthogonal.h"
#include "map/projections/projections.h"
#include "math/gemm/gemm.h"

enum {
    DRAW_FEATURES = 16, /* drawn together, so that theta is written in whole cache lines */
    TILE_COLUMNS = 64,  /* of theta, in one task of the gradient */
    TILE_FEATURES = 512,
    TILE_SPARSE = 64, /* features in one task of the gradient of sparse rows */
};

static size_t describe(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]) {
    tensors[0] = (layer_tensor){
        .name = "theta", .rows = columns, .columns = features, .learned = true, .step_scale = 1.0, .rate_scale = 1.0};
    return 1;
}

/* Draws entry (column, feature) as variate number `column` of stream part `feature`: maps of
 * different k share their first features, maps of different d their first columns. */
static cnm_status draw_independent(layer *self, const layer_spec *spec, cnm_error *err) {
    const size_t d = self->columns, k = self->features;
    float *strip, *theta = self->tensors[0].values; /* strip (DRAW_FEATURES, d) */
    size_t size;
    if (!size_multiply(d, DRAW_FEATURES, &size)) {
        size = SIZE_MAX; /* memory_take refuses it with its message */
    }
    TRY(memory_take(&strip, size, sizeof *strip, "drawing theta", err));
    for (size_t first = 0; first < k; first += DRAW_FEATURES) {
        const size_t width = k - first < DRAW_FEATURES ? k - first : DRAW_FEATURES;
        for (size_t i = 0; i < width; i++) {
            const random_stream stream = {spec->seed, RANDOM_THETA, (uint32_t)(first + i)};
            kernel_draw(spec->kernel, spec->gamma, stream, 0, d, strip + i * d);
        }
        for (size_t j = 0; j < d; j++) {
            for (size_t i = 0; i < width; i++) {
                theta[j * k + first + i] = strip[i * d + j];
            }
        }
    }
    memory_free(strip);
    return CNM_OK;
}

static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    TRY(kernel_check(spec->kernel, spec->gamma, err));
    if (spec->init == INIT_RANDOM) {
        return draw_independent(self, spec, err);
    }
    if (spec->kernel != KERNEL_GAUSSIAN) {
        return error_set(err, CNM_UNSUPPORTED, "--init orthogonal needs --kernel gaussian, not %s",
                         kernel_name(spec->kernel));
    }
    return orthogonal_draw(self->columns, self->features, spec->gamma, spec->seed, self->tensors[0].values, err);
}

/* Adds factor * source (count) to target (count). */
static void add_multiple(float *restrict target, float factor, const float *restrict source, size_t count) {
    for (size_t i = 0; i < count; i++) {
        target[i] += factor * source[i];
    }
}

static void forward_sparse(const layer *self, const rows_view *u, float *out) {
    const size_t k = self->features;
    const float *theta = self->tensors[0].values;
    memset(out, 0, u->rows * k * sizeof *out);
    for (size_t row = 0; row < u->rows; row++) {
        for (size_t at = u->starts[row]; at < u->starts[row + 1]; at++) {
            add_multiple(out + row * k, u->values[at], theta + u->index[at] * k, k);
        }
    }
}

static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    (void)scratch;
    if (rows_are_sparse(u)) {
        forward_sparse(self, u, out);
        return;
    }
    gemm(&(gemm_call){.m = u->rows,
                      .n = self->features,
                      .k = self->columns,
                      .a = u->values,
                      .lda = u->stride,
                      .b = self->tensors[0].values,
                      .ldb = self->features,
                      .c = out,
                      .ldc = self->features});
}

static size_t no_scratch(const layer *self) {
    (void)self;
    return 0;
}

/* What the tasks of one gradient share. */
typedef struct gradient_job {
    const rows_view *u;
    const float *g;  /* (rows, features) */
    float *gradient; /* (columns, features) */
    size_t features, feature_tiles;
} gradient_job;

static void gradient_tile(void *context, size_t index, size_t worker) {
    const gradient_job *job = context;
    const rows_view *u = job->u;
    const size_t column = index / job->feature_tiles * TILE_COLUMNS, k = job->features;
    const size_t feature = index % job->feature_tiles * TILE_FEATURES;
    (void)worker;
    gemm(&(gemm_call){.transpose_a = true,
                      .m = u->columns - column < TILE_COLUMNS ? u->columns - column : TILE_COLUMNS,
                      .n = k - feature < TILE_FEATURES ? k - feature : TILE_FEATURES,
                      .k = u->rows,
                      .a = u->values + column,
                      .lda = u->stride,
                      .b = job->g + feature,
                      .ldb = k,
                      .c = job->gradient + column * k + feature,
                      .ldc = k});
}

static void gradient_tile_sparse(void *context, size_t index, size_t worker) {
    const gradient_job *job = context;
    const rows_view *u = job->u;
    const size_t feature = index * TILE_SPARSE, k = job->features;
    const size_t width = k - feature < TILE_SPARSE ? k - feature : TILE_SPARSE;
    (void)worker;
    for (size_t j = 0; j < u->columns; j++) {
        memset(job->gradient + j * k + feature, 0, width * sizeof *job->gradient);
    }
    for (size_t row = 0; row < u->rows; row++) {
        const float *g = job->g + row * k + feature;
        for (size_t at = u->starts[row]; at < u->starts[row + 1]; at++) {
            add_multiple(job->gradient + u->index[at] * k + feature, u->values[at], g, width);
        }
    }
}

static size_t tiles(size_t count, size_t tile) { return count / tile + (count % tile != 0); }

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    const size_t d = self->columns, k = self->features;
    gradient_job job = {u, g, gradients[0], k, tiles(k, TILE_FEATURES)};
    (void)work;
    if (job.gradient == NULL) {
        return;
    }
    if (u->rows == 0) {
        memset(job.gradient, 0, d * k * sizeof *job.gradient);
    } else if (rows_are_sparse(u)) {
        threads_for(threads, tiles(k, TILE_SPARSE), gradient_tile_sparse, &job);
    } else {
        threads_for(threads, tiles(d, TILE_COLUMNS) * job.feature_tiles, gradient_tile, &job);
    }
}

static size_t no_work(const layer *self, size_t rows, size_t threads) {
    (void)self, (void)rows, (void)threads;
    return 0;
}

static void forward_part(const rows_view *u, const part_columns *own, float *out, size_t out_stride) {
    gemm(&(gemm_call){.m = u->rows,
                      .n = own->count,
                      .k = u->columns,
                      .a = u->values,
                      .lda = u->stride,
                      .b = own->values,
                      .ldb = own->stride,
                      .c = out,
                      .ldc = out_stride,
                      .ahead = own->ahead,
                      .far = own->far});
}

static void gradient_part(const rows_view *u, const float *g, size_t count, size_t column, size_t columns, float *out) {
    gemm(&(gemm_call){.transpose_a = true,
                      .m = columns,
                      .n = count,
                      .k = u->rows,
                      .a = u->values + column,
                      .lda = u->stride,
                      .b = g,
                      .ldb = count,
                      .c = out,
                      .ldc = count});
}

static void back(const layer *self, const float *g, size_t rows, float *out, float *scratch) {
    (void)scratch;
    gemm(&(gemm_call){.transpose_b = true,
                      .m = rows,
                      .n = self->columns,
                      .k = self->features,
                      .a = g,
                      .lda = self->features,
                      .b = self->tensors[0].values,
                      .ldb = self->features,
                      .c = out,
                      .ldc = self->columns});
}

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    (void)err;
    memcpy(theta, self->tensors[0].values, self->columns * self->features * sizeof *theta);
    return CNM_OK;
}

static cnm_status scale_columns(layer *self, const double *factor, cnm_error *err) {
    return scale_tensor(&self->tensors[0], factor, 1, 0, err);
}

static cnm_status adopt(layer *self, const layer *smaller, cnm_error *err) {
    (void)err;
    for (size_t j = 0; j < self->columns; j++) {
        memcpy(self->tensors[0].values + j * self->features, smaller->tensors[0].values + j * smaller->features,
               smaller->features * sizeof(float));
    }
    return CNM_OK;
}

const projection_ops PROJECTION_DENSE = {
    .name = "dense",
    .help = "every entry of theta is free: O(k d) time and memory",
    .own_parameters = true,
    .sparse = true,
    .orthogonal = true,
    .describe = describe,
    .draw = draw,
    .forward = forward,
    .scratch_size = no_scratch,
    .gradient = gradient,
    .gradient_work_size = no_work,
    .forward_part = forward_part,
    .gradient_part = gradient_part,
    .back = back,
    .to_dense = to_dense,
    .scale_columns = scale_columns,
    .adopt = adopt,
};
