/* Quartiles of columns, dense or sparse. Only the files of this room use it. */
#ifndef CNM_DATA_QUANTILES_H
#define CNM_DATA_QUANTILES_H

#include "base/rows.h"

/* quartiles (columns, 3) = lower quartile, median, upper quartile of what is stored (base not added), interpolated between
 * neighbours, over at most 100,000 evenly spaced rows: with so many, a quartile's standard error is below a hundredth of the
 * interquartile range for every usual distribution. */
cnm_status quantiles_find(const rows_view *rows, double *quartiles, cnm_error *err);

#endif
