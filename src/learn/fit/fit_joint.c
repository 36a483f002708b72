/* Map and head together: back-propagation with Adam, a cosine schedule, input noise and decay of theta.
 *
 *   scores = W^T (3 sqrt(2/k) cos(theta^T u + b)) + c
 *   rates    theta p 0.05 s0, phases p 0.05, head 0.03, all times (1 + cos(pi t / T)) / 2;   s0 = the unit of theta
 *   hold     p = (1 - hold) 16000 / T up to 1, so that the map moves as far in a short training; always 1 where hold is 0
 *   decay    theta <- theta (1 - a p 0.05 decay) after each step, a = that cosine factor
 *   drift    u += drift n (u' - u''), n normal, u' and u'' other rows of the batch
 *   shift    u += shift (n u_x + m u_y) for pictures, n and m normal, u_x and u_y their slopes across and down
 *   mirror   left and right of every other picture are changed, where that makes pictures of the same kind
 *   noise    u += noise (sigma / sqrt(d)) N(0, I), fresh at each visit; none for rows that stay sparse
 *
 * The last step's parameters are kept (the schedule has annealed them), or the best on held rows where there are any. */
#include <math.h>

#include "base/core/random.h"
#include "learn/distill/distill_ensemble.h"
#include "learn/fit/frozen_map.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/optimisers.h"
#include "learn/search/profiles.h"

enum { JUDGEMENTS = 20, TIMED_STEPS = 50, HURRIED_STEPS = 300 };

static const double TENSOR_RATE = 0.05, PHASE_RATE = 0.05, HEAD_RATE = 0.03, CONTINUED_RATE = 0.3;

static double pace_of(const recipe *chosen) {
    const double share = (double)USUAL_MOST_STEPS / (double)chosen->steps;
    return chosen->hold > 0.0 ? fmin(1.0, (1.0 - chosen->hold) * share) : 1.0;
}

train_plan joint_plan(training *self) {
    const settings *wanted = self->problem.settings;
    const recipe *chosen = &self->recipe;
    const double unit = training_unit(self), gentle = self->continues ? CONTINUED_RATE : 1.0,
                 pace = gentle * pace_of(chosen);
    self->batch = chosen->batch;
    self->steps = head_is_solved(self) ? 1 : chosen->steps;
    self->lambda = chosen->lambda;
    self->feature_scale = JOINT_GAIN * (double)self->map->scale;
    return (train_plan){
        .loss = self->problem.loss,
        .hint = self->problem.hint,
        .loss_parameter = self->problem.loss->parameter,
        .head_update = head_is_solved(self) ? NULL : &UPDATE_ADAM,
        .map_update = pace > 0.0 ? &UPDATE_ADAM : NULL,
        .rate = rate_cosine,
        .head_rate = gentle * HEAD_RATE,
        .tensor_rate = pace * TENSOR_RATE * unit,
        .phase_rate = pace * PHASE_RATE,
        .factor_rate = pace * TENSOR_RATE,
        .lambda = self->lambda,
        .tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0,
        .tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0,
        .tensor_decay = chosen->decay / unit,
        .feature_scale = self->feature_scale,
        .noise = chosen->noise * self->bandwidth.sigma / sqrt((double)self->problem.rows.columns),
        .drift = chosen->drift,
        .shift = chosen->shift,
        .mirror = chosen->mirror,
        .picture = chosen->picture,
        .batch = (size_t)self->batch,
        .purpose = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = self->steps,
    };
}

double joint_row_work(const training *self) {
    const double columns = (double)self->problem.rows.columns, outputs = (double)self->problem.outputs;
    return (double)self->spec.features * (2.0 * columns + 3.0 * outputs);
}

/* --time-limit: from the time that the steps from `from` on took, as many more as fit; the schedule ends with them. */
static void fit_in_time(training *self, train_plan *plan, uint64_t from, uint64_t done, double seconds) {
    const double limit = self->problem.settings->time_limit;
    const double left = limit - (progress_clock() - self->started);
    const double fitting = (double)done + (left > 0.0 && seconds > 0.0 ? left * (double)(done - from) / seconds : 0.0);
    if (limit > 0.0 && done > from && fitting < (double)plan->steps) {
        plan->steps = self->steps = (uint64_t)fitting;
        self->shortened = true;
    }
}

cnm_status joint_run(training *self, engine *runner, train_plan *plan, cnm_error *err) {
    const char *phase = training_phase(self);
    const bool limited = self->problem.settings->time_limit > 0.0;
    const uint64_t from = checkpoint_step(self->checkpoint, phase);
    const uint64_t first = limited && plan->steps > from + TIMED_STEPS ? from + TIMED_STEPS : 0;
    progress_meter quiet = progress_start(NULL, phase, first);
    self->patience = self->problem.settings->patience;
    const double before = progress_clock();
    cnm_status status = training_run(self, runner, plan, &quiet, 1, first, err);
    if (status == CNM_OK && first > 0) {
        fit_in_time(self, plan, from, first, progress_clock() - before);
    }
    const uint64_t stretch = plan->steps / JUDGEMENTS + 1;
    progress_meter meter = progress_start(self->problem.callbacks, phase, plan->steps);
    meter.before = meter.skipped = first;
    meter.stopped = self->leaving;
    for (uint64_t step = first + 1; status == CNM_OK && step <= plan->steps && !self->stopped; step += stretch) {
        const uint64_t left = plan->steps + 1 - step;
        status = training_run(self, runner, plan, &meter, step, left < stretch ? left : stretch, err);
        fit_in_time(self, plan, from, step - 1 + (left < stretch ? left : stretch), progress_clock() - before);
        if (status == CNM_OK) {
            status = training_judge(self, runner, plan, err);
        }
        if (training_is_spent(self)) {
            break;
        }
    }
    if (status == CNM_OK) {
        checkpoint_finish(self, runner, &meter);
    }
    best_restore(&self->best, self->map, &self->head);
    return status;
}

static cnm_status fit_rows(training *self, cnm_error *err) {
    train_plan plan = joint_plan(self);
    engine *runner;
    cnm_status status = training_engine(self, plan.batch, &runner, err);
    status = status == CNM_OK ? solve_head(self, &plan, err) : status;
    if (status == CNM_OK) {
        status = joint_run(self, runner, &plan, err);
    }
    engine_destroy(runner);
    return status;
}

cnm_status fit_joint(training *self, cnm_error *err) {
    const bool hurry = self->stopped; /* while choosing: a few steps make the model usable */
    self->recipe.steps = hurry && self->recipe.steps > HURRIED_STEPS ? HURRIED_STEPS : self->recipe.steps;
    self->stopped = false;
    cnm_status status = fit_rows(self, err);
    status = status == CNM_OK && !hurry ? imitate(self, err) : status;
    self->stopped = self->stopped || hurry;
    return status;
}
