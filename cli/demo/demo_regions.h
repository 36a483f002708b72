/* Where in the plane a model sees which class. */
#ifndef CNM_CLI_DEMO_DEMO_REGIONS_H
#define CNM_CLI_DEMO_DEMO_REGIONS_H

#include "demo/canvas.h"
#include "cnm/cnm.h"

/* A square part of a canvas; it shows [-1.25, 1.25] each way. */
typedef struct panel {
    canvas *canvas;
    size_t left, side;
} panel;

/* Colours every dot by what the model says at its middle; `second` is the label of the second class. */
cnm_status regions_paint(const panel *self, const cnm_model *model, const char *second, cnm_error *error);

/* Puts rows on it: points (rows, 2) of classes (rows) 0 and 1. */
void regions_mark(const panel *self, const float *points, const int *classes, size_t rows);

#endif
