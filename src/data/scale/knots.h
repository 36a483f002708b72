/* Monotone piecewise linear functions of columns, each through at most 64 knots: quantiles of the
 * column to normal scores. Between knots the function is a line, beyond them it stays at their
 * ends; NaN stays NaN. */
#ifndef CNM_DATA_SCALE_KNOTS_H
#define CNM_DATA_SCALE_KNOTS_H

#include "base/core/rows_view.h"

enum { KNOTS_MOST = 64 }; /* of a column */

typedef struct knot_table {
    size_t columns;
    size_t *starts;            /* (columns + 1): column j has knots starts[j] .. starts[j + 1] */
    float *at, *value, *slope; /* (starts[columns]): slope to the next knot */
} knot_table;

/* Takes memory for counts[j] knots of column j, each from 1 to KNOTS_MOST. */
cnm_status knots_create(knot_table **out, size_t columns, const uint8_t *counts, cnm_error *err);
cnm_status knots_copy(knot_table **out, const knot_table *self, cnm_error *err);
void knots_destroy(knot_table *self);

/* Fills the slopes; returns false where positions do not ascend, values descend, or a number or a
 * slope is not finite. */
bool knots_prepare(knot_table *self);

/* Returns the function of a column at t. */
float knots_value(const knot_table *self, size_t column, float t);
/* Replaces t (columns) by the functions of all columns. */
void knots_row(const knot_table *self, float *t);

/* Fits knots to t_j = (x_j - offset_j) * scale_j of at most 100,000 evenly spaced rows, where x are
 * stored values and offset (columns) is less the rows' base. The knots of a column are its distinct
 * values among 64 quantiles, at the normal score of their mid-ranks, within 3; those near the line
 * through their neighbours are left out. A column of fewer than three such values gets mean 0 and
 * deviation 1 instead, a constant one 0. Positions and values are rounded to 16 bits where the
 * knots stay apart. keeps_zero: 0 stays 0. */
cnm_status knots_fit(knot_table **out, const rows_view *rows, const double *offset, const double *scale,
                     bool keeps_zero, cnm_error *err);

#endif
