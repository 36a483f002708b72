/* Evaluates the points of the frontier, one training after the other. */
#include "tune/tune_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_format.h"
#include "report_error.h"
#include "tune/tune_table.h"

/* ---- Progress ---- */

/* Work is counted in features, plus a constant for what a step costs whatever the number of
 * features. */
enum { WORK_OF_A_STEP = 64, PER_MILLE = 1000 };

typedef struct meter {
    cnm_callbacks bar; /* writes the line */
    char phase[96];
    double done, present, left; /* work: finished, of this training, after it */
    double started;             /* in seconds of the progress bar */
    const progress *clock;
    char stage[32];          /* the phase of this training */
    size_t stages, expected; /* phases of this training so far; of the last training */
} meter;

/* Returns the share of this training that is done. Its phases count alike, and as many are expected
 * as the last training had. */
static double fraction_of(meter *self, const cnm_progress *at) {
    const double fraction = at->total > 0 && at->done <= at->total ? (double)at->done / (double)at->total : 0.0;
    if (strcmp(self->stage, at->phase) != 0) {
        (void)snprintf(self->stage, sizeof self->stage, "%s", at->phase);
        self->stages++;
    }
    const size_t all = self->stages > self->expected ? self->stages : self->expected;
    return ((double)(self->stages - 1) + fraction) / (double)all;
}

static int on_progress(const cnm_progress *at, void *user) {
    meter *self = user;
    const double done = self->done + fraction_of(self, at) * self->present;
    const double all = self->done + self->present + self->left;
    const double seconds = progress_seconds(self->clock) - self->started;
    const cnm_progress overall = {.struct_size = sizeof(cnm_progress),
                                  .phase = self->phase,
                                  .done = (uint64_t)(PER_MILLE * done / all),
                                  .total = PER_MILLE,
                                  .loss = NAN,
                                  .validation = NAN,
                                  .seconds = seconds,
                                  .seconds_left = done > 0.0 ? seconds * (all - done) / done : 0.0};
    return self->bar.progress(&overall, self->bar.user);
}

static double work_of(const frontier_point *point) { return (double)(WORK_OF_A_STEP + point->features); }

/* Returns the work of all trainings that are still to be done. */
static double work_left(const tune_search *self) {
    double work = 0.0;
    for (size_t i = 0; i < self->frontier->count; i++) {
        const frontier_point *point = &self->frontier->points[i];
        for (size_t fold = 0; !point->dropped && fold < self->rows->folds; fold++) {
            const bool known = tune_record_find(self->record, point->projection.text, point->features, fold) != NULL;
            work += known ? 0.0 : work_of(point);
        }
    }
    return work;
}

/* ---- Points ---- */

static cnm_status run_fold(tune_search *self, const frontier_point *point, size_t fold, meter *at, cnm_error *error) {
    /* No notices: the same ones would come for each fold. */
    const cnm_callbacks callbacks = {.struct_size = sizeof(cnm_callbacks), .progress = on_progress, .user = at};
    tune_result result = {.projection = point->projection, .features = point->features, .fold = fold};
    (void)snprintf(at->phase, sizeof at->phase, "%s, %zu features, fold %zu of %zu:", point->projection.text,
                   point->features, fold + 1, self->rows->folds);
    at->present = work_of(point);
    at->left = work_left(self) - at->present;
    at->expected = at->stages > 0 ? at->stages : at->expected;
    at->stages = 0;
    at->stage[0] = '\0';
    TRY(fold_run(self->rows, self->options, &self->frontier->metric, &result, &callbacks, error));
    if (interrupted()) { /* by Ctrl-C during a training too short for a callback */
        return error_fill(error, CNM_CANCELLED, "interrupted");
    }
    TRY(tune_record_add(self->record, &result, error));
    at->done += at->present;
    return CNM_OK;
}

static cnm_status run_point(tune_search *self, frontier_point *point, meter *at, cnm_error *error) {
    cnm_status status = CNM_OK;
    for (size_t fold = 0; !point->dropped && fold < self->rows->folds; fold++) {
        if (tune_record_find(self->record, point->projection.text, point->features, fold) != NULL) {
            self->reused++;
        } else {
            TRY_DONE(run_fold(self, point, fold, at, error));
        }
        frontier_evaluate(point, self->record, self->rows->folds);
        if (point->bytes > self->most_bytes) {
            frontier_drop(self->frontier, point);
        }
    }
done:
    progress_end(self->bar);
    return status;
}

/* Prints the row of a point, behind the head of the table where it is the first; or the note that
 * its map is larger than --max-bytes. */
static void show_point(const tune_search *self, const frontier_point *point, bool *headed) {
    const metric_traits *metric = &self->frontier->metric;
    if (point->dropped) {
        report_note(self->bar->command, "note: %s maps of %zu features and more are larger than --max-bytes",
                    point->projection.text, point->features);
        return;
    }
    if (!*headed) {
        table_head(metric);
        *headed = true;
    }
    table_row(point, metric);
}

/* Fails where no model is small enough, and reports the size of the smallest. */
static cnm_status check_fit(const tune_search *self, cnm_error *error) {
    double smallest = INFINITY;
    for (size_t i = 0; i < self->frontier->count; i++) {
        const frontier_point *point = &self->frontier->points[i];
        if (!point->dropped) {
            return CNM_OK;
        }
        smallest = point->bytes > 0.0 ? fmin(smallest, point->bytes) : smallest;
    }
    return error_fill(error, CNM_BAD_ARGUMENT, "--max-bytes %s is too small: a model of %d features has %s bytes",
                      number_digits(self->most_bytes, 12).text, FEWEST_FEATURES, number_digits(smallest, 12).text);
}

cnm_status search_run(tune_search *self, cnm_error *error) {
    frontier *points = self->frontier;
    meter at = {.bar = progress_callbacks(self->bar),
                .clock = self->bar,
                .started = progress_seconds(self->bar),
                .expected = 2};
    cnm_status status = CNM_OK;
    bool headed = false;
    for (size_t i = 0; i < points->count; i++) {
        frontier_point *point = &points->points[i];
        if (!point->dropped) {
            TRY_DONE(run_point(self, point, &at, error));
            if (self->shown) {
                show_point(self, point, &headed);
            }
        }
    }
    TRY_DONE(check_fit(self, error));
    frontier_choose(points);
done:
    self->bar->phase = NULL; /* it pointed into `at` */
    return status;
}
