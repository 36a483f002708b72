/* Pegasos steps for W with theta fixed, then gradient steps for theta and the phases with W fixed,
 * T times. Both count their steps over the whole fit.
 *
 * In a stack of L layers, Z_l(x) = cos(theta_l^T Z_(l-1)(x) + b_l) with eq. 5 of the paper for each
 * layer, an iteration is block coordinate descent on the same objective:
 *
 *   T1 steps for W                  with all theta fixed
 *   T2 steps for theta_1, b_1       with W and the other layers fixed
 *   ...
 *   T2 steps for theta_L, b_L       with W and the other layers fixed
 *
 * Each layer counts its own steps, and so meets the rows and rates that it would meet alone; its
 * unit is the deviation of its theta at the start. With L = 1 this is the paper's scheme.
 *
 * Step size of theta, in units where the kernel has width 1: min(k / 32, 1 / (lambda t)). 1 /
 * (lambda t) alone, as in the paper, makes the first steps far too large. A parameter of a
 * circulant map serves d features, so its cap is d times smaller. In the unit of the rows the step
 * of theta is unit^2 times that; the step of the phases stays. */
#include "learn/fit/fit_alternating.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "engine/plan.h"
#include "learn/fit/fit_steps.h"

enum { BATCH = 500, HEAD_STEPS = 100, MAP_STEPS = 100, ITERATIONS = 200 };

/* In the first tenth of the iterations (1 / BALANCED_SHARE) all classes have the same total weight.
 * Where one class is rare and random features predict little, the best head is W = 0, and theta,
 * whose gradient is proportional to W, would never change (IJCNN1: about one seed in three). */
enum { BALANCED_SHARE = 10 };

typedef struct schedule {
    uint64_t iterations, head_steps, map_steps; /* map_steps: of each layer */
} schedule;

static schedule choose_schedule(const settings *wanted) {
    return (schedule){wanted->iterations > 0 ? wanted->iterations : ITERATIONS,
                      wanted->head_steps > 0 ? wanted->head_steps : HEAD_STEPS,
                      wanted->map_steps > 0 ? wanted->map_steps : MAP_STEPS};
}

uint64_t alternating_iterations(const settings *wanted) { return choose_schedule(wanted).iterations; }

static void fill_plans(fit_session *self, const schedule *turns, train_plan *head, train_plan *map_plan) {
    const settings *wanted = self->data->settings;
    const uint64_t rows = self->split.train_count, batch = wanted->batch > 0 ? wanted->batch : BATCH;
    const double unit = fit_session_unit(self);
    self->batch = batch < rows ? batch : rows;
    const uint64_t map_steps = self->map->layer_count * turns->map_steps;
    self->steps = turns->iterations * (turns->head_steps + map_steps) - map_steps;
    self->lambda = wanted->lambda > 0.0 ? wanted->lambda : fmax(1e-4, 1.0 / (double)rows);
    *head = (train_plan){
        .loss = self->data->loss,
        .loss_parameter = dataset_loss_parameter(self->data),
        .head_update = UPDATE_PEGASOS,
        .rate = RATE_PEGASOS,
        .lambda = self->lambda,
        .feature_scale = self->feature_scale,
        .batch = (size_t)self->batch,
        .stream = RANDOM_BATCHES,
        .seed = wanted->seed,
        .steps = turns->iterations * turns->head_steps,
        .reuse = turns->head_steps,
    };
    *map_plan = *head;
    map_plan->head_update = UPDATE_NONE;
    map_plan->map_update = UPDATE_SGD;
    map_plan->rate = RATE_CAPPED;
    map_plan->head_rate = (double)self->map->features / 32.0;
    map_plan->tensor_rate = unit * unit;
    map_plan->tensor_l1 = wanted->theta_penalty == PENALTY_L1 ? wanted->theta_penalty_weight : 0.0;
    map_plan->tensor_l2 = wanted->theta_penalty == PENALTY_L2 ? wanted->theta_penalty_weight : 0.0;
    map_plan->stream = RANDOM_MAP_BATCHES;
    map_plan->steps = turns->iterations * turns->map_steps;
    fit_session_layer_units(self, map_plan);
}

