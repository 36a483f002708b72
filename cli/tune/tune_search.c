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
enum { WORK_OF_A_STEP = 64 };

/* The last training, on all rows: of three times the steps of --effort quick, and as many again
 * twice for the search; a size in the middle is expected. */
enum { WORK_OF_THE_LAST = 9 };

static double work_of(const frontier_point *point) {
    return (double)(WORK_OF_A_STEP + point->shape.below + point->shape.features);
}

/* Returns the work of all trainings that are still to be done, with that of the last. */
static double work_left(const tune_search *self) {
    double work = 0.0, all = 0.0;
    size_t sizes = 0;
    for (size_t i = 0; i < self->frontier->count; i++) {
        const frontier_point *point = &self->frontier->points[i];
        all += point->dropped ? 0.0 : work_of(point);
        sizes += !point->dropped;
        for (size_t fold = 0; !point->dropped && fold < self->rows->folds; fold++) {
            const bool known = tune_record_find(self->record, &point->shape, fold) != NULL;
            work += known ? 0.0 : work_of(point);
        }
    }
    return work + (sizes > 0 ? WORK_OF_THE_LAST * all / (double)sizes : 0.0);
}

/* ---- Points ---- */

/* Begins the part of the command that trains on one fold; *done is the work of those before. */
static void begin_part(tune_search *self, const frontier_point *point, size_t fold, double *done) {
    char prefix[sizeof self->bar->prefix];
    const double all = *done + work_left(self);
    *done += work_of(point);
    (void)snprintf(prefix, sizeof prefix, "%s, %s, fold %zu of %zu", point->shape.projection.text,
                   shape_words(&point->shape).text, fold + 1, self->rows->folds);
    progress_part(self->bar, *done / all, prefix);
}

static cnm_status run_fold(tune_search *self, const frontier_point *point, size_t fold, double *done,
                           cnm_error *error) {
    cnm_callbacks callbacks = progress_callbacks(self->bar);
    callbacks.notice = NULL; /* the same ones would come for each fold */
    tune_result result = {.shape = point->shape, .fold = fold};
    begin_part(self, point, fold, done);
    TRY(fold_run(self->rows, self->options, &self->frontier->metric, &result, &callbacks, error));
    if (interrupted()) { /* by Ctrl-C during a training too short for a callback */
        return error_fill(error, CNM_CANCELLED, "interrupted");
    }
    return tune_record_add(self->record, &result, error);
}

static cnm_status run_point(tune_search *self, frontier_point *point, double *done, cnm_error *error) {
    cnm_status status = CNM_OK;
    for (size_t fold = 0; !point->dropped && fold < self->rows->folds; fold++) {
        if (tune_record_find(self->record, &point->shape, fold) != NULL) {
            self->reused++;
        } else {
            TRY_DONE(run_fold(self, point, fold, done, error));
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
        report_note(self->bar->command, "note: %s maps of %s and more are larger than --max-bytes",
                    point->shape.projection.text, shape_words(&point->shape).text);
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
    double done = 0.0;
    bool headed = false;
    for (size_t i = 0; i < points->count; i++) {
        frontier_point *point = &points->points[i];
        if (!point->dropped) {
            TRY(run_point(self, point, &done, error));
            if (self->shown) {
                show_point(self, point, &headed);
            }
        }
    }
    TRY(check_fit(self, error));
    frontier_choose(points);
    return CNM_OK;
}
