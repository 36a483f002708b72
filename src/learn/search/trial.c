/* One pilot after the other on the same split, or on several where rows are few and one would judge by chance. Scalings that were fitted
 * are kept, with their bandwidth. */
#include "learn/search/trial.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/evaluate/metrics.h"
#include "learn/fit/frozen_map.h"
#include "learn/dataset/deduplicate.h"

enum { FOLDS = 5, ENOUGH_HELD = 1500 };

/* The problem under one scaling. */
typedef struct scaled_rows {
    problem problem; /* only its scaling and input are its own */
    bandwidth bandwidth;
    bool fitted; /* the scaling */
    bool ready;  /* the bandwidth */
} scaled_rows;

struct pilots {
    const training *of;
    pilot_size size;
    row_split folds[FOLDS];
    size_t fold_count, held; /* held: rows that judge, over all folds */
    scaled_rows scaled[SCALING_KINDS];
    float *scores;
    double deadline; /* 0: none */
    progress_meter meter;
};

/* As many folds as it takes to have enough rows that judge, and leave each enough steps to tell anything. */
static cnm_status make_folds(pilots *self, cnm_error *err) {
    const uint64_t fit = self->size.steps / self->size.fold_steps;
    const size_t most = fit < 1 ? 1 : fit < FOLDS ? (size_t)fit : FOLDS;
    cnm_status status = CNM_OK;
    while (status == CNM_OK && self->fold_count < most && self->held < ENOUGH_HELD) {
        row_split *fold = &self->folds[self->fold_count];
        status = split_create_spread(fold, &self->of->problem, self->fold_count, err);
        split_thin(fold, self->size.held);
        if (status == CNM_OK && self->of->problem.groups == NULL) {
            status = split_drop_copies(fold, &self->of->problem, err);
        }
        if (status != CNM_OK) {
            split_free(fold);
        }
        self->fold_count += status == CNM_OK;
        self->held += fold->held_count;
    }
    self->size.steps /= self->fold_count == 0 ? 1 : self->fold_count;
    if (status == CNM_OK && self->held == 0) {
        return error_set(err, CNM_BAD_DATA,
                         "no group of rows can be held back to choose settings by: no rows, or none of a class, would "
                         "be left to train; --effort quick trains without choosing");
    }
    return status;
}

cnm_status pilots_create(pilots **out, const training *of, const pilot_size *size, size_t total, cnm_error *err) {
    cnm_status status = memory_zeroed(out, 1, sizeof **out, "pilots", err);
    if (status != CNM_OK) {
        return status;
    }
    pilots *self = *out;
    self->of = of;
    self->size = *size;
    self->deadline = size->deadline;
    /* A fold takes a step more than its share: see pilots_judge_size(). */
    self->meter = progress_start(of->problem.callbacks, "choose", (size->steps + FOLDS) * total);
    status = make_folds(self, err);
    if (status == CNM_OK) {
        status = memory_take(&self->scores, self->held * of->problem.outputs, sizeof(float), "scores", err);
    }
    if (status != CNM_OK) {
        pilots_destroy(self);
        *out = NULL;
    }
    return status;
}

void pilots_destroy(pilots *self) {
    if (self == NULL) {
        return;
    }
    for (size_t i = 0; i < SCALING_KINDS; i++) {
        problem_unscale(&self->scaled[i].problem);
    }
    for (size_t i = 0; i < self->fold_count; i++) {
        split_free(&self->folds[i]);
    }
    memory_free(self->scores);
    memory_free(self);
}

static cnm_status prepare(pilots *self, scaling_kind kind, cnm_error *err) {
    scaled_rows *rows = &self->scaled[kind];
    if (rows->fitted) {
        return CNM_OK;
    }
    rows->fitted = true;
    rows->problem = self->of->problem;
    rows->problem.scaling = (scaling){0};
    rows->problem.input = (input_stage){.fill = self->of->problem.input.fill};
    const cnm_status status = problem_scale(&rows->problem, kind, err);
    rows->problem.input.fill = NULL; /* the rows are filled in already */
    return status;
}

/* Map, head and rows of a pilot; the bandwidth is found with the first under its scaling. */
static cnm_status begin(pilots *self, training *trial, const recipe *tried, const row_split *fold, const map_spec *spec,
                        cnm_error *err) {
    scaled_rows *rows = &self->scaled[tried->scale];
    *trial = (training){.problem = rows->problem,
                        .spec = *spec,
                        .recipe = *tried,
                        .split = *fold,
                        .trial = true,
                        .deadline = self->deadline,
                        .safeguard = {.bound = self->of->safeguard.bound},
                        .checkpoint = self->of->checkpoint};
    trial->recipe.batch = trial->recipe.batch < fold->train_count ? trial->recipe.batch : fold->train_count;
    trial->bandwidth = rows->bandwidth;
    trial->measured = rows->ready;
    cnm_status status = training_draw(trial, err);
    rows->bandwidth = trial->bandwidth;
    rows->ready = trial->measured;
    if (status == CNM_OK) {
        trial->feature_scale = (double)trial->map->scale;
        status = head_create(&trial->head, trial->map->features, trial->problem.outputs, err);
    }
    return status;
}

