/* A projection that gives each feature one column: p_j = w_j u_{j mod d}, w learned.
 *
 * An example of a projection: this file, and ROW(TEST) in PROJECTION_LIST
 * (map/projections/projections.h). The word of --projection, the arrays of model files and
 * checkpoints and ONNX files follow from the two; the export as C refuses a projection that has no
 * row of its own (model/export/c/export_c.h).
 *
 * Functions of projection_ops that are absent here: create, destroy and refresh (there is no
 * state), forward_part and gradient_part (a feature has no column of theta).
 *
 * Gradient: d loss / d w_j = sum over rows of g_j u_{j mod d}. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "map/kernels.h"
#include "map/projections/projections.h"

enum { TILE = 64 }; /* features in one task of the gradient */

/* Describes a tensor of whole rows of d columns, so that a scale of input column j is one of its
 * column j. Entries behind the last feature are never read, and their gradient is 0. */
static size_t describe(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]) {
    tensors[0] = (layer_tensor){.name = "column_weights",
                                .rows = features / columns + (features % columns != 0),
                                .columns = columns,
                                .learned = true,
                                .step_scale = 1.0,
                                .rate_scale = 1.0};
    return 1;
}

/* Draws w_j as variate j of one stream: maps of different k share their first features. */
static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    const layer_tensor *w = &self->tensors[0];
    TRY(kernel_check(spec->kernel, spec->gamma, err));
    if (spec->init == INIT_ORTHOGONAL) {
        return error_set(err, CNM_UNSUPPORTED, "--init orthogonal needs --projection dense, not %s", spec->projection);
    }
    kernel_draw(spec->kernel, spec->gamma, (random_stream){spec->seed, RANDOM_THETA, 0}, 0, w->rows * w->columns,
                w->values);
    return CNM_OK;
}

/* The trait `sparse` is not set: rows are dense. */
static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    const float *w = self->tensors[0].values;
    (void)scratch;
    for (size_t i = 0; i < u->rows; i++) {
        for (size_t j = 0; j < self->features; j++) {
            out[i * self->features + j] = w[j] * u->values[i * u->stride + j % self->columns];
        }
    }
}

static size_t scratch_size(const layer *self) {
    (void)self;
    return 0;
}

typedef struct gradient_job {
    const layer *map;
    const rows_view *u;
    const float *g;  /* (rows, features) */
    float *gradient; /* of the tensor */
} gradient_job;

/* Sums over rows in their order: the same bits for any number of threads. */
static void gradient_tile(void *context, size_t index, size_t worker) {
    const gradient_job *job = context;
    const size_t d = job->map->columns, k = job->map->features, end = (index + 1) * TILE;
    (void)worker;
    for (size_t j = index * TILE; j < k && j < end; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < job->u->rows; i++) {
            sum += (double)job->g[i * k + j] * (double)job->u->values[i * job->u->stride + j % d];
        }
        job->gradient[j] = (float)sum;
    }
}

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    const layer_tensor *w = &self->tensors[0];
    gradient_job job = {self, u, g, gradients[0]};
    (void)work;
    if (job.gradient != NULL) {
        memset(job.gradient, 0, w->rows * w->columns * sizeof *job.gradient);
        threads_for(threads, self->features / TILE + (self->features % TILE != 0), gradient_tile, &job);
    }
}

static size_t gradient_work_size(const layer *self, size_t rows, size_t threads) {
    (void)self, (void)rows, (void)threads;
    return 0;
}

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    const size_t d = self->columns, k = self->features;
    (void)err;
    memset(theta, 0, d * k * sizeof *theta);
    for (size_t j = 0; j < k; j++) {
        theta[j % d * k + j] = self->tensors[0].values[j];
    }
    return CNM_OK;
}

static cnm_status scale_columns(layer *self, const double *factor, cnm_error *err) {
    return scale_tensor(&self->tensors[0], factor, 0, 1, err);
}

static cnm_status adopt(layer *self, const layer *smaller, cnm_error *err) {
    (void)err;
    memcpy(self->tensors[0].values, smaller->tensors[0].values, smaller->features * sizeof(float));
    return CNM_OK;
}

const projection_ops PROJECTION_TEST = {
    .name = "test-columns",
    .help = "for tests: each feature is a multiple of one column",
    .describe = describe,
    .draw = draw,
    .forward = forward,
    .scratch_size = scratch_size,
    .gradient = gradient,
    .gradient_work_size = gradient_work_size,
    .to_dense = to_dense,
    .scale_columns = scale_columns,
    .adopt = adopt,
};
