/* The end of a tuning: the chosen map learned from all rows, the picture, the model. */
#include "tune/tune_finish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"
#include "command_lookup.h"
#include "train_summary.h"
#include "tune/tune_plot.h"
#include "tune/tune_table.h"

/* The chosen map learned from all rows. One that is larger than --max-bytes now makes place for the next. */
static cnm_status train_chosen(const tune_search *self, const arguments *line, const wishes *wanted,
                               const frontier_point **point, cnm_model **model, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(self->bar);
    for (;;) {
        frontier *points = self->frontier;
        const frontier_point *next = &points->points[strcmp(wanted->pick, "best") == 0 ? points->best : points->knee];
        cnm_status status = set_map(line->options, next->projection, next->features, error);
        self->bar->features = next->features;
        if (status == CNM_OK) {
            status = cnm_train(model, self->rows->data, line->options, &callbacks, error);
        }
        progress_end(self->bar);
        *point = next;
        const double bytes = *model == NULL ? 0.0 : strtod(model_value(*model, "bytes"), NULL);
        if (status != CNM_OK || bytes <= self->most_bytes) {
            return status;
        }
        frontier_drop(points, next);
        frontier_choose(points);
        cnm_model_destroy(*model);
        *model = NULL;
        if (points->best == points->count) {
            return error_fill(error, CNM_BAD_ARGUMENT,
                              "--max-bytes %.0f is too small: the model of %zu features has %.0f bytes",
                              self->most_bytes, next->features, bytes);
        }
        if (self->shown) {
            complain_note(line->command, "note: %s, %zu features has %.0f bytes on all rows: taking a smaller one",
                          next->projection, next->features, bytes);
        }
    }
}

/* Writes the model and says so. status: of the training. */
static cnm_status keep_model(const tune_search *self, const wishes *wanted, const frontier_point *point,
                             const cnm_model *model, bool json, cnm_status status, cnm_error *error) {
    if (model == NULL) {
        return status == CNM_CANCELLED
                   ? error_fill(error, status, "interrupted; no model was written, the results are in %s",
                                wanted->record)
                   : status;
    }
    const cnm_status saved = cnm_model_save(model, wanted->model, error);
    if (saved != CNM_OK) {
        return saved;
    }
    const tuned_model written = {.point = point,
                                 .pick = wanted->pick,
                                 .path = wanted->model,
                                 .bytes = file_bytes(wanted->model),
                                 .seconds = round(progress_seconds(self->bar) * 1000) / 1000,
                                 .parts = wanted->parts,
                                 .reused = self->reused};
    if (json) {
        table_json(self->frontier, &written);
    } else if (self->shown) {
        table_model(&written);
    }
    return status == CNM_CANCELLED ? error_fill(error, status, "interrupted; the model so far is in %s", wanted->model)
                                   : status;
}

cnm_status tune_finish(const tune_search *self, const arguments *line, const wishes *wanted, cnm_error *error) {
    const frontier_point *point = NULL;
    cnm_model *model = NULL;
    cnm_status status = CNM_OK;
    if (self->shown) {
        table_marks(self->frontier);
    }
    if (wanted->plot != NULL) {
        status = frontier_plot(self->frontier, wanted->parts, wanted->plot, error);
    }
    if (status == CNM_OK) {
        status = train_chosen(self, line, wanted, &point, &model, error);
        status = keep_model(self, wanted, point, model, arguments_own(line, "json") != NULL, status, error);
    }
    cnm_model_destroy(model);
    return status;
}
