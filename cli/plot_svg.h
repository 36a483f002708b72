/* Draws a line chart into an SVG file: a logarithmic x axis, error bars, names beside the lines. In
 * black, so that it can be printed: lines differ by their dashes and marks. */
#ifndef CNM_CLI_PLOT_SVG_H
#define CNM_CLI_PLOT_SVG_H

#include <stddef.h>

#include "cnm/types.h"

typedef struct plot_point {
    double x, y, error; /* x above 0 */
    char label[32];     /* beside it */
} plot_point;

typedef struct plot_line {
    const char *name;
    const plot_point *points; /* (count) in the order of x */
    size_t count;
} plot_line;

typedef struct plot {
    const char *title, *x_name, *y_name;
    const plot_line *lines; /* (line_count) */
    size_t line_count;
    plot_point mark; /* one point with a ring around it */
    const char *mark_name;
} plot;

/* Writes the chart. Every line must have a point. */
cnm_status plot_write(const plot *self, const char *path, cnm_error *error);

#endif
