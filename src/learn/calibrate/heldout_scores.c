/* Takes validation rows, or repeats the training without some rows.
 *
 * The scores of training rows are too confident. Half the steps are enough for scores like those of
 * the first training (decisions 18 and 21). */
#include "learn/calibrate/heldout_scores.h"

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/fit/fit_alternating.h"
#include "learn/fit/fit_joint.h"
#include "learn/fit/fit_linear_head.h"
#include "learn/fit/fit_steps.h"
#include "learn/fit/frozen_map.h"
#include "learn/fit/init_map.h"

enum { LEAST_ROWS = 8, MOST_HELD = 4000, SHARE_OF_STEPS = 5, LEAST_STEPS = 2000 };

static cnm_status create(heldout_scores *out, size_t count, size_t outputs, cnm_error *err) {
    *out = (heldout_scores){.outputs = outputs};
    TRY(memory_take(&out->scores, count * outputs, sizeof *out->scores, "scores of held-out rows", err));
    TRY(memory_take(&out->classes, count, sizeof *out->classes, "labels of held-out rows", err));
    return memory_take(&out->weights, count, sizeof *out->weights, "weights of held-out rows", err);
}

void heldout_scores_free(heldout_scores *self) {
    memory_free(self->scores);
    memory_free(self->classes);
    memory_free(self->weights);
    *self = (heldout_scores){0};
}

/* Adds the engine's scores of a session's held-out rows. */
static cnm_status add(heldout_scores *out, const fit_session *of, engine *runner, const train_plan *plan,
                      cnm_error *err) {
    const dataset *data = of->data;
    const row_split *split = &of->split;
    TRY(engine_scores(runner, plan, split->held, split->held_count, out->scores + out->count * out->outputs, err));
    for (size_t i = 0; i < split->held_count; i++) {
        out->classes[out->count] = data->codes[split->held[i]];
        out->weights[out->count++] = data->weights == NULL ? 1.0F : data->weights[split->held[i]];
    }
    return CNM_OK;
}

/* Adds the scores of the present parameters. */
static cnm_status add_present(heldout_scores *out, fit_session *of, cnm_error *err) {
    const train_plan plan = {.loss = of->data->loss,
                             .loss_parameter = dataset_loss_parameter(of->data),
                             .feature_scale = of->feature_scale,
                             .batch = 1,
                             .steps = 1};
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(fit_session_engine(of, plan.batch, &runner, err));
    TRY_DONE(add(out, of, runner, &plan, err));
done:
    engine_destroy(runner);
    return status;
}

/* ---- A second training ---- */

/* Returns the plan for the head, with a fifth of its steps where they are many. */
static train_plan shorter_plan(fit_session *self) {
    train_plan plan = head_plan(self);
    const uint64_t some = plan.steps / SHARE_OF_STEPS, least = some < LEAST_STEPS ? LEAST_STEPS : some;
    plan.steps = plan.steps < least ? plan.steps : least;
    plan.average_from = plan.average_from > 0 ? plan.steps / 2 : 0;
    plan.reuse = plan.steps;
    return plan;
}

/* Runs a plan on the second session's rows. Where the caller stops it there are no scores. */
static cnm_status run(heldout_scores *out, fit_session *second, const train_plan *plan, cnm_error *err) {
    progress_meter meter = progress_start(second->data->callbacks, second->phase, plan->steps);
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(fit_session_engine(second, plan->batch, &runner, err));
    TRY_DONE(solve_head(second, plan, err));
    TRY_DONE(fit_steps_run(second, runner, plan, &meter, 1, plan->steps, err));
    if (second->state != FIT_STOPPED) {
        checkpoint_finish(second, runner, &meter);
        engine_use_average(runner);
        TRY_DONE(add(out, second, runner, plan, err));
    }
done:
    engine_destroy(runner);
    return status;
}

/* Fits the head alone: the map does not depend on labels, and is borrowed from the first
 * session. */
static cnm_status fit_second_head(heldout_scores *out, fit_session *second, cnm_error *err) {
    const fit_session *first = second->finished;
    second->map = first->map;
    second->source = first->source;
    cnm_status status = CNM_OK;
    TRY_DONE(head_create(&second->head, second->map->features, second->data->outputs, err));
    const train_plan plan = shorter_plan(second);
    TRY_DONE(run(out, second, &plan, err));
done:
    second->map = NULL;
    second->source = (input_source){0};
    return status;
}

/* Fits with half of the iterations, and no validation meanwhile. */
static cnm_status fit_second_alternating(heldout_scores *out, fit_session *second, cnm_error *err) {
    const size_t held = second->split.held_count;
    second->split.held_count = 0;
    const cnm_status status = fit_alternating(second, (alternating_iterations(second->data->settings) + 1) / 2, err);
    second->split.held_count = held;
    TRY(status);
    return second->state == FIT_STOPPED ? CNM_OK : add_present(out, second, err);
}

/* Fits map and head from their beginning. */
static cnm_status fit_second_map(heldout_scores *out, fit_session *second, const cnm_model *start, cnm_error *err) {
    TRY(init_map_and_head(second, start, err));
    if (second->data->settings->recipe == RECIPE_ALTERNATING) {
        return fit_second_alternating(out, second, err);
    }
    second->chosen.steps = (second->chosen.steps + 1) / 2;
    const train_plan plan = joint_plan(second);
    return run(out, second, &plan, err);
}

static cnm_status fit_second(heldout_scores *out, fit_session *second, const cnm_model *start, cnm_error *err) {
    const uint64_t rows = second->split.train_count;
    second->chosen.batch = second->chosen.batch < rows ? second->chosen.batch : rows;
    TRY(create(out, second->split.held_count, second->data->outputs, err));
    return second->data->settings->method == METHOD_CNM ? fit_second_map(out, second, start, err)
                                                        : fit_second_head(out, second, err);
}

static cnm_status leave_out(heldout_scores *out, fit_session *self, const cnm_model *start, cnm_error *err) {
    fit_session second = fit_session_after(self, "calibrate");
    row_split split = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(split_create_spread(&split, self->data, 0, err));
    split_thin(&split, MOST_HELD);
    second.split = split;
    if (split.held_count >= LEAST_ROWS && split.train_count >= LEAST_ROWS) {
        TRY_DONE(fit_second(out, &second, start, err));
    }
    self->state = second.state == FIT_STOPPED ? FIT_STOPPED : self->state;
done:
    fit_session_free(&second);
    split_free(&split);
    return status;
}

cnm_status heldout_scores_find(heldout_scores *out, fit_session *self, const cnm_model *start, cnm_error *err) {
    *out = (heldout_scores){0};
    if (self->state == FIT_STOPPED) {
        return CNM_OK;
    }
    if (self->split.held_count >= LEAST_ROWS) {
        split_thin(&self->split, MOST_HELD);
        TRY(create(out, self->split.held_count, self->data->outputs, err));
        return add_present(out, self, err);
    }
    return self->data->settings->time_limit > 0.0 ? CNM_OK : leave_out(out, self, start, err);
}
