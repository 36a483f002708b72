/* The frontier as a picture. */
#include "tune/tune_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_error.h"
#include "plot_svg.h"

enum { LINES = 3 };

static plot_point point_of(const frontier_point *from) {
    return (plot_point){from->bytes, from->score, from->error, from->features};
}

/* The points of one projection behind those that are there; returns how many. */
static size_t collect(const frontier *self, const char *projection, plot_point *out) {
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        const frontier_point *point = &self->points[i];
        if (point->judged && !point->dropped && strcmp(point->projection, projection) == 0) {
            out[count++] = point_of(point);
        }
    }
    return count;
}

cnm_status frontier_plot(const frontier *self, size_t parts, const char *path, cnm_error *error) {
    static const char *const PROJECTIONS[LINES] = {"dense", "circulant", "circulant-diagonal"};
    char title[96], mark[64];
    plot_line lines[LINES];
    size_t used = 0, count = 0;
    plot_point *points = malloc((self->count + 1) * sizeof *points);
    if (points == NULL) {
        return error_fill(error, CNM_NO_MEMORY, "out of memory: a plot");
    }
    for (size_t i = 0; i < LINES; i++) {
        lines[count] = (plot_line){PROJECTIONS[i], points + used, collect(self, PROJECTIONS[i], points + used)};
        used += lines[count].count;
        count += lines[count].count > 0;
    }
    (void)snprintf(title, sizeof title, "%s against size: mean and standard error of %zu parts", self->metric->name,
                   parts);
    (void)snprintf(mark, sizeof mark, "knee: %zu features", self->points[self->knee].features);
    const plot chart = {.title = title,
                        .x_name = "bytes of the model; numbers at the points are features",
                        .y_name = self->metric->name,
                        .lines = lines,
                        .line_count = count,
                        .mark = point_of(&self->points[self->knee]),
                        .mark_name = mark};
    const cnm_status status = plot_write(&chart, path, error);
    free(points);
    return status;
}
