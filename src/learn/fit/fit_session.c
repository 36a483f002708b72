/* What all methods share: an engine on the training's rows, running a plan with reports, judging on held rows. */
#include "learn/fit/fit_session.h"

#include <math.h>

double training_score(const training *self) { return self->best.any ? self->best.score : NAN; }

const char *training_phase(const training *self) { return self->finished == NULL ? "train" : self->phase; }

training training_after(const training *self, const char *phase) {
    training out = *self;
    out.head = (linear_head){0};
    out.best = (best_so_far){0};
    out.safeguard.good = NULL;
    out.safeguard.capacity = 0;
    out.deadline = 0.0;
    out.finished = self;
    out.phase = phase;
    return out;
}

cnm_status training_run(training *self, engine *runner, const train_plan *plan, progress_meter *meter, uint64_t first,
                        uint64_t count, cnm_error *err) {
    const uint64_t piece = training_piece(self, plan);
    uint64_t done;
    safeguard_measure(self);
    cnm_status status = checkpoint_enter(self, runner, meter, count, &done, err);
    if (status == CNM_OK && done < count) {
        status = safeguard_begin(self, plan, err);
    }
    while (status == CNM_OK && done < count && !self->stopped && !self->cut && !self->diverged) {
        const uint64_t steps = count - done < piece ? count - done : piece;
        status = safeguard_run(self, runner, plan, first + done, steps, err);
        if (status != CNM_OK || self->diverged) {
            break;
        }
        done += steps;
        self->cut = self->deadline > 0.0 && progress_clock() > self->deadline;
        self->stopped = progress_report(meter, meter->before + done, plan->batch, self->loss, training_score(self)) &&
                        meter->before + done < meter->total;
        checkpoint_offer(self, runner, meter, done, steps);
    }
    meter->before += count;
    return status;
}

cnm_status training_engine(training *self, size_t batch, engine **out, cnm_error *err) {
    const problem *task = &self->problem;
    return engine_create(out,
                         &(engine_setup){.rows = &self->source,
                                         .positions = self->split.train,
                                         .count = self->split.train_count,
                                         .classes = task->codes,
                                         .targets = task->targets,
                                         .weights = task->weights,
                                         .map = self->map,
                                         .head = &self->head,
                                         .batch = batch,
                                         .threads = (size_t)task->settings->threads},
                         err);
}

cnm_status training_judge(training *self, engine *runner, const train_plan *plan, cnm_error *err) {
    bool improved, ended;
    if (self->split.held_count == 0 || checkpoint_replays(self->checkpoint, &ended)) {
        return CNM_OK;
    }
    const cnm_status status =
        best_consider(&self->best, runner, plan, &self->problem, &self->split, self->map, &self->head, &improved, err);
    self->patience = improved ? self->problem.settings->patience : self->patience - (self->patience > 0);
    return status;
}

bool training_is_spent(const training *self) {
    return self->split.held_count > 0 && self->problem.settings->patience > 0 && self->patience == 0;
}

cnm_status training_bind(const training *self, input_source *out, cnm_error *err) {
    map *plain;
    *out = (input_source){0};
    cnm_status status = map_create(&plain, &self->spec, err);
    if (status == CNM_OK) {
        status = input_bind(out, &self->problem.input, &self->problem.rows, plain, err);
    }
    map_destroy(plain);
    return status;
}

double training_unit(const training *self) {
    return self->spec.kernel == KERNEL_GAUSSIAN ? sqrt(2.0 * self->spec.gamma) : self->spec.gamma;
}
