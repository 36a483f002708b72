/* Estimates the work of a step from the sizes of rows, map and head. */
#include "learn/fit/chunk_size.h"

uint64_t chunk_size(const fit_session *self, const train_plan *plan) {
    const double batch = (double)plan->batch, k = (double)self->map->features, d = (double)self->data->rows.columns;
    double work = batch * k * 8.0 * (double)self->head.outputs;
    for (size_t i = 0; i < self->map->layer_count; i++) {
        const layer *own = self->map->layers[i];
        work += batch * (double)own->features * ((double)own->columns + 64.0);
    }
    const double pairs = plan->feature_loss == NULL ? 0.0 : batch * batch * (k + d + 64.0);
    const double steps = (plan->feature_loss == NULL ? 3e9 : 5e8) / (work + pairs + 1e5);
    return steps < 1.0 ? 1 : (uint64_t)steps;
}
