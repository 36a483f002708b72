/* Running a map: forward over one block of rows, and the gradient of any number of rows. */
#include <string.h>

#include "map/map.h"
#include "math/gemm.h"

enum { PHASE_TILE = 64 }; /* features in one task of the phases' gradient */

size_t map_scratch_size(const map *self) { return self->projection->scratch_size(self); }

void map_forward(const map *self, const rows_view *u, float *z, float *slope, float *scratch) {
    const size_t k = self->features, count = u->rows * k, padding = (GEMM_ROWS - u->rows) * k;
    self->projection->forward(self, u, z, scratch);
    for (size_t row = 0; self->phase != NULL && row < u->rows; row++) {
        float *p = z + row * k;
        for (size_t feature = 0; feature < k; feature++) {
            p[feature] += self->phase[feature];
        }
    }
    memset(z + count, 0, padding * sizeof *z);
    if (slope == NULL) {
        self->activation->value(z, count, z);
    } else {
        self->activation->value_and_slope(z, count, z, slope);
        memset(slope + count, 0, padding * sizeof *slope);
    }
}

void map_forward_part(const map *self, const rows_view *u, feature_part part, const float *own, float *z,
                      float *slope) {
    const float *phase = self->phase == NULL ? NULL : self->phase + part.first;
    self->projection->forward_part(u, own, part.count, z);
    if (phase != NULL && self->activation->shifted_rows != NULL) {
        self->activation->shifted_rows(u->rows, part.count, phase, z, slope);
        return;
    }
    for (size_t row = 0; phase != NULL && row < u->rows; row++) {
        float *p = z + row * part.count;
        for (size_t feature = 0; feature < part.count; feature++) {
            p[feature] += phase[feature];
        }
    }
    self->activation->value_and_slope(z, u->rows * part.count, z, slope);
}

typedef struct phase_job {
    const float *g;  /* (rows, features) */
    float *gradient; /* (features) */
    size_t rows, features;
} phase_job;

/* gradient[feature] = sum of g over rows, in order, in double. */
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

void map_gradient(const map *self, const rows_view *u, const float *g, float *const gradients[MAP_TENSORS],
                  float *phase_gradient, thread_pool *threads, float *work) {
    self->projection->gradient(self, u, g, gradients, threads, work);
    if (phase_gradient != NULL) {
        phase_job job = {g, phase_gradient, u->rows, self->features};
        threads_for(threads, self->features / PHASE_TILE + (self->features % PHASE_TILE != 0), phase_tile, &job);
    }
}

size_t map_gradient_work_size(const map *self, size_t rows, size_t threads) {
    return self->projection->gradient_work_size(self, rows, threads);
}
