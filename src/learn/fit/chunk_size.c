/* How much work lies between two looks at the clock. */
#include "learn/fit/fit_session.h"

uint64_t training_piece(const training *self, const train_plan *plan) {
    const double batch = (double)plan->batch, k = (double)self->map->features, d = (double)self->problem.rows.columns;
    const double work = batch * k * (d + 8.0 * (double)self->head.outputs + 64.0);
    const double pairs = plan->feature_loss == NULL ? 0.0 : batch * batch * (k + d + 64.0);
    const double steps = (plan->feature_loss == NULL ? 3e9 : 5e8) / (work + pairs + 1e5);
    return steps < 1.0 ? 1 : (uint64_t)steps;
}
