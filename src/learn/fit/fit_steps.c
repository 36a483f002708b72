/* The loop over chunks of steps, and evaluations on validation rows. */
#include "learn/fit/fit_steps.h"

#include "base/core/try.h"
#include "learn/fit/chunk_size.h"
#include "learn/fit/divergence_guard.h"

cnm_status fit_steps_run(fit_session *self, engine *runner, const train_plan *plan, progress_meter *meter,
                         uint64_t first, uint64_t count, cnm_error *err) {
    const uint64_t chunk = chunk_size(self, plan);
    uint64_t done;
    divergence_guard_measure(self);
    TRY(checkpoint_enter(self, runner, meter, count, &done, err));
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
    if (self->split.held_count == 0 || checkpoint_replays(self->checkpoint, &ended)) {
        return CNM_OK;
    }
    TRY(early_stopping_update(&self->best, runner, plan, self->data, &self->split, self->map, &self->head, &improved,
                              err));
    self->patience = improved ? self->data->settings->patience : self->patience - (self->patience > 0);
    return CNM_OK;
}

bool fit_steps_are_over(const fit_session *self) {
    return self->split.held_count > 0 && self->data->settings->patience > 0 && self->patience == 0;
}
