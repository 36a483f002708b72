/* Quartiles of columns, dense or sparse, and the bulk of a column: the cells between its ends. Only
 * the files of this module use it. */
#ifndef CNM_DATA_SCALE_QUANTILES_H
#define CNM_DATA_SCALE_QUANTILES_H

#include "base/core/rows_view.h"

/* Spread of one column, as it is stored (base not added). The bulk is all cells but the lowest and
 * the highest hundredth, at least one each; cells that equal the bulk's ends belong to it. Where no
 * more than another hundredth differs from the rest there is no bulk, and its values are 0: the
 * cells that vary are then as rare as those that were left out. */
typedef struct column_spread {
    double quartiles[3];    /* lower quartile, median, upper quartile, interpolated */
    double low, high;       /* ends of the bulk */
    double mean, deviation; /* of the bulk */
} column_spread;

/* Gets the stored values (count) of a column in a sample of so many rows; it may change them. */
typedef void column_visitor(void *context, size_t column, float *values, size_t count, size_t rows);

/* Visits all columns, one after the other, with the values of at most 100,000 evenly spaced
 * rows. */
cnm_status columns_visit(const rows_view *rows, column_visitor *visit, void *context, cnm_error *err);

/* Fills spreads (columns) from at most 100,000 evenly spaced rows: with so many, a quartile's
 * standard error is below a hundredth of the interquartile range for every usual distribution. The
 * bulk of a column is found where its interquartile range is not above least (columns), and left 0
 * elsewhere. */
cnm_status quantiles_find(const rows_view *rows, const double *least, column_spread *spreads, cnm_error *err);

#endif
