/* The identity projection: features are the columns, nothing is drawn or learned. With it the
 * linear model is a map like any other. It has no scale_columns: a linear head absorbs the scales
 * of its inputs. */
#include <string.h>

#include "base/core/error.h"
#include "map/projections/projections.h"

static size_t describe(size_t columns, size_t features, layer_tensor tensors[LAYER_TENSORS]) {
    (void)columns, (void)features, (void)tensors;
    return 0;
}

static cnm_status create(layer *self, cnm_error *err) {
    if (self->columns != self->features) {
        return error_set(err, CNM_BAD_ARGUMENT, "an identity map of %zu columns has as many features, not %zu",
                         self->columns, self->features);
    }
    return CNM_OK;
}

static cnm_status draw(layer *self, const layer_spec *spec, cnm_error *err) {
    (void)self, (void)spec, (void)err;
    return CNM_OK;
}

static void forward(const layer *self, const rows_view *u, float *out, float *scratch) {
    (void)self, (void)scratch;
    rows_gather(*u, NULL, u->rows, out);
}

static size_t no_scratch(const layer *self) {
    (void)self;
    return 0;
}

static void gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                     thread_pool *threads, float *work) {
    (void)self, (void)u, (void)g, (void)gradients, (void)threads, (void)work;
}

static size_t no_work(const layer *self, size_t rows, size_t threads) {
    (void)self, (void)rows, (void)threads;
    return 0;
}

static cnm_status to_dense(const layer *self, float *theta, cnm_error *err) {
    (void)err;
    memset(theta, 0, self->columns * self->features * sizeof *theta);
    for (size_t j = 0; j < self->columns; j++) {
        theta[j * self->features + j] = 1;
    }
    return CNM_OK;
}

const projection_ops PROJECTION_IDENTITY = {
    .name = "identity",
    .help = "features are the columns",
    .identity = true,
    .sparse = true,
    .describe = describe,
    .create = create,
    .draw = draw,
    .forward = forward,
    .scratch_size = no_scratch,
    .gradient = gradient,
    .gradient_work_size = no_work,
    .to_dense = to_dense,
};
