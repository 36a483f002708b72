/* A whole training on four fifths of the rows, by learn_train itself: nothing of it, scaling,
 * search and calibration included, has seen the rows that score it, so that the score is unbiased
 * for a training on that many rows. */
#include "learn/train/training.h"

#include <math.h>
#include <stdio.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/dataset/deduplicate.h"
#include "learn/detect/detect_time_order.h"
#include "learn/evaluate/holdout_score.h"
#include "learn/evaluate/metrics.h"

/* The share of the rows, and of --time-limit; of the progress, what the linear model takes. */
static const double HELD_SHARE = 0.2, TIME_SHARE = 0.4, LINEAR_WORK = 0.03;
enum { LEAST_ROWS = 20 };

/* What the stage owns. */
typedef struct estimation {
    training *of;
    row_split split;
    table *train, *held;
    holdout_score own, linear;
    progress_plan plan;
    cnm_callbacks callbacks; /* the caller's without its notices: the training itself sends them */
    bool stopped;
} estimation;

/* ---- The rows ---- */

/* Finds out whether rows are in time order, as the stage `detect` does for joint trainings. */
static cnm_status find_order(const training *self, bool *ordered, cnm_error *err) {
    input_source rows = {0};
    *ordered = self->known.time_ordered;
    if (self->joint || rows_stay_sparse(&self->data.rows)) {
        return CNM_OK;
    }
    TRY(input_bind(&rows, &self->scaled.input, &self->data.rows, false, err));
    const cnm_status status = detect_time_order(&self->data, &rows, ordered, err);
    input_unbind(&rows);
    return status;
}

/* Holds out a random fifth of each class, or of the groups; of rows in time order, the last fifth.
 * Copies of held-out rows do not train. */
static cnm_status hold_rows(estimation *self, cnm_error *err) {
    const training *of = self->of;
    const bool grouped = of->data.groups != NULL, classes = of->data.task == TASK_CLASSIFY;
    bool ordered = false;
    if (of->data.rows.rows < LEAST_ROWS) {
        return error_set(err, CNM_BAD_DATA, "it takes at least %d rows, and here are %zu", LEAST_ROWS,
                         of->data.rows.rows);
    }
    if (!grouped) {
        TRY(find_order(of, &ordered, err));
    }
    TRY(ordered ? split_create(&self->split, &of->data, HELD_SHARE, err)
                : split_create_random(&self->split, &of->data, HELD_SHARE, of->settings.seed, err));
    self->of->estimate.split = grouped   ? "a random fifth, whole groups"
                               : ordered ? (classes ? "the last fifth of each class: rows are in time order"
                                                    : "the last fifth: rows are in time order")
                                         : (classes ? "a random fifth of each class" : "a random fifth");
    return grouped ? CNM_OK : split_deduplicate(&self->split, &of->data, err);
}

static cnm_status take_tables(estimation *self, cnm_error *err) {
    const row_split *split = &self->split;
    TRY(hold_rows(self, err));
    TRY(table_select(&self->train, self->of->rows, split->train, split->train_count, err));
    return table_select(&self->held, self->of->rows, split->held, split->held_count, err);
}

/* ---- The trainings ---- */

/* Returns the settings of the training without an estimate and a checkpoint of its own. */
static settings own_settings(const training *of) {
    settings own = of->settings;
    own.estimate = ESTIMATE_NO;
    own.task = of->data.task == TASK_CLASSIFY ? WANT_CLASSIFY : WANT_REGRESS;
    own.checkpoint = NULL;
    own.resume = false;
    own.given = NULL;
    own.time_limit *= TIME_SHARE;
    return own;
}

/* Returns the settings of a linear model of LINEAR_STEPS steps: on magic04 it is as good as one of
 * five times as many, which --method linear makes. It has the same loss where one is given. */
static settings linear_settings(const training *of) {
    enum { LINEAR_STEPS = 2000, LINEAR_BATCH = 500 };
    const size_t rows = of->data.rows.rows, batches = rows / LINEAR_BATCH;
    settings own = own_settings(of);
    own.method = METHOD_LINEAR;
    own.recipe = RECIPE_JOINT;
    own.batch = LINEAR_BATCH;
    own.epochs = batches > LINEAR_STEPS ? 1 : LINEAR_STEPS / (batches > 0 ? batches : 1);
    own.lambda = own.time_limit = own.validation = own.prune = 0.0;
    return own;
}

/* Returns the status of a training, or that of a stop, which the training may have heard too
 * late. */
static cnm_status hear_stop(estimation *self, cnm_status status, cnm_error *err) {
    self->stopped = status == CNM_CANCELLED || self->plan.asked;
    return self->stopped ? error_set(err, CNM_CANCELLED, "stopped before there was a model, as asked") : status;
}

