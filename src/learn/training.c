/* What all methods share: an engine on the training's rows, running a plan with reports, judging on held rows. */
#include "learn/training.h"

#include <math.h>

/* Steps between looks at the clock: so few that they take about a tenth of a second. */
static uint64_t chunk_of(const training *self, const train_plan *plan) {
    const double work = (double)plan->batch * (double)self->map->features *
                        (double)(self->problem.rows.columns + 8 * self->head.outputs + 64);
    const double steps = (plan->feature_loss == NULL ? 3e9 : 5e8) / (work + 1e5); /* pairs of rows are not counted */
    return steps < 1.0 ? 1 : (uint64_t)steps;
}

double training_score(const training *self) { return self->best.any ? self->best.score : NAN; }

cnm_status training_run(training *self, engine *runner, const train_plan *plan, progress_meter *meter, uint64_t first,
                        uint64_t count, cnm_error *err) {
    const uint64_t chunk = chunk_of(self, plan);
    cnm_status status = CNM_OK;
    for (uint64_t done = 0; status == CNM_OK && done < count && !self->stopped && !self->cut;) {
        const uint64_t steps = count - done < chunk ? count - done : chunk;
        status = engine_run(runner, plan, first + done, steps, &self->loss, err);
        done += steps;
        self->cut = self->deadline > 0.0 && progress_clock() > self->deadline;
        const bool asked = progress_report(meter, meter->before + done, (meter->before + done) * plan->batch,
                                           self->loss, training_score(self));
        self->stopped = asked && meter->before + done < meter->total;
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

cnm_status training_judge(training *self, engine *runner, const train_plan *plan, uint64_t *patience_left,
                          cnm_error *err) {
    bool improved;
    if (self->split.held_count == 0) {
        return CNM_OK;
    }
    const cnm_status status =
        best_consider(&self->best, runner, plan, &self->problem, &self->split, self->map, &self->head, &improved, err);
    *patience_left = improved ? self->problem.settings->patience : *patience_left - (*patience_left > 0);
    return status;
}

double training_unit(const training *self) {
    return self->spec.kernel == KERNEL_GAUSSIAN ? sqrt(2.0 * self->spec.gamma) : self->spec.gamma;
}
