/* Scalings: offset and scale of each column, fitted on training rows. u_j = f((x_j - offset_j) *
 * scale_j), f = asinh, the identity, or a function of the column.
 *
 *   none      offset 0, scale 1
 *   global    offset mean_j, one scale: 1 / root mean square of the columns' deviations
 *   standard  offset mean_j, scale 1 / deviation_j; scale 0 where the deviation is at most 1e-7 of
 *             the column's largest size
 *   range     the column's range becomes [-1, 1]
 *   asinh     offset median_j, scale 1.35 / IQR_j; mean_j and 1 / deviation_j where IQR_j <= 1e-3
 *             deviation_j. Where the deviation is more than ten times the width of the column's
 *             bulk (quantiles.h), a few outliers determine it: mean and deviation are then the
 *             bulk's
 *   wide      as asinh, with a fifth of that scale: nearly linear where most cells are, and still
 *             logarithmic for outliers
 *   quantile  offset and scale as asinh; f is a monotone piecewise linear function of the column
 *             through its quantiles, to normal scores (knots.h)
 *
 * Constant columns get scale 0 (1 with `none`). Sparse rows with more than SCALING_CENTRE_LIMIT
 * columns get no offset, which would fill them in. All in double, true values (base added), with a
 * fixed order of summation. A new scaling is one value of scaling_kind and one row in SCALINGS
 * (scaling.c). */
#ifndef CNM_DATA_SCALE_SCALING_H
#define CNM_DATA_SCALE_SCALING_H

#include "base/core/rows_view.h"
#include "data/scale/knots.h"

enum { SCALING_CENTRE_LIMIT = 4096 };

typedef enum scaling_kind {
    SCALING_NONE,
    SCALING_GLOBAL,
    SCALING_STANDARD,
    SCALING_RANGE,
    SCALING_ASINH,
    SCALING_WIDE,
    SCALING_QUANTILE,
    SCALING_KINDS
} scaling_kind;

typedef struct scaling {
    scaling_kind kind;
    size_t columns;
    double *offset, *scale; /* (columns) */
    knot_table *knots;      /* of quantile; else NULL */
} scaling;

/* Sums over the rows that scalings are fitted from; scaling.c's own. */
typedef struct column_sums column_sums;

/* One row of the table of scalings. */
typedef struct scaling_ops {
    const char *name;
    bool asinh;  /* f is asinh */
    double unit; /* the scale is that of asinh divided by this number */
    /* Fills offset and scale; NULL where both stay as they are. */
    cnm_status (*fit)(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err);
} scaling_ops;

/* Returns the SCALING_KINDS rows in the order of scaling_kind and of the option's values. */
const scaling_ops *scaling_table(size_t *count);
/* Finds the scaling of that name; returns false when the name is unknown. */
bool scaling_find(const char *name, scaling_kind *kind);
const char *scaling_name(scaling_kind kind);
bool scaling_is_asinh(scaling_kind kind);
double scaling_unit(scaling_kind kind);
/* Fits a scaling to rows. */
cnm_status scaling_fit(scaling *out, scaling_kind kind, const rows_view *rows, cnm_error *err);
void scaling_free(scaling *self);

/* Rounds values (columns; may be NULL) to float32 as seen from the base (may be NULL): all that a
 * prediction uses of them, and what a model file keeps. */
void columns_round(double *values, const double *base, size_t columns);

#endif
