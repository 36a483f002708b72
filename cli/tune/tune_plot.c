/* Draws the frontier: one line for each projection, and one for stacks. */
#include "tune/tune_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot_svg.h"
#include "report_error.h"

enum { MOST_LINES = 8 };

static plot_point point_of(const frontier_point *from) {
    plot_point out = {.x = from->bytes, .y = from->score, .error = from->error};
    (void)snprintf(out.label, sizeof out.label, "%.*s", (int)sizeof out.label - 1, shape_features(&from->shape).text);
    return out;
}

static bool is_drawn(const frontier_point *point) { return point->evaluated && !point->dropped; }

/* Copies the points of one kind; returns their number. */
static size_t collect(const frontier *self, const char *kind, plot_point *out) {
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        const frontier_point *point = &self->points[i];
        if (is_drawn(point) && strcmp(shape_kind(&point->shape), kind) == 0) {
            out[count++] = point_of(point);
        }
    }
    return count;
}

/* Fills a line for each kind in the order of the points; returns their number. points: space
 * for all points. */
static size_t make_lines(const frontier *self, plot_point *points, plot_line *lines) {
    size_t used = 0, count = 0;
    for (size_t i = 0; i < self->count && count < MOST_LINES; i++) {
        const char *name = shape_kind(&self->points[i].shape);
        bool known = !is_drawn(&self->points[i]);
        for (size_t j = 0; j < count; j++) {
            known = known || strcmp(lines[j].name, name) == 0;
        }
        if (!known) {
            lines[count] = (plot_line){name, points + used, collect(self, name, points + used)};
            used += lines[count++].count;
        }
    }
    return count;
}

cnm_status frontier_plot(const frontier *self, size_t folds, const char *path, cnm_error *error) {
    char title[96], mark[64];
    plot_line lines[MOST_LINES];
    plot_point *points = malloc((self->count + 1) * sizeof *points);
    if (points == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a plot");
    }
    (void)snprintf(title, sizeof title, "%s against size: mean and standard error of %zu folds", self->metric.name,
                   folds);
    (void)snprintf(mark, sizeof mark, "knee: %s", shape_words(&self->points[self->knee].shape).text);
    const plot chart = {.title = title,
                        .x_name = "bytes of the model; numbers at the points are features",
                        .y_name = self->metric.name,
                        .lines = lines,
                        .line_count = make_lines(self, points, lines),
                        .mark = point_of(&self->points[self->knee]),
                        .mark_name = mark};
    const cnm_status status = plot_write(&chart, path, error);
    free(points);
    return status;
}
