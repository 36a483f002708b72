/* Scores and sizes of the maps that a tuning tries. */
#include "tune/tune_frontier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"

/* Returns the parameters of a dense map and its head: theta and phases of each layer, weights. */
static double parameters(const frontier_plan *plan, size_t below, size_t features) {
    const double d = (double)plan->columns, k = (double)features, inner = (double)below;
    const double map = below == 0 ? k * (d + 1.0) : inner * (d + 1.0) + k * (inner + 1.0);
    return map + k * (double)plan->outputs;
}

/* Adds the points of one size, where there is space for them. */
static void add_size(frontier *self, const frontier_plan *plan, size_t features, size_t largest) {
    for (size_t i = 0; i < plan->projection_count; i++) {
        self->points[self->count++].shape = (map_shape){plan->projections[i], 0, features};
    }
    if (plan->stacks && parameters(plan, 2 * features, features) <= parameters(plan, 0, largest)) {
        self->points[self->count++].shape = (map_shape){plan->projections[0], 2 * features, features};
    }
}

cnm_status frontier_create(frontier *out, const frontier_plan *plan, cnm_error *error) {
    size_t sizes = 0, largest = 0;
    for (size_t features = FEWEST_FEATURES; features <= plan->most; features *= 2) {
        largest = features;
        sizes++;
    }
    const size_t space = sizes * (plan->projection_count + 1);
    *out = (frontier){.points = calloc(space, sizeof *out->points)};
    if (out->points == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: %zu sizes", space);
    }
    for (size_t i = 0; i < sizes; i++) {
        add_size(out, plan, (size_t)FEWEST_FEATURES << i, largest);
    }
    out->best = out->knee = out->count;
    return CNM_OK;
}

const char *shape_kind(const map_shape *shape) { return shape->below > 0 ? "two layers" : shape->projection.text; }

shape_text shape_words(const map_shape *shape) {
    shape_text out;
    const bool stack = shape->below > 0;
    (void)snprintf(out.text, sizeof out.text, "%s%.30s%s", stack ? "layers " : "", shape_features(shape).text,
                   stack ? "" : " features");
    return out;
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
        const tune_result *result = tune_record_find(record, &point->shape, fold);
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
        const bool larger = point->shape.features >= from->shape.features &&
                            strcmp(shape_kind(&point->shape), shape_kind(&from->shape)) == 0;
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