/* Trains a model and scores it. */
static cnm_status train_and_score(estimation *self, const settings *wanted, const char *metric, holdout_score *out,
                                  cnm_error *err) {
    const cnm_callbacks *callbacks = progress_plan_callbacks(&self->plan);
    cnm_model *model = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(hear_stop(self, learn_train(&model, self->train, NULL, wanted, NULL, callbacks, err), err));
    TRY_DONE(holdout_score_create(out, model, self->train, self->held, metric, (size_t)wanted->threads, err));
done:
    model_destroy(model);
    return status;
}

/* Returns the name of --metric where that is no other name of the score. */
static const char *other_metric(const training *of) {
    const int metric = of->settings.metric;
    return metric == METRIC_AUTO || metric == METRIC_ACCURACY ? NULL : metric_name(metric);
}

/* Fills both scores; that of the linear model stays empty where the method is linear. */
static cnm_status train_both(estimation *self, cnm_error *err) {
    const training *of = self->of;
    const settings own = own_settings(of), linear = linear_settings(of);
    const bool compares = of->method->projection == NULL;
    const double work[] = {1.0, compares ? LINEAR_WORK : 0.0};
    TRY(take_tables(self, err));
    progress_plan_enter(&self->plan, "estimate", 0, work, 2);
    TRY(train_and_score(self, &own, other_metric(of), &self->own, err));
    progress_plan_enter(&self->plan, "estimate", 1, work, 2);
    return compares ? train_and_score(self, &linear, NULL, &self->linear, err) : CNM_OK;
}

/* ---- The outcome ---- */

static cnm_status keep(estimation *self, cnm_error *err) {
    estimate *out = &self->of->estimate;
    out->known = true;
    out->name = self->own.measure->name;
    out->rows = self->own.rows;
    out->value = self->own.value;
    out->error = self->own.error;
    out->baseline = self->own.baseline;
    out->metric = self->own.metric;
    out->linear = self->linear.each == NULL ? NAN : self->linear.value;
    return compare_baselines(self->of, &self->own, &self->linear, self->held, err);
}

static cnm_status make_estimate(estimation *self, cnm_error *err) {
    TRY(train_both(self, err));
    return keep(self, err);
}

/* ---- The stage ---- */

/* Decides what a failure means: rows that leave no estimate are trained all the same. A stop ends
 * the training as one in the search does; where it can be resumed, a checkpoint of the few steps
 * that are left would be one of another training, so that it ends at once. */
static cnm_status settle(estimation *self, cnm_status status, const cnm_error *failure, cnm_error *err) {
    training *of = self->of;
    if (self->stopped && of->checkpoint == NULL) {
        of->plan.stopped = true;
        of->fit.state = of->joint ? FIT_STOP_REQUESTED : FIT_RUNS;
        return CNM_OK;
    }
    if (status == CNM_BAD_DATA) {
        notice_send(of->callbacks, "no estimate of the score on rows not trained on: %s", failure->message);
        return CNM_OK;
    }
    if (status != CNM_OK && err != NULL) {
        *err = *failure;
    }
    return status;
}

/* Lets the time limit count from here on for what is left of it. */
static void restart_clock(training *of) {
    const double now = progress_clock();
    if (of->settings.time_limit > 0.0) {
        of->settings.time_limit = fmax(of->settings.time_limit - (now - of->fit.time.started), 1e-3);
        of->fit.time.started = now;
    }
}

cnm_status estimate_run(training *self, cnm_error *err) {
    estimation own = {.of = self};
    cnm_error failure = {0};
    if (self->callbacks != NULL) {
        own.callbacks = (cnm_callbacks){
            .struct_size = sizeof(cnm_callbacks), .progress = self->callbacks->progress, .user = self->callbacks->user};
    }
    progress_plan_begin(&own.plan, self->callbacks == NULL ? NULL : &own.callbacks);
    const cnm_status status = make_estimate(&own, &failure);
    holdout_score_free(&own.own);
    holdout_score_free(&own.linear);
    split_free(&own.split);
    table_destroy(own.train);
    table_destroy(own.held);
    restart_clock(self);
    return settle(&own, status, &failure, err);
}

cnm_status estimate_record(const estimate *self, const char *metric, record *out, cnm_error *err) {
    char key[64];
    if (!self->known) {
        return CNM_OK;
    }
    TRY(record_set_double(out, "estimate", self->value, err));
    TRY(record_set_double(out, "estimate_standard_error", self->error, err));
    TRY(record_set(out, "estimate_metric", self->name, err));
    TRY(record_set_count(out, "estimate_rows", self->rows, err));
    TRY(record_set(out, "estimate_split", self->split, err));
    TRY(record_set_double(out, "baseline", self->baseline, err));
    if (!isnan(self->linear)) {
        TRY(record_set_double(out, "linear", self->linear, err));
    }
    if (!isnan(self->metric)) {
        (void)snprintf(key, sizeof key, "estimate_%.40s", metric);
        TRY(record_set_double(out, key, self->metric, err));
    }
    return CNM_OK;
}
