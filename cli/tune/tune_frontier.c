/* Scores and sizes of the maps that a tuning tries. */
#include "tune/tune_frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"

cnm_status frontier_create(frontier *out, const projection_name *projections, size_t projection_count, size_t most,
                           cnm_error *error) {
    size_t sizes = 0;
    for (size_t features = FEWEST_FEATURES; features <= most; features *= 2) {
        sizes++;
    }
    *out = (frontier){.count = sizes * projection_count};
    out->best = out->knee = out->count;
    out->points = calloc(out->count, sizeof *out->points);
    if (out->points == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: %zu sizes", out->count);
    }
    for (size_t i = 0; i < out->count; i++) {
        out->points[i].projection = projections[i % projection_count];
        out->points[i].features = (size_t)FEWEST_FEATURES << (i / projection_count);
    }
    return CNM_OK;
}

void frontier_free(frontier *self) {
    free(self->points);
    *self = (frontier){0};
}

void frontier_evaluate(frontier_point *point, const tune_record *record, size_t folds) {
    double mean = 0.0, squares = 0.0;
    size_t count = 0;
    point->bytes = 0.0;
    point->microseconds = INFINITY;
    for (size_t fold = 0; fold < folds; fold++) {
        const tune_result *result = tune_record_find(record, point->projection.text, point->features, fold);
        if (result != NULL) {
            const double before = result->score - mean;
            count++;
            mean += before / (double)count;
            squares += before * (result->score - mean);
            point->bytes = fmax(point->bytes, result->bytes);
            point->microseconds = fmin(point->microseconds, result->microseconds);
        }
    }
    point->evaluated = count == folds;
    point->score = mean;
    point->error = count < 2 ? 0.0 : sqrt(squares / (double)(count - 1) / (double)count);
}

void frontier_drop(frontier *self, const frontier_point *from) {
    for (size_t i = 0; i < self->count; i++) {
        frontier_point *point = &self->points[i];
        const bool larger =
            point->features >= from->features && strcmp(point->projection.text, from->projection.text) == 0;
        point->dropped = point->dropped || larger;
    }
}

/* Returns the score with the sign that makes higher better. */
static double utility(const frontier *self, size_t i) {
    return self->metric.lower ? -self->points[i].score : self->points[i].score;
}

static bool counts(const frontier *self, size_t i) { return self->points[i].evaluated && !self->points[i].dropped; }

void frontier_choose(frontier *self) {
    const size_t none = self->count;
    self->best = self->knee = none;
    for (size_t i = 0; i < self->count; i++) {
        if (counts(self, i) && (self->best == none || utility(self, i) > utility(self, self->best) ||
                                (utility(self, i) == utility(self, self->best) &&
                                 self->points[i].bytes < self->points[self->best].bytes))) {
            self->best = i;
        }
    }
    for (size_t i = 0; self->best != none && i < self->count; i++) {
        const double bound = utility(self, self->best) - self->points[self->best].error;
        if (counts(self, i) && utility(self, i) >= bound &&
            (self->knee == none || self->points[i].bytes < self->points[self->knee].bytes)) {
            self->knee = i;
        }
    }
}
