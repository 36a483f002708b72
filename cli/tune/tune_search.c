/* Going through the frontier. */
#include "tune/tune_search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_error.h"
#include "cli_format.h"
#include "tune/tune_table.h"

/* ---- Where it stands ---- */

/* Work is counted in features, and as many more for what a step costs whatever its size. */
enum { WORK_OF_A_STEP = 64, PER_MILLE = 1000 };

typedef struct meter {
    cnm_callbacks bar; /* what writes the line */
    char phase[96];
    double done, present, left; /* work: finished, of this training, after it */
    double started;             /* in seconds of the progress bar */
    const progress *clock;
    bool chose; /* this training looked for its settings first */
} meter;

/* How much of this training is done: a search before it counts as half. */
static double fraction_of(meter *self, const cnm_progress *at) {
    const double fraction = at->total > 0 && at->done <= at->total ? (double)at->done / (double)at->total : 0.0;
    const bool chooses = strcmp(at->phase, "choose") == 0;
    self->chose = self->chose || chooses;
    return chooses ? 0.5 * fraction : self->chose ? 0.5 + 0.5 * fraction : fraction;
}

static int on_progress(const cnm_progress *at, void *user) {
    meter *self = user;
    const double done = self->done + fraction_of(self, at) * self->present;
    const double all = self->done + self->present + self->left;
    const double seconds = progress_seconds(self->clock) - self->started;
    const cnm_progress overall = {.phase = self->phase,
                                  .done = (uint64_t)(PER_MILLE * done / all),
                                  .total = PER_MILLE,
                                  .loss = NAN,
                                  .validation = NAN,
                                  .seconds = seconds,
                                  .seconds_left = done > 0.0 ? seconds * (all - done) / done : 0.0};
    return self->bar.progress(&overall, self->bar.user);
}

static double work_of(const frontier_point *point) { return (double)(WORK_OF_A_STEP + point->features); }

/* The work of all trainings that are still to be done. */
static double work_left(const tune_search *self) {
    double work = 0.0;
    for (size_t i = 0; i < self->frontier->count; i++) {
        const frontier_point *point = &self->frontier->points[i];
        for (size_t part = 0; !point->dropped && part < self->rows->parts; part++) {
            const bool known = record_find(self->record, point->projection, point->features, part) != NULL;
            work += known ? 0.0 : work_of(point);
        }
    }
    return work;
}

/* ---- Points ---- */

static cnm_status run_part(tune_search *self, const frontier_point *point, size_t part, meter *at, cnm_error *error) {
    const cnm_callbacks callbacks = {.progress = on_progress,
                                     .user = at}; /* no notices: they would come for each part */
    tune_result result = {.features = point->features, .part = part};
    (void)snprintf(result.projection, sizeof result.projection, "%s", point->projection);
    (void)snprintf(at->phase, sizeof at->phase, "%s, %zu features, part %zu of %zu:", point->projection,
                   point->features, part + 1, self->rows->parts);
    at->present = work_of(point);
    at->left = work_left(self) - at->present;
    at->chose = false;
    cnm_status status = fold_run(self->rows, self->options, self->frontier->metric, &result, &callbacks, error);
    if (status == CNM_OK && interrupted()) { /* a training too short to ask */
        status = error_fill(error, CNM_CANCELLED, "interrupted");
    }
    if (status == CNM_OK) {
        status = record_add(self->record, &result, error);
    }
    at->done += at->present;
    return status;
}

static cnm_status run_point(tune_search *self, frontier_point *point, meter *at, cnm_error *error) {
    cnm_status status = CNM_OK;
    for (size_t part = 0; status == CNM_OK && !point->dropped && part < self->rows->parts; part++) {
        if (record_find(self->record, point->projection, point->features, part) != NULL) {
            self->reused++;
        } else {
            status = run_part(self, point, part, at, error);
        }
        frontier_judge(point, self->record, self->rows->parts);
        if (status == CNM_OK && point->bytes > self->most_bytes) {
            frontier_drop(self->frontier, point);
        }
    }
    progress_end(self->bar);
    return status;
}

/* Nothing fits: say how large the smallest would be. */
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
    meter at = {.bar = progress_callbacks(self->bar), .clock = self->bar, .started = progress_seconds(self->bar)};
    cnm_status status = CNM_OK;
    bool headed = false;
    for (size_t i = 0; status == CNM_OK && i < points->count; i++) {
        frontier_point *point = &points->points[i];
        if (point->dropped) {
            continue;
        }
        status = run_point(self, point, &at, error);
        if (status == CNM_OK && point->dropped && self->shown) {
            complain_note(self->bar->command, "note: %s maps of %zu features and more are larger than --max-bytes",
                          point->projection, point->features);
        } else if (status == CNM_OK && point->judged && self->shown) {
            if (!headed) {
                table_head(points->metric);
                headed = true;
            }
            table_row(point, points->metric);
        }
    }
    self->bar->phase = NULL; /* it pointed into `at` */
    if (status == CNM_OK) {
        status = check_fit(self, error);
    }
    if (status == CNM_OK) {
        frontier_choose(points);
    }
    return status;
}
