/* Rows that are scaled one way, scaled another way: v = g((x - offset') scale') from u = f((x - offset) scale), f and g asinh or nothing, without the
 * rows x themselves. Columns that the first way takes for constant stay 0. */
#ifndef CNM_DATA_SCALE_RESCALE_H
#define CNM_DATA_SCALE_RESCALE_H

#include "data/scale/scaling.h"

typedef struct rescale {
    size_t columns;
    bool leaves_asinh, enters_asinh;
    double *factor, *shift; /* (columns) */
} rescale;

/* Both scalings were fitted to the same rows. */
cnm_status rescale_create(rescale *out, const scaling *from, const scaling *to, cnm_error *err);
void rescale_free(rescale *self);

/* to (rows, columns) from `from`, of the same shape; not beyond RESCALE_MOST, so that distances between rows stay finite. */
#define RESCALE_MOST 1e15
void rescale_rows(const rescale *self, size_t rows, const float *from, float *to);

#endif