static cnm_status run(pilots *self, training *trial, double *loss, bool *stop, cnm_error *err) {
    train_plan plan = joint_plan(trial);
    if (trial->map->tensor_count == 0) { /* nothing of the map is learned */
        plan.map_update = NULL;
    }
    const row_split *split = &trial->split;
    engine *runner;
    cnm_status status = training_engine(trial, plan.batch, &runner, err);
    status = status == CNM_OK ? solve_head(trial, &plan, err) : status;
    if (status == CNM_OK) {
        status = training_run(trial, runner, &plan, &self->meter, 1, plan.steps, err);
    }
    *stop = trial->stopped || trial->cut;
    const bool through = status == CNM_OK && !*stop && !trial->diverged;
    if (through) {
        status = engine_scores(runner, &plan, split->held, split->held_count, self->scores, err);
    }
    if (status == CNM_OK && through) {
        status = judge_scores(&trial->problem, split->held, split->held_count, self->scores, loss, err);
    }
    engine_destroy(runner);
    return status;
}

static cnm_status judge_fold(pilots *self, const recipe *tried, const row_split *fold, const map_spec *spec,
                             double *loss, bool *stop, cnm_error *err) {
    training trial = {.problem = self->of->problem, .spec = *spec, .recipe = *tried};
    if (checkpoint_recall(self->of->checkpoint, loss, stop)) {
        const uint64_t steps = head_is_solved(&trial) ? 1 : tried->steps;
        self->meter.before += steps;
        self->meter.skipped += steps;
        return CNM_OK;
    }
    cnm_status status = begin(self, &trial, tried, fold, spec, err);
    if (status == CNM_OK) {
        status = run(self, &trial, loss, stop, err);
    }
    if (status == CNM_OK && !*stop) {
        status = checkpoint_note(self->of->checkpoint, *loss, err);
    }
    input_unbind(&trial.source);
    map_destroy(trial.map);
    head_free(&trial.head);
    safeguard_free(&trial.safeguard);
    return status;
}

/* Mean loss over the folds. */
static cnm_status judge_spec(pilots *self, const recipe *tried, const map_spec *spec, double *loss, bool *stop,
                             cnm_error *err) {
    double sum = 0.0;
    *loss = INFINITY;
    *stop = false;
    cnm_status status = prepare(self, tried->scale, err);
    for (size_t i = 0; status == CNM_OK && !*stop && i < self->fold_count; i++) {
        double one = INFINITY;
        status = judge_fold(self, tried, &self->folds[i], spec, &one, stop, err);
        sum += one;
    }
    if (status == CNM_OK && !*stop && isfinite(sum)) {
        *loss = sum / (double)self->fold_count;
    }
    return status;
}

cnm_status pilots_judge_size(pilots *self, const recipe *tried, size_t features, double share, double *loss, bool *stop,
                             cnm_error *err) {
    map_spec spec = self->of->spec;
    recipe shorter = *tried;
    spec.features = features;
    shorter.steps = (uint64_t)(share * (double)self->size.steps) + 1;
    return judge_spec(self, &shorter, &spec, loss, stop, err);
}

cnm_status pilots_judge(pilots *self, const recipe *tried, double *loss, bool *stop, cnm_error *err) {
    return pilots_judge_size(self, tried, self->size.features, 1.0, loss, stop, err);
}

cnm_status pilots_judge_linear(pilots *self, double *loss, bool *stop, cnm_error *err) {
    map_spec spec = self->of->spec;
    const recipe plain = {
        .scale = SCALING_STANDARD, .width = 1.0, .steps = self->size.steps, .batch = self->of->recipe.batch};
    spec.projection = spec.activation = "identity";
    spec.features = self->of->problem.rows.columns;
    spec.phases = false;
    return judge_spec(self, &plain, &spec, loss, stop, err);
}

/* Measured on sets of 230 to 500,000 rows: with less, choices follow chance; with more, gains are passed over. Errors of numbers differ by
 * less than shares of errors do, and by less chance. */
double pilots_margin(const pilots *self) {
    return (self->of->problem.task == TASK_CLASSIFY ? 0.15 : 0.075) / sqrt((double)self->held);
}

double pilots_share(const pilots *self) { return (double)self->size.steps / (double)self->of->recipe.steps; }

size_t pilots_folds(const pilots *self) { return self->fold_count; }
