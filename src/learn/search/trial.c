/* One trial after the other on the same validation rows: those of one split, or of several folds
 * where rows are few. Scalings that were fitted are kept, with their bandwidth. */
#include "learn/search/trial.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/deduplicate.h"
#include "learn/evaluate/metrics.h"
#include "learn/fit/fit_joint.h"
#include "learn/fit/fit_steps.h"
#include "learn/fit/frozen_map.h"
#include "learn/fit/init_map.h"
#include "learn/tuning.h"

enum { FOLDS = 5 };

/* The data set under one scaling. */
typedef struct trial_rows {
    scaled_rows rows;
    bandwidth bandwidth; /* its sigma is 0 until the first trial under this scaling */
    bool fitted;
} trial_rows;

struct trials {
    const fit_session *of;
    trial_size size;
    row_split folds[FOLDS];
    size_t fold_count, held; /* held: validation rows of all folds */
    trial_rows scaled[SCALING_KINDS];
    float *scores;
    progress_meter meter;
};

/* Splits off validation rows, without copies of them among the training rows. */
static cnm_status make_fold(trials *self, row_split *fold, cnm_error *err) {
    TRY(split_create_spread(fold, self->of->data, self->fold_count, err));
    split_thin(fold, self->size.held);
    if (self->of->data->groups == NULL) {
        TRY(split_deduplicate(fold, self->of->data, err));
    }
    return CNM_OK;
}

/* Makes as many folds as are needed for enough validation rows, while each has enough steps. */
static cnm_status make_folds(trials *self, cnm_error *err) {
    const uint64_t fit = self->size.steps / self->size.fold_steps;
    const size_t most = fit < 1 ? 1 : fit < FOLDS ? (size_t)fit : FOLDS;
    while (self->fold_count < most && self->held < TUNING.enough_validation_rows) {
        row_split *fold = &self->folds[self->fold_count];
        const cnm_status status = make_fold(self, fold, err);
        if (status != CNM_OK) {
            split_free(fold);
            return status;
        }
        self->fold_count++;
        self->held += fold->held_count;
    }
    self->size.steps /= self->fold_count == 0 ? 1 : self->fold_count;
    if (self->held == 0) {
        return error_set(err, CNM_BAD_DATA,
                         "no group of rows can be held back to choose settings by: no rows, or none of a class, would "
                         "be left to train; --effort quick trains without choosing");
    }
    return CNM_OK;
}

static void trials_destroy(trials *self) {
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < SCALING_KINDS; i++) {
        scaled_rows_free(&self->scaled[i].rows);
    }
    for (size_t i = 0; i < self->fold_count; i++) {
        split_free(&self->folds[i]);
    }
    memory_free(self->scores);
    memory_free(self);
}

static cnm_status trials_create(trials **out, const fit_session *of, const trial_size *size, size_t total,
                                cnm_error *err) {
    trials *self;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "trials", err));
    self->of = of;
    self->size = *size;
    /* A fold takes a step more than its share: see trials_run(). */
    self->meter = progress_start(of->data->callbacks, "search", (size->steps + FOLDS) * total);
    self->meter.span = size->span;
    TRY_DONE(make_folds(self, err));
    TRY_DONE(memory_take(&self->scores, self->held * of->data->outputs, sizeof(float), "scores", err));
    *out = self;
done:
    if (status != CNM_OK) {
        trials_destroy(self);
    }
    return status;
}

/* ---- One fold ---- */

static cnm_status prepare(trials *self, scaling_kind kind, cnm_error *err) {
    trial_rows *rows = &self->scaled[kind];
    if (!rows->fitted) {
        TRY(scaled_rows_create(&rows->rows, self->of->data, kind, err));
        memory_free(rows->rows.input.fill); /* the rows are filled in already */
        rows->rows.input.fill = NULL;
        rows->fitted = true;
    }
    return CNM_OK;
}

static fit_session begin(trials *self, const hyperparameters *tried, const row_split *fold, const map_spec *spec) {
    const trial_rows *rows = &self->scaled[tried->scale];
    fit_session trial = {.data = self->of->data,
                         .scaled = &rows->rows,
                         .weights = self->of->data->weights,
                         .spec = *spec,
                         .chosen = *tried,
                         .split = *fold,
                         .bandwidth = rows->bandwidth,
                         .role = FIT_TRIAL,
                         .phase = "search",
                         .time = {.deadline = self->size.deadline},
                         .guard = {.bound = self->of->guard.bound},
                         .checkpoint = self->of->checkpoint};
    trial.chosen.batch = trial.chosen.batch < fold->train_count ? trial.chosen.batch : fold->train_count;
    return trial;
}

/* Creates the initial map and head; the bandwidth is estimated with the first trial under its
 * scaling. */
static cnm_status init(trials *self, fit_session *trial, cnm_error *err) {
    const cnm_status status = init_map(trial, err);
    self->scaled[trial->chosen.scale].bandwidth = trial->bandwidth;
    TRY(status);
    trial->feature_scale = (double)trial->map->scale;
    return head_create(&trial->head, trial->map->features, trial->data->outputs, err);
}