/* Returns a plan that trains one layer of the map. */
static train_plan plan_of_layer(const fit_session *self, const train_plan *map_plan, size_t number) {
    train_plan out = *map_plan;
    for (size_t i = 0; i < self->map->layer_count; i++) {
        out.layer_fixed[i] = i != number;
    }
    return out;
}

/* Runs one iteration: T1 steps for the head, then, but for the last iteration, T2 for each layer of
 * the map, from the first on. */
static cnm_status iterate(fit_session *self, engine *runner, const schedule *turns, const train_plan *head,
                          const train_plan *map_plan, progress_meter *meter, uint64_t turn, cnm_error *err) {
    TRY(fit_steps_run(self, runner, head, meter, 1 + turn * turns->head_steps, turns->head_steps, err));
    for (size_t i = 0; turn + 1 < turns->iterations && i < self->map->layer_count && self->state != FIT_STOPPED; i++) {
        const train_plan one = plan_of_layer(self, map_plan, i);
        TRY(fit_steps_run(self, runner, &one, meter, 1 + turn * turns->map_steps, turns->map_steps, err));
    }
    return CNM_OK;
}

/* Fills by_class (classes) with the factors that give all classes the same total weight. */
static void balance_classes(const dataset *data, double *by_class) {
    const size_t rows = data->rows.rows, classes = data->classes.count;
    double total = 0.0;
    memset(by_class, 0, classes * sizeof *by_class);
    for (size_t i = 0; i < rows; i++) {
        const double weight = data->weights == NULL ? 1.0 : (double)data->weights[i];
        by_class[data->codes[i]] += weight;
        total += weight;
    }
    for (size_t c = 0; c < classes; c++) {
        by_class[c] = by_class[c] > 0.0 ? total / ((double)classes * by_class[c]) : 1.0;
    }
}

/* Fills weights (rows) with those of the data set, where `balanced` times the factors of their
 * classes. */
static void fill_weights(const dataset *data, bool balanced, const double *by_class, float *weights) {
    for (size_t i = 0; i < data->rows.rows; i++) {
        weights[i] =
            (data->weights == NULL ? 1.0F : data->weights[i]) * (balanced ? (float)by_class[data->codes[i]] : 1.0F);
    }
}

static cnm_status run(fit_session *self, engine *runner, const schedule *turns, const double *by_class, float *weights,
                      cnm_error *err) {
    train_plan head, map_plan;
    fill_plans(self, turns, &head, &map_plan);
    progress_meter meter = progress_start(self->data->callbacks, self->phase, self->steps);
    cnm_status status = CNM_OK;
    self->patience = self->data->settings->patience;
    for (uint64_t turn = 0; turn < turns->iterations && self->state != FIT_STOPPED; turn++) {
        if (turn == (turns->iterations + BALANCED_SHARE - 1) / BALANCED_SHARE) {
            fill_weights(self->data, false, by_class, weights);
        }
        TRY_DONE(iterate(self, runner, turns, &head, &map_plan, &meter, turn, err));
        TRY_DONE(fit_steps_validate(self, runner, &head, err));
        if (fit_steps_are_over(self)) {
            break;
        }
    }
    checkpoint_finish(self, runner, &meter);
done:
    early_stopping_restore(&self->best, self->map, &self->head);
    return status;
}

/* Replaces the session's weights, which the engine borrows, during the fit. */
cnm_status fit_alternating(fit_session *self, uint64_t iterations, cnm_error *err) {
    const dataset *data = self->data;
    const uint64_t batch = data->settings->batch > 0 ? data->settings->batch : BATCH;
    schedule turns = choose_schedule(data->settings);
    double *by_class = NULL;
    float *weights = NULL;
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    turns.iterations = iterations > 0 ? iterations : turns.iterations;
    TRY_DONE(memory_take(&by_class, data->classes.count, sizeof *by_class, "class weights", err));
    TRY_DONE(memory_take(&weights, data->rows.rows, sizeof *weights, "weights", err));
    balance_classes(data, by_class);
    fill_weights(data, true, by_class, weights);
    self->weights = weights;
    TRY_DONE(fit_session_engine(self, (size_t)batch, &runner, err));
    TRY_DONE(run(self, runner, &turns, by_class, weights, err));
done:
    engine_destroy(runner);
    self->weights = data->weights;
    memory_free(weights);
    memory_free(by_class);
    return status;
}
