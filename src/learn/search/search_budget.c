/* Clock and judge of a search. */
#include "learn/search/search_budget.h"

#include <math.h>

#include "learn/progress.h"
#include "learn/fit/frozen_map.h"

double choosing_deadline(const training *self) {
    const double limit = self->problem.settings->time_limit;
    return limit > 0.0 ? self->started + 0.4 * limit : 0.0;
}

bool choosing_is_late(const training *self) {
    bool ended;
    return checkpoint_replays(self->checkpoint, &ended)
               ? ended
               : choosing_deadline(self) > 0.0 && progress_clock() > choosing_deadline(self);
}

cnm_status choosing_judge(void *context, const recipe *tried, double *loss, bool *stop, cnm_error *err) {
    choosing *self = context;
    const cnm_status status = pilots_judge(self->runner, tried, loss, stop, err);
    self->shortened = self->shortened || choosing_is_late(self->training);
    self->stopped = self->stopped || (*stop && !choosing_is_late(self->training));
    return status;
}

size_t choosing_solutions(const choosing *self, double share, size_t most) {
    const training *own = self->training;
    const double steps = share * self->budget * (double)own->recipe.steps / (double)pilots_folds(self->runner);
    return (size_t)fmin((double)most, steps / solve_steps(own));
}
