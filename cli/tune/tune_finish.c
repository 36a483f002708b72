/* Completes a tuning: draws the plot, trains the chosen map on all rows and writes the model. */
#include "tune/tune_finish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_format.h"
#include "described_values.h"
#include "library_calls.h"
#include "report_error.h"
#include "train_summary.h"
#include "tune/tune_plot.h"
#include "tune/tune_table.h"

/* Trains one map on all rows. *bytes = the size of the model, 0 where there is none. */
static cnm_status train_point(const tune_search *self, const arguments *line, const frontier_point *point,
                              cnm_model **model, double *bytes, cnm_error *error) {
    const cnm_callbacks callbacks = progress_callbacks(self->bar);
    char prefix[sizeof self->bar->prefix];
    cnm_options *own = NULL;
    *bytes = 0.0;
    (void)snprintf(prefix, sizeof prefix, "%s, %s, all rows", point->shape.projection.text,
                   shape_words(&point->shape).text);
    progress_part(self->bar, 1, prefix);
    TRY(options_of_shape(&own, line->options, &point->shape, error));
    const cnm_status status = library_train(model, self->rows->data, own, &callbacks, error);
    progress_end(self->bar);
    cnm_options_destroy(own);
    *bytes = *model == NULL ? 0.0 : number_of_text(model_value(*model, "bytes"));
    return status;
}

/* Trains the chosen map on all rows. Where the model turns out larger than --max-bytes, drops that
 * point of the frontier and trains the next. */
static cnm_status train_chosen(const tune_search *self, const arguments *line, const tune_request *request,
                               const frontier_point **point, cnm_model **model, cnm_error *error) {
    frontier *points = self->frontier;
    for (;;) {
        const frontier_point *next = &points->points[strcmp(request->pick, "best") == 0 ? points->best : points->knee];
        double bytes;
        *point = next;
        TRY(train_point(self, line, next, model, &bytes, error));
        if (bytes <= self->most_bytes) {
            return CNM_OK;
        }
        frontier_drop(points, next);
        frontier_choose(points);
        cnm_model_destroy(*model);
        *model = NULL;
        if (points->best == points->count) {
            return error_fill(error, CNM_BAD_ARGUMENT, "--max-bytes %.0f is too small: the model of %s has %.0f bytes",
                              self->most_bytes, shape_words(&next->shape).text, bytes);
        }
        if (self->shown) {
            report_note(line->command, "note: %s, %s has %.0f bytes on all rows: taking a smaller one",
                        next->shape.projection.text, shape_words(&next->shape).text, bytes);
        }
    }
}

/* Writes the model, where there is one, and prints the results. `status` is that of the training;
 * returns it with a sentence where the training was interrupted. */
static cnm_status write_model(const tune_search *self, const tune_request *request, const frontier_point *point,
                              const cnm_model *model, bool json, cnm_status status, cnm_error *error) {
    if (model == NULL) {
        if (status == CNM_CANCELLED) {
            (void)error_fill(error, status, "interrupted; no model was written, the results are in %s",
                             request->record);
        }
        return status;
    }
    TRY(cnm_model_save(model, request->model, error));
    const tuned_model written = {.point = point,
                                 .pick = request->pick,
                                 .path = request->model,
                                 .bytes = file_bytes(request->model),
                                 .seconds = round(progress_seconds(self->bar) * 1000) / 1000,
                                 .folds = request->folds,
                                 .reused = self->reused};
    if (json) {
        table_json(self->frontier, &written);
    } else if (self->shown) {
        table_model(&written);
    }
    if (status == CNM_CANCELLED) {
        (void)error_fill(error, status, "interrupted; the model so far is in %s", request->model);
    }
    return status;
}

cnm_status tune_finish(const tune_search *self, const arguments *line, const tune_request *request, cnm_error *error) {
    const frontier_point *point = NULL;
    cnm_model *model = NULL;
    if (self->shown) {
        table_marks(self->frontier);
    }
    TRY(request->plot != NULL ? frontier_plot(self->frontier, request->folds, request->plot, error) : CNM_OK);
    cnm_status status = train_chosen(self, line, request, &point, &model, error);
    status = write_model(self, request, point, model, arguments_own(line, "json") != NULL, status, error);
    cnm_model_destroy(model);
    return status;
}
