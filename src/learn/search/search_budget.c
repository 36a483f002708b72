/* Clock and trials of a search. */
#include "learn/search/search_budget.h"

#include <math.h>

#include "base/core/try.h"
#include "learn/fit/checkpoint.h"
#include "learn/fit/frozen_map.h"
#include "learn/progress.h"
#include "learn/search/profiles.h"

double search_deadline(const search_state *self) {
    const double limit = self->session->data->settings->time_limit;
    return limit > 0.0 ? self->session->time.started + 0.4 * limit : 0.0;
}

bool search_is_late(const search_state *self) {
    bool ended;
    return checkpoint_replays(self->session->checkpoint, &ended)
               ? ended
               : search_deadline(self) > 0.0 && progress_clock() > search_deadline(self);
}

bool search_is_over(const search_state *self) { return self->stopped || search_is_late(self); }

cnm_status search_trial(void *context, const hyperparameters *tried, double *loss, bool *stop, cnm_error *err) {
    search_state *self = context;
    const cnm_status status = self->ops->run(self->runner, tried, self->features, 1.0, loss, stop, err);
    self->shortened = self->shortened || search_is_late(self);
    self->stopped = self->stopped || (*stop && !search_is_late(self));
    return status;
}

double search_round_share(const search_state *self, size_t round) {
    const round_tuning *tuning = &TUNING.rounds[round];
    return map_is_slow(self->session, self->known) ? tuning->beside
           : self->compares_frozen_last            ? TUNING.shares_before_last * tuning->share
                                                   : tuning->share;
}

double search_last_share(const search_state *self) {
    const profile_shares *share = map_is_slow(self->session, self->known) ? &TUNING.last_slow : &TUNING.last;
    return self->compares_frozen_last ? share->each + share->frozen : 0.0;
}

progress_span search_span(search_state *self, double share, size_t round) {
    const double from = self->reported;
    double later = round <= SEARCH_ROUNDS ? search_last_share(self) : 0.0;
    for (size_t i = round; i < SEARCH_ROUNDS; i++) {
        later += search_round_share(self, i);
    }
    self->reported = share > 0.0 ? from + (1.0 - from) * share / (share + later) : from;
    return (progress_span){from, self->reported};
}

size_t search_solutions(const search_state *self, double share, size_t most) {
    const fit_session *own = self->session;
    const double steps = share * self->budget * (double)own->chosen.steps / (double)self->ops->folds(self->runner);
    return (size_t)fmin((double)most, steps / solve_steps(own));
}
