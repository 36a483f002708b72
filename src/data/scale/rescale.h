/* Converts rows from one scaling to another without the rows x themselves: v = g((x - offset')
 * scale') from u = f((x - offset) scale), f and g asinh or the identity. Columns that the first
 * scaling takes for constant stay 0. */
#ifndef CNM_DATA_SCALE_RESCALE_H
#define CNM_DATA_SCALE_RESCALE_H

#include "data/scale/scaling.h"

typedef struct rescale {
    size_t columns;
    bool leaves_asinh, enters_asinh;
    double *factor, *offset; /* (columns) */
} rescale;

/* Creates the conversion between two scalings that were fitted to the same rows. */
cnm_status rescale_create(rescale *out, const scaling *from, const scaling *to, cnm_error *err);
void rescale_free(rescale *self);

/* Fills to (rows, columns) from `from`, of the same shape. Values are clipped at RESCALE_MOST, so
 * that distances between rows stay finite. */
#define RESCALE_MOST 1e15
void rescale_rows(const rescale *self, size_t rows, const float *from, float *to);

#endif
