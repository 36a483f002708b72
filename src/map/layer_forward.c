/* Runs a map: forward over a block of rows, and the gradient of any number of rows. */
#include <string.h>

#include "map/layer.h"
#include "math/gemm/gemm.h"

enum {
    PHASE_TILE = 64, /* features in one task of the phases' gradient */
    LINE = 16,       /* floats: tiles of features begin and end with a cache line */
    TILE_LINES = 3   /* in the widest: a panel of a product on the widest vectors */
};

size_t layer_scratch_size(const layer *self) { return self->projection->scratch_size(self); }

/* Adds phase (columns), unless that is NULL, to p (rows, columns); rows are `stride` floats
 * apart. */
static void add_phase(const float *phase, size_t rows, size_t columns, float *p, size_t stride) {
    for (size_t row = 0; phase != NULL && row < rows; row++) {
        for (size_t i = 0; i < columns; i++) {
            p[row * stride + i] += phase[i];
        }
    }
}

/* Replaces z by scale * activation(z + phase), for some features of rows. */
static void activate_tile(const layer *self, feature_part part, size_t rows, float scale, float *z) {
    const activation_ops *activation = self->activation;
    const float *phase = self->phase == NULL ? NULL : self->phase + part.first;
    const size_t stride = self->features;
    if (phase != NULL && activation->phased_tile != NULL) {
        activation->phased_tile(rows, part.count, phase, scale, z, stride);
        return;
    }
    add_phase(phase, rows, part.count, z, stride);
    for (size_t row = 0; row < rows; row++) {
        float *values = z + row * stride;
        activation->value(values, part.count, values);
        for (size_t i = 0; scale != 1.0F && i < part.count; i++) {
            values[i] *= scale;
        }
    }
}

/* Returns the features of tile `tile` of `tiles`, which are as equal as whole cache lines can
 * be. */
static feature_part tile_of(size_t features, size_t tile, size_t tiles) {
    const size_t lines = (features + LINE - 1) / LINE;
    const size_t first = lines * tile / tiles * LINE, end = lines * (tile + 1) / tiles * LINE;
    return (feature_part){first, (end < features ? end : features) - first};
}

void layer_features(const layer *self, const rows_view *u, float scale, float *z, float *scratch) {
    const size_t k = self->features, tiles = (k + LINE * TILE_LINES - 1) / (LINE * TILE_LINES);
    const bool by_tiles = self->projection->forward_part != NULL && !rows_are_sparse(u) && u->rows > 1;
    if (!by_tiles) {
        self->projection->forward(self, u, z, scratch);
    }
    for (size_t tile = 0; tile < tiles; tile++) {
        const feature_part part = tile_of(k, tile, tiles);
        if (by_tiles) {
            const part_columns own = {.values = self->tensors[0].values + part.first,
                                      .count = part.count,
                                      .stride = k,
                                      .ahead = k - part.first - part.count};
            self->projection->forward_part(u, &own, z + part.first, k);
        }
        activate_tile(self, part, u->rows, scale, z + part.first);
    }
}

void layer_forward(const layer *self, const rows_view *u, float *z, float *slope, float *scratch) {
    const size_t k = self->features, count = u->rows * k, padding = (GEMM_ROWS - u->rows) * k;
    if (slope == NULL) {
        layer_features(self, u, 1.0F, z, scratch);
    } else {
        self->projection->forward(self, u, z, scratch);
        add_phase(self->phase, u->rows, k, z, k);
        self->activation->value_and_slope(z, count, z, slope);
        memset(slope + count, 0, padding * sizeof *slope);
    }
    memset(z + count, 0, padding * sizeof *z);
}

void layer_forward_part(const layer *self, const rows_view *u, size_t first, const part_columns *own, float *z,
                        float *slope) {
    const float *phase = self->phase == NULL ? NULL : self->phase + first;
    self->projection->forward_part(u, own, z, own->count);
    if (phase != NULL && self->activation->phased_rows != NULL) {
        self->activation->phased_rows(u->rows, own->count, phase, z, slope);
        return;
    }
    add_phase(phase, u->rows, own->count, z, own->count);
    self->activation->value_and_slope(z, u->rows * own->count, z, slope);
}

typedef struct phase_job {
    const float *g;  /* (rows, features) */
    float *gradient; /* (features) */
    size_t rows, features;
} phase_job;

/* Sums g over rows, in order and in double, into gradient[feature]. */
static void phase_tile(void *context, size_t index, size_t worker) {
    const phase_job *job = context;
    const size_t first = index * PHASE_TILE;
    const size_t width = job->features - first < PHASE_TILE ? job->features - first : PHASE_TILE;
    double sums[PHASE_TILE] = {0};
    (void)worker;
    for (size_t row = 0; row < job->rows; row++) {
        const float *g = job->g + row * job->features + first;
        for (size_t i = 0; i < width; i++) {
            sums[i] += (double)g[i];
        }
    }
    for (size_t i = 0; i < width; i++) {
        job->gradient[first + i] = (float)sums[i];
    }
}

void layer_gradient(const layer *self, const rows_view *u, const float *g, float *const gradients[LAYER_TENSORS],
                    float *phase_gradient, thread_pool *threads, float *work) {
    self->projection->gradient(self, u, g, gradients, threads, work);
    if (phase_gradient != NULL) {
        phase_job job = {g, phase_gradient, u->rows, self->features};
        threads_for(threads, self->features / PHASE_TILE + (self->features % PHASE_TILE != 0), phase_tile, &job);
    }
}

void layer_back(const layer *self, const float *g, size_t rows, float *out, float *scratch) {
    self->projection->back(self, g, rows, out, scratch);
}

size_t layer_gradient_work_size(const layer *self, size_t rows, size_t threads) {
    return self->projection->gradient_work_size(self, rows, threads);
}
