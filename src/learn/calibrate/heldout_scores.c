/* Rows that were held back, or a second training that leaves some out.
 *
 * A model fits its own rows better than others: what they say of its scores promises too much. Half the steps are enough for scores like
 * the first training's (decisions 18 and 21). */
#include "learn/calibrate/heldout_scores.h"
#include "learn/fit/frozen_map.h"

#include "base/core/memory.h"

enum { LEAST_ROWS = 8, MOST_HELD = 4000, SHARE_OF_STEPS = 5, LEAST_STEPS = 2000 };

static cnm_status take(held_scores *out, size_t count, size_t outputs, cnm_error *err) {
    *out = (held_scores){.outputs = outputs};
    cnm_status status = memory_take(&out->scores, count * outputs, sizeof *out->scores, "scores of held rows", err);
    if (status == CNM_OK) {
        status = memory_take(&out->classes, count, sizeof *out->classes, "labels of held rows", err);
    }
    if (status == CNM_OK) {
        status = memory_take(&out->weights, count, sizeof *out->weights, "weights of held rows", err);
    }
    return status;
}

void held_scores_free(held_scores *self) {
    memory_free(self->scores);
    memory_free(self->classes);
    memory_free(self->weights);
    *self = (held_scores){0};
}

/* Adds the engine's scores of the rows that a training holds. */
static cnm_status add(held_scores *out, const training *of, engine *runner, const train_plan *plan, cnm_error *err) {
    const problem *task = &of->problem;
    const row_split *split = &of->split;
    const cnm_status status =
        engine_scores(runner, plan, split->held, split->held_count, out->scores + out->count * out->outputs, err);
    for (size_t i = 0; status == CNM_OK && i < split->held_count; i++) {
        out->classes[out->count] = task->codes[split->held[i]];
        out->weights[out->count++] = task->weights == NULL ? 1.0F : task->weights[split->held[i]];
    }
    return status;
}

/* With the parameters as they are. */
static cnm_status add_present(held_scores *out, training *of, cnm_error *err) {
    const train_plan plan = {.loss = of->problem.loss,
                             .loss_parameter = of->problem.loss->parameter,
                             .feature_scale = of->feature_scale,
                             .batch = 1,
                             .steps = 1};
    engine *runner;
    cnm_status status = training_engine(of, plan.batch, &runner, err);
    if (status == CNM_OK) {
        status = add(out, of, runner, &plan, err);
    }
    engine_destroy(runner);
    return status;
}

/* ---- A second training ---- */

/* The head's steps of this training, a fifth of them where they are many, on a map that stays as it is. */
static train_plan shorter_plan(training *self) {
    train_plan plan = head_plan(self);
    const uint64_t some = plan.steps / SHARE_OF_STEPS, least = some < LEAST_STEPS ? LEAST_STEPS : some;
    plan.steps = plan.steps < least ? plan.steps : least;
    plan.average_from = plan.average_from > 0 ? plan.steps / 2 : 0;
    plan.reuse = plan.steps;
    return plan;
}

/* Runs a plan on the trial's rows. Where the caller stops it there are no scores. */
static cnm_status run(held_scores *out, training *trial, const train_plan *plan, cnm_error *err) {
    progress_meter meter = progress_start(trial->problem.callbacks, "calibrate", plan->steps);
    engine *runner;
    cnm_status status = training_engine(trial, plan->batch, &runner, err);
    status = status == CNM_OK ? solve_head(trial, plan, err) : status;
    if (status == CNM_OK) {
        status = training_run(trial, runner, plan, &meter, 1, plan->steps, err);
    }
    if (status == CNM_OK && !trial->stopped) {
        checkpoint_finish(trial, runner, &meter);
        engine_use_average(runner);
        status = add(out, trial, runner, plan, err);
    }
    engine_destroy(runner);
    return status;
}

/* Labels play no part in the map: it is taken as it is. */
static cnm_status train_head(held_scores *out, training *trial, cnm_error *err) {
    cnm_status status = head_create(&trial->head, trial->map->features, trial->problem.outputs, err);
    if (status == CNM_OK) {
        const train_plan plan = shorter_plan(trial);
        status = run(out, trial, &plan, err);
    }
    return status;
}

/* Half the turns; no row judges while it trains. */
static cnm_status train_in_turns(held_scores *out, training *trial, cnm_error *err) {
    const size_t held = trial->split.held_count;
    settings shorter = *trial->problem.settings;
    shorter.iterations = (alternating_turns(&shorter) + 1) / 2;
    trial->problem.settings = &shorter;
    trial->split.held_count = 0;
    cnm_status status = fit_alternating(trial, err);
    trial->split.held_count = held;
    return status == CNM_OK && !trial->stopped ? add_present(out, trial, err) : status;
}

/* Map and head from their beginning. */
static cnm_status train_both(held_scores *out, training *trial, const cnm_model *start, cnm_error *err) {
    trial->map = NULL;
    trial->source = (input_source){0};
    cnm_status status = training_begin(trial, start, err);
    if (status == CNM_OK && trial->problem.settings->recipe == RECIPE_ALTERNATING) {
        status = train_in_turns(out, trial, err);
    } else if (status == CNM_OK) {
        trial->recipe.steps = (trial->recipe.steps + 1) / 2;
        const train_plan plan = joint_plan(trial);
        status = run(out, trial, &plan, err);
    }
    input_unbind(&trial->source);
    map_destroy(trial->map);
    return status;
}

/* On the rows of its split. */
static cnm_status train_rest(held_scores *out, training *trial, const cnm_model *start, cnm_error *err) {
    const uint64_t rows = trial->split.train_count;
    trial->recipe.batch = trial->recipe.batch < rows ? trial->recipe.batch : rows;
    const cnm_status status = take(out, trial->split.held_count, trial->problem.outputs, err);
    if (status != CNM_OK) {
        return status;
    }
    return trial->problem.settings->method == METHOD_CNM ? train_both(out, trial, start, err)
                                                         : train_head(out, trial, err);
}

static cnm_status train_apart(held_scores *out, training *self, const cnm_model *start, cnm_error *err) {
    training trial = training_after(self, "calibrate");
    cnm_status status = split_create_spread(&trial.split, &self->problem, 0, err);
    split_thin(&trial.split, MOST_HELD);
    if (status == CNM_OK && trial.split.held_count >= LEAST_ROWS && trial.split.train_count >= LEAST_ROWS) {
        status = train_rest(out, &trial, start, err);
    }
    self->stopped = trial.stopped;
    head_free(&trial.head);
    safeguard_free(&trial.safeguard);
    split_free(&trial.split);
    return status;
}

cnm_status held_scores_find(held_scores *out, training *self, const cnm_model *start, cnm_error *err) {
    *out = (held_scores){0};
    if (self->stopped) {
        return CNM_OK;
    }
    if (self->split.held_count >= LEAST_ROWS) {
        split_thin(&self->split, MOST_HELD);
        const cnm_status status = take(out, self->split.held_count, self->problem.outputs, err);
        return status == CNM_OK ? add_present(out, self, err) : status;
    }
    return self->problem.settings->time_limit > 0.0 ? CNM_OK : train_apart(out, self, start, err);
}
