/* Paints the decision regions of a model in the plane. */
#ifndef CNM_CLI_DEMO_DEMO_REGIONS_H
#define CNM_CLI_DEMO_DEMO_REGIONS_H

#include "cnm/cnm.h"
#include "demo/canvas.h"

/* A square part of a canvas; it shows [-1.25, 1.25] on both axes. */
typedef struct panel {
    canvas *canvas;
    size_t left, side;
} panel;

/* Colours every dot by the model's prediction at its centre. `second` is the label of the second
 * class. */
cnm_status regions_paint(const panel *self, const cnm_model *model, const char *second, cnm_error *error);

/* Draws rows: points (rows, 2) of classes (rows) 0 and 1. */
void regions_mark(const panel *self, const float *points, const int *classes, size_t rows);

#endif
