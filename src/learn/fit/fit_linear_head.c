/* Hinge loss: Pegasos (Shalev-Shwartz, Singer and Srebro 2007), one-vs-rest, with step 1 / (lambda
 * t), projection onto the ball of radius 1 / sqrt(lambda), the intercept as a constant feature, and
 * the mean of the weights over the last half of the steps. Other losses: Adam on the same
 * objective. */
#include "learn/fit/fit_linear_head.h"

#include <math.h>
#include <string.h>

#include "base/core/random.h"
#include "base/core/try.h"
#include "engine/plan.h"
#include "learn/fit/fit_steps.h"

enum { HEAD_BATCH = 500, HEAD_STEPS = 10000 };

train_plan head_plan(fit_session *self) {
    const settings *wanted = self->data->settings;
    const uint64_t rows = self->split.train_count;
    const bool pegasos = self->data->loss->head_update == UPDATE_PEGASOS;
    uint64_t batch = wanted->batch > 0 ? wanted->batch : HEAD_BATCH;
    batch = batch < rows ? batch : rows;
    self->batch = batch;
    self->steps = wanted->epochs > 0 ? wanted->epochs * (rows / batch) : HEAD_STEPS;
    self->lambda = wanted->lambda > 0.0 ? wanted->lambda : fmax(1e-4, 1.0 / (double)rows);
    return (train_plan){
        .loss = self->data->loss,
        .loss_parameter = dataset_loss_parameter(self->data),
        .head_update = pegasos ? UPDATE_PEGASOS : UPDATE_ADAM,
        .rate = pegasos ? RATE_PEGASOS : RATE_COSINE,
        .head_rate = 0.03,
        .lambda = self->lambda,
        .feature_scale = self->feature_scale,
        .batch = (size_t)batch,
        .stream = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = self->steps,
        .average_from = pegasos ? self->steps / 2 : 0,
        .reuse = self->steps,
    };
}

cnm_status fit_linear_head(fit_session *self, cnm_error *err) {
    train_plan plan = head_plan(self);
    /* Where the caller stopped the fit of the map, a tenth of the steps is enough. */
    const bool stop_requested = self->state == FIT_STOPPED;
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    if (stop_requested) {
        plan.steps = self->steps = plan.steps / 10 + 1;
        plan.average_from = plan.average_from / 10;
        self->state = FIT_RUNS;
    }
    progress_meter meter = progress_start(stop_requested ? NULL : self->data->callbacks, self->phase, plan.steps);
    TRY_DONE(fit_session_engine(self, plan.batch, &runner, err));
    TRY_DONE(fit_steps_run(self, runner, &plan, &meter, 1, plan.steps, err));
    checkpoint_finish(self, runner, &meter);
    engine_use_average(runner);
    self->state = stop_requested ? FIT_STOPPED : self->state;
done:
    engine_destroy(runner);
    return status;
}