/* Counts the solution for a head as half of the steps that take as long: all solutions of a
 * comparison may cost a little more than the one trial that is announced for them. */
static void count_solution(trials *self, const fit_session *trial) {
    self->meter.before += head_is_solved(trial) ? (uint64_t)(0.5 * solve_steps(trial)) : 0;
}

static cnm_status fit_and_evaluate(trials *self, fit_session *trial, double *loss, bool *stop, cnm_error *err) {
    train_plan plan = joint_plan(trial);
    if (map_last(trial->map)->tensor_count == 0) { /* nothing of the map is learned */
        plan.map_update = UPDATE_NONE;
    }
    const row_split *split = &trial->split;
    engine *runner = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(fit_session_engine(trial, plan.batch, &runner, err));
    TRY_DONE(solve_head(trial, &plan, err));
    TRY_DONE(fit_steps_run(trial, runner, &plan, &self->meter, 1, plan.steps, err));
    count_solution(self, trial);
    *stop = trial->state == FIT_STOPPED || trial->state == FIT_TIMED_OUT;
    if (!fit_session_ended(trial)) {
        TRY_DONE(engine_scores(runner, &plan, split->held, split->held_count, self->scores, err));
        TRY_DONE(metric_loss(trial->data, split->held, split->held_count, self->scores, loss, err));
    }
done:
    engine_destroy(runner);
    return status;
}

static cnm_status run_fold(trials *self, const hyperparameters *tried, const row_split *fold, const map_spec *spec,
                           double *loss, bool *stop, cnm_error *err) {
    fit_session trial = begin(self, tried, fold, spec);
    cnm_status status = CNM_OK;
    if (checkpoint_next_trial(self->of->checkpoint, loss, stop)) {
        const uint64_t before = self->meter.before;
        self->meter.before += head_is_solved(&trial) ? 1 : tried->steps;
        count_solution(self, &trial);
        self->meter.skipped += self->meter.before - before;
        return CNM_OK;
    }
    TRY_DONE(init(self, &trial, err));
    TRY_DONE(fit_and_evaluate(self, &trial, loss, stop, err));
    if (!*stop) {
        TRY_DONE(checkpoint_add_trial(self->of->checkpoint, *loss, err));
    }
done:
    fit_session_free(&trial);
    return status;
}

/* ---- All folds ---- */

/* Returns the mean loss over the folds; infinite where one diverged. */
static cnm_status run_folds(trials *self, const hyperparameters *tried, const map_spec *spec, double *loss, bool *stop,
                            cnm_error *err) {
    double sum = 0.0;
    *loss = INFINITY;
    *stop = false;
    TRY(prepare(self, tried->scale, err));
    for (size_t i = 0; !*stop && i < self->fold_count; i++) {
        double one = INFINITY;
        TRY(run_fold(self, tried, &self->folds[i], spec, &one, stop, err));
        sum += one;
    }
    if (!*stop && isfinite(sum)) {
        *loss = sum / (double)self->fold_count;
    }
    return CNM_OK;
}

static cnm_status trials_run(trials *self, const hyperparameters *tried, size_t features, double share, double *loss,
                             bool *stop, cnm_error *err) {
    map_spec spec = self->of->spec;
    hyperparameters shorter = *tried;
    spec.features = features;
    shorter.steps = (uint64_t)(share * (double)self->size.steps) + 1;
    return run_folds(self, &shorter, &spec, loss, stop, err);
}

static cnm_status trials_run_linear(trials *self, double *loss, bool *stop, cnm_error *err) {
    map_spec spec = self->of->spec;
    const hyperparameters plain = {.scale = SCALING_STANDARD,
                                   .map_mode = MAP_LEARNED,
                                   .map_rate = 1.0,
                                   .width = 1.0,
                                   .steps = self->size.steps,
                                   .batch = self->of->chosen.batch};
    spec.projection = spec.activation = "identity";
    spec.inner_count = 0;
    spec.features = self->of->data->rows.columns;
    spec.phases = false;
    return run_folds(self, &plain, &spec, loss, stop, err);
}

/* Returns the margin, from studies of data sets of 230 to 500,000 rows: with a smaller margin,
 * chance decides; with a larger one, gains are missed. Regression losses differ less than
 * classification losses, and less by chance. */
static double trials_margin(const trials *self) {
    return (self->of->data->task == TASK_CLASSIFY ? TUNING.margin_classify : TUNING.margin_regress) /
           sqrt((double)self->held);
}

static double trials_share(const trials *self) { return (double)self->size.steps / (double)self->of->chosen.steps; }

static size_t trials_folds(const trials *self) { return self->fold_count; }

const trial_ops TRIALS = {trials_create, trials_destroy, trials_run,  trials_run_linear,
                          trials_margin, trials_share,   trials_folds};
