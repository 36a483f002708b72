/* The linear head on a map that stays as it is.
 *
 * Hinge: Pegasos, one against all, step 1 / (lambda t), projection onto the ball of radius 1 / sqrt(lambda), intercept as a constant
 * feature, mean over the last half of the steps. Other losses: Adam on the same objective. */
#include <math.h>
#include <string.h>

#include "base/core/random.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/optimisers.h"

enum { HEAD_BATCH = 500, HEAD_STEPS = 10000 };

train_plan head_plan(training *self) {
    const settings *wanted = self->problem.settings;
    const uint64_t rows = self->split.train_count;
    const bool pegasos = strcmp(self->problem.loss->name, "hinge") == 0;
    uint64_t batch = wanted->batch > 0 ? wanted->batch : HEAD_BATCH;
    batch = batch < rows ? batch : rows;
    self->batch = batch;
    self->steps = wanted->epochs > 0 ? wanted->epochs * (rows / batch) : HEAD_STEPS;
    self->lambda = wanted->lambda > 0.0 ? wanted->lambda : fmax(1e-4, 1.0 / (double)rows);
    return (train_plan){
        .loss = self->problem.loss,
        .loss_parameter = self->problem.loss->parameter,
        .head_update = pegasos ? &UPDATE_PEGASOS : &UPDATE_ADAM,
        .rate = pegasos ? rate_pegasos : rate_cosine,
        .head_rate = 0.03,
        .lambda = self->lambda,
        .feature_scale = self->feature_scale,
        .batch = (size_t)batch,
        .purpose = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = self->steps,
        .average_from = pegasos ? self->steps / 2 : 0,
        .reuse = self->steps,
    };
}

cnm_status fit_head(training *self, cnm_error *err) {
    train_plan plan = head_plan(self);
    const bool hurry = self->stopped; /* while the map was learned: a tenth of the steps make the model usable */
    if (hurry) {
        plan.steps = self->steps = plan.steps / 10 + 1;
        plan.average_from = plan.average_from / 10;
        self->stopped = false;
    }
    progress_meter meter = progress_start(hurry ? NULL : self->problem.callbacks, "train", plan.steps);
    engine *runner;
    cnm_status status = training_engine(self, plan.batch, &runner, err);
    if (status == CNM_OK) {
        status = training_run(self, runner, &plan, &meter, 1, plan.steps, err);
        if (status == CNM_OK) {
            checkpoint_finish(self, runner, &meter);
        }
        engine_use_average(runner);
    }
    engine_destroy(runner);
    self->stopped = self->stopped || hurry;
    return status;
}
