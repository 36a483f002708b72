/* The loop over chunks of steps, and evaluations on validation rows. */
#include "learn/fit/fit_steps.h"

#include <math.h>

#include "base/core/try.h"
#include "learn/fit/chunk_size.h"
#include "learn/fit/divergence_guard.h"

/* Returns whether the fit keeps a history. */
static bool keeps_history(const fit_session *self) { return self->history != NULL && self->role != FIT_TRIAL; }

/* Returns the steps of a chunk, so few that points of the history can lie between chunks. */
static uint64_t chunk_of(const fit_session *self, const train_plan *plan, const progress_meter *meter) {
    const uint64_t chunk = chunk_size(self, plan), interval = history_interval(meter->total);
    return keeps_history(self) && interval < chunk ? interval : chunk;
}

/* Notes where the fit stands. A plan that changes nothing follows a head that was solved for, whose
 * iterations were noted. */
static void note_step(fit_session *self, const train_plan *plan, const progress_meter *meter, uint64_t done) {
    if (plan->head_update != UPDATE_NONE || plan->map_update != UPDATE_NONE) {
        self->present = (history_point){.phase = meter->phase, .step = done, .total = meter->total, .loss = self->loss};
    }
}

/* Adds a point to the history where one is due after `done` steps of the phase. */
static cnm_status record_step(fit_session *self, const train_plan *plan, const progress_meter *meter, uint64_t done,
                              cnm_error *err) {
    note_step(self, plan, meter, done);
    self->made = self->present.step;
    return keeps_history(self) && history_is_due(self->history, meter->phase, done, meter->total)
               ? fit_session_record(self, NAN, err)
               : CNM_OK;
}

cnm_status fit_steps_run(fit_session *self, engine *runner, const train_plan *plan, progress_meter *meter,
                         uint64_t first, uint64_t count, cnm_error *err) {
    const uint64_t chunk = chunk_of(self, plan, meter);
    uint64_t done;
    divergence_guard_measure(self);
    TRY(checkpoint_enter(self, runner, meter, count, &done, err));
    note_step(self, plan, meter, meter->before + done);
    if (done < count) {
        TRY(divergence_guard_begin(self, plan, err));
    }
    while (done < count && !fit_session_ended(self)) {
        const uint64_t steps = count - done < chunk ? count - done : chunk;
        TRY(divergence_guard_run(self, runner, plan, first + done, steps, err));
        if (self->state == FIT_DIVERGED) {
            break;
        }
        done += steps;
        TRY(record_step(self, plan, meter, meter->before + done, err));
        if (self->time.deadline > 0.0 && progress_clock() > self->time.deadline) {
            self->state = FIT_TIMED_OUT;
        }
        if (progress_report(meter, meter->before + done, plan->batch, self->loss, fit_session_score(self)) &&
            meter->before + done < meter->total) {
            self->state = FIT_STOPPED;
        }
        checkpoint_offer(self, runner, meter, done, steps);
    }
    meter->before += count;
    return CNM_OK;
}

cnm_status fit_steps_validate(fit_session *self, engine *runner, const train_plan *plan, cnm_error *err) {
    bool improved, ended;
    double score;
    if (self->split.held_count == 0 || checkpoint_replays(self->checkpoint, &ended)) {
        return CNM_OK;
    }
    TRY(early_stopping_update(&self->best, runner, plan, self->data, &self->split, self->map, &self->head, &improved,
                              &score, err));
    if (improved) {
        self->best.step = self->made;
    }
    self->patience = improved ? self->data->settings->patience : self->patience - (self->patience > 0);
    return fit_session_record(self, score, err);
}

bool fit_steps_are_over(const fit_session *self) {
    return self->split.held_count > 0 && self->data->settings->patience > 0 && self->patience == 0;
}
