/* Map and head together, by back-propagation with Adam, a cosine schedule, augmentation and decay
 * of theta.
 *
 *   scores            W^T (3 sqrt(2/k) cos(theta^T u + b)) + c
 *   rates             theta p 0.05 s0, phases p 0.05, head 0.03, with s0 the unit of theta, the
 *                     deviation of its entries at the start: of each layer its own (map_draw);
 *                     all times a = (1 + cos(pi t / T)) / 2
 *   map rate          p = 1 where the map is learned in full, else min(1, map rate * 16000 / T):
 *                     then it moves as far in a short training as in a long one
 *   decay             theta <- theta (1 - a p 0.05 decay) after each step
 *   difference noise  u += difference noise * n (u' - u''), n normal, u' and u'' two other rows of
 *                     the batch
 *   translation       of images: u += translate (n u_x + m u_y), n and m normal, u_x and u_y the
 *                     differences of u across and down
 *   mirror            every other image is mirrored left to right, where classes are symmetric
 *   noise             u += noise (sigma / sqrt(d)) N(0, I), at each visit; none for sparse rows
 *
 * The parameters after the last step are kept, or those of the best validation score where rows are
 * held out. */
#include "learn/fit/fit_joint.h"

#include <math.h>

#include "base/core/random.h"
#include "base/core/try.h"
#include "engine/plan.h"
#include "learn/fit/fit_steps.h"
#include "learn/fit/frozen_map.h"

enum { EVALUATIONS = 20, TIMED_STEPS = 50, USABLE_STEPS = 300 };

static const double TENSOR_RATE = 0.05, PHASE_RATE = 0.05, HEAD_RATE = 0.03, CONTINUED_RATE = 0.3;

/* Returns the learning rate of the map, as a share of the full one. */
static double map_rate_of(const hyperparameters *chosen) {
    const double share = (double)DEFAULT_MOST_STEPS / (double)chosen->steps;
    return chosen->map_mode == MAP_LEARNED ? 1.0 : fmin(1.0, chosen->map_rate * share);
}

train_plan joint_plan(fit_session *self) {
    const settings *wanted = self->data->settings;
    const hyperparameters *chosen = &self->chosen;
    const double unit = fit_session_unit(self), start_rate = self->warm ? CONTINUED_RATE : 1.0,
                 map_rate = start_rate * map_rate_of(chosen);
    self->batch = chosen->batch;
    self->steps = head_is_solved(self) ? 1 : chosen->steps;
    self->lambda = chosen->lambda;
    self->feature_scale = JOINT_GAIN * (double)self->map->scale;
    train_plan plan = {
        .loss = self->data->loss,
        .hint = self->data->hint,
        .loss_parameter = dataset_loss_parameter(self->data),
        .head_update = head_is_solved(self) ? UPDATE_NONE : UPDATE_ADAM,
        .map_update = map_rate > 0.0 ? UPDATE_ADAM : UPDATE_NONE,
        .rate = RATE_COSINE,
        .head_rate = start_rate * HEAD_RATE,
        .tensor_rate = map_rate * TENSOR_RATE * unit,
        .phase_rate = map_rate * PHASE_RATE,
        .factor_rate = map_rate * TENSOR_RATE,
        .lambda = self->lambda,
        .tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0,
        .tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0,
        .tensor_decay = chosen->decay / unit,
        .feature_scale = self->feature_scale,
        .image_width = chosen->image_width,
        .batch = (size_t)self->batch,
        .stream = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = self->steps,
    };
    for (augmentation_id id = 0; id < AUGMENTATIONS; id++) {
        plan.augment[id] = augmentation_get(id)->bandwidth_unit
                               ? chosen->augment[id] * self->bandwidth.sigma / sqrt((double)self->data->rows.columns)
                               : chosen->augment[id];
    }
    fit_session_layer_units(self, &plan);
    return plan;
}

/* Shortens the plan to the steps that fit in --time-limit, by the time of the steps from `from` to
 * `done`. */
static void fit_in_time(fit_session *self, train_plan *plan, uint64_t from, uint64_t done, double seconds) {
    const double limit = self->data->settings->time_limit;
    const double left = limit - (progress_clock() - self->time.started);
    const double fitting = (double)done + (left > 0.0 && seconds > 0.0 ? left * (double)(done - from) / seconds : 0.0);
    if (limit > 0.0 && done > from && fitting < (double)plan->steps) {
        plan->steps = self->steps = (uint64_t)fitting;
        self->time.shortened = true;
    }
}

cnm_status joint_run(fit_session *self, engine *runner, train_plan *plan, cnm_error *err) {
    const bool limited = self->data->settings->time_limit > 0.0;
    const uint64_t from = checkpoint_step(self->checkpoint, self->phase);
    const uint64_t first = limited && plan->steps > from + TIMED_STEPS ? from + TIMED_STEPS : 0;
    progress_meter quiet = progress_start(NULL, self->phase, plan->steps);
    cnm_status status = CNM_OK;
    self->patience = self->data->settings->patience;
    const double before = progress_clock();
    TRY_DONE(fit_steps_run(self, runner, plan, &quiet, 1, first, err));
    if (first > 0) {
        fit_in_time(self, plan, from, first, progress_clock() - before);
    }
    const uint64_t stretch = plan->steps / EVALUATIONS + 1;
    progress_meter meter = progress_start(self->data->callbacks, self->phase, plan->steps);
    meter.span = self->span;
    meter.before = meter.skipped = first;
    meter.stopped = self->state == FIT_STOP_REQUESTED;
    for (uint64_t step = first + 1; step <= plan->steps && self->state != FIT_STOPPED; step += stretch) {
        const uint64_t left = plan->steps + 1 - step, steps = left < stretch ? left : stretch;
        TRY_DONE(fit_steps_run(self, runner, plan, &meter, step, steps, err));
        fit_in_time(self, plan, from, step - 1 + steps, progress_clock() - before);
        TRY_DONE(fit_steps_validate(self, runner, plan, err));
        if (fit_steps_are_over(self)) {
            break;
        }
    }
    checkpoint_finish(self, runner, &meter);
done:
    early_stopping_restore(&self->best, self->map, &self->head);
    return status;
}

static cnm_status fit_rows(fit_session *self, cnm_error *err) {
    train_plan plan = joint_plan(self);
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(fit_session_engine(self, plan.batch, &runner, err));
    TRY_DONE(solve_head(self, &plan, err));
    TRY_DONE(joint_run(self, runner, &plan, err));
done:
    engine_destroy(runner);
    return status;
}

cnm_status fit_joint(fit_session *self, cnm_error *err) {
    const bool stop_requested = self->state == FIT_STOP_REQUESTED;
    self->chosen.steps = stop_requested && self->chosen.steps > USABLE_STEPS ? USABLE_STEPS : self->chosen.steps;
    self->state = FIT_RUNS;
    TRY(fit_rows(self, err));
    self->state = stop_requested ? FIT_STOPPED : self->state;
    return CNM_OK;
}
