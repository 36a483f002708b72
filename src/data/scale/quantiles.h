/* Quartiles of columns, dense or sparse, and what is left of a column without its ends. Only the files of this room use it. */
#ifndef CNM_DATA_SCALE_QUANTILES_H
#define CNM_DATA_SCALE_QUANTILES_H

#include "base/core/rows_view.h"

/* Of one column, as it is stored (base not added). The bulk is all cells but the lowest and the highest hundredth, at least one
 * each; cells that equal its ends belong to it. Where no more than another hundredth differs from the rest there is none, and its
 * numbers are 0: what varies is then as rare as what was left out. */
typedef struct column_spread {
    double quartiles[3];    /* lower quartile, median, upper quartile, interpolated between neighbours */
    double low, high;       /* ends of the bulk */
    double mean, deviation; /* of the bulk */
} column_spread;

/* spreads (columns), over at most 100,000 evenly spaced rows: with so many, a quartile's standard error is below a hundredth of the
 * interquartile range for every usual distribution. least (columns): the bulk of a column is found where its interquartile range
 * is not above that, and left 0 elsewhere. */
cnm_status quantiles_find(const rows_view *rows, const double *least, column_spread *spreads, cnm_error *err);

#endif
