/* The paper's alternating minimisation (algorithms 1 to 3): Pegasos steps for W with theta fixed, then gradient steps for theta and
 * the phases with W fixed, T times. Both count their steps over the whole run.
 *
 * Step size of theta, in units where the kernel has width 1: min(k / 32, 1 / (lambda t)); 1 / (lambda t) alone, as printed,
 * destroys theta at once. A filter entry of a circulant map serves d features, so its cap is d times smaller. In the rows' own
 * unit theta's step is unit^2 times that, the phases' is not changed. */
#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "learn/fit/fit_session.h"
#include "learn/objective/optimisers.h"

enum { BATCH = 500, HEAD_STEPS = 100, MAP_STEPS = 100, ITERATIONS = 200 };

/* In the first tenth of the turns (1 / START) all classes weigh the same. Where one class is rare and random features say little, the best head on
 * them is W = 0 and theta, whose gradient is proportional to W, would never move (IJCNN1: stuck on about one seed in three). */
enum { START = 10 };

/* tensor_rate holds unit^2, head_rate the cap k / 32. */
static double rate_map(const update_call *call) {
    const train_plan *plan = call->plan;
    const double decreasing = 1.0 / (plan->lambda * (double)call->step);
    const double eta = fmin(plan->head_rate * call->step_scale, decreasing);
    return call->kind == PARAMETER_TENSOR ? plan->tensor_rate * eta : eta;
}

typedef struct schedule {
    uint64_t iterations, head_steps, map_steps;
} schedule;

static schedule choose_schedule(const settings *wanted) {
    return (schedule){wanted->iterations > 0 ? wanted->iterations : ITERATIONS,
                      wanted->head_steps > 0 ? wanted->head_steps : HEAD_STEPS,
                      wanted->map_steps > 0 ? wanted->map_steps : MAP_STEPS};
}

uint64_t alternating_turns(const settings *wanted) { return choose_schedule(wanted).iterations; }

static void fill_plans(training *self, const schedule *turns, train_plan *head, train_plan *map_plan) {
    const settings *wanted = self->problem.settings;
    const uint64_t rows = self->split.train_count, batch = wanted->batch > 0 ? wanted->batch : BATCH;
    const double unit = training_unit(self);
    self->batch = batch < rows ? batch : rows;
    self->steps = turns->iterations * (turns->head_steps + turns->map_steps) - turns->map_steps;
    self->lambda = wanted->lambda > 0.0 ? wanted->lambda : fmax(1e-4, 1.0 / (double)rows);
    *head = (train_plan){
        .loss = self->problem.loss,
        .loss_parameter = self->problem.loss->parameter,
        .head_update = &UPDATE_PEGASOS,
        .rate = rate_pegasos,
        .lambda = self->lambda,
        .feature_scale = self->feature_scale,
        .batch = (size_t)self->batch,
        .purpose = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = turns->iterations * turns->head_steps,
        .reuse = turns->head_steps,
    };
    *map_plan = *head;
    map_plan->head_update = NULL;
    map_plan->map_update = &UPDATE_SGD;
    map_plan->rate = rate_map;
    map_plan->head_rate = (double)self->map->features / 32.0;
    map_plan->tensor_rate = unit * unit;
    map_plan->tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0;
    map_plan->tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0;
    map_plan->purpose = RANDOM_MAP_BATCHES;
    map_plan->steps = turns->iterations * turns->map_steps;
}

/* One outer iteration: T1 steps for the head, then, but for the last one, T2 for the map: the head has the last word. */
static cnm_status iterate(training *self, engine *runner, const schedule *turns, const train_plan *head,
                          const train_plan *map_plan, progress_meter *meter, uint64_t turn, cnm_error *err) {
    cnm_status status = training_run(self, runner, head, meter, 1 + turn * turns->head_steps, turns->head_steps, err);
    if (status == CNM_OK && turn + 1 < turns->iterations && !self->stopped) {
        status = training_run(self, runner, map_plan, meter, 1 + turn * turns->map_steps, turns->map_steps, err);
    }
    return status;
}

/* by_class (classes): what makes all classes weigh the same, whose rows have their own weights (may be NULL). */
static void even_classes(const problem *task, const float *own, double *by_class) {
    const size_t rows = task->rows.rows, classes = task->classes.count;
    double total = 0.0;
    memset(by_class, 0, classes * sizeof *by_class);
    for (size_t i = 0; i < rows; i++) {
        const double weight = own == NULL ? 1.0 : (double)own[i];
        by_class[task->codes[i]] += weight;
        total += weight;
    }
    for (size_t c = 0; c < classes; c++) {
        by_class[c] = by_class[c] > 0.0 ? total / ((double)classes * by_class[c]) : 1.0;
    }
}

/* weights (rows): the rows' own, times what makes all classes weigh the same when `even`. */
static void fill_weights(const problem *task, const float *own, bool even, const double *by_class, float *weights) {
    for (size_t i = 0; i < task->rows.rows; i++) {
        weights[i] = (own == NULL ? 1.0F : own[i]) * (even ? (float)by_class[task->codes[i]] : 1.0F);
    }
}

static cnm_status run(training *self, engine *runner, const schedule *turns, const float *own, const double *by_class,
                      cnm_error *err) {
    train_plan head, map_plan;
    fill_plans(self, turns, &head, &map_plan);
    progress_meter meter = progress_start(self->problem.callbacks, training_phase(self), self->steps);
    self->patience = self->problem.settings->patience;
    cnm_status status = CNM_OK;
    for (uint64_t turn = 0; status == CNM_OK && turn < turns->iterations && !self->stopped; turn++) {
        if (turn == (turns->iterations + START - 1) / START) {
            fill_weights(&self->problem, own, false, by_class, self->problem.weights);
        }
        status = iterate(self, runner, turns, &head, &map_plan, &meter, turn, err);
        if (status == CNM_OK) {
            status = training_judge(self, runner, &head, err);
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

/* The problem's weights are replaced while this runs: the engine borrows them. */
cnm_status fit_alternating(training *self, cnm_error *err) {
    problem *task = &self->problem;
    const schedule turns = choose_schedule(task->settings);
    float *const own = task->weights;
    double *by_class = NULL;
    engine *runner = NULL;
    cnm_status status = memory_take(&by_class, task->classes.count, sizeof *by_class, "class weights", err);
    if (status == CNM_OK) {
        status = memory_take(&task->weights, task->rows.rows, sizeof *task->weights, "weights", err);
    }
    if (status == CNM_OK) {
        even_classes(task, own, by_class);
        fill_weights(task, own, true, by_class, task->weights);
        status = training_engine(self, task->settings->batch > 0 ? (size_t)task->settings->batch : BATCH, &runner, err);
    }
    if (status == CNM_OK) {
        status = run(self, runner, &turns, own, by_class, err);
    }
    engine_destroy(runner);
    if (task->weights != own) {
        memory_free(task->weights);
    }
    task->weights = own;
    memory_free(by_class);
    return status;
}
