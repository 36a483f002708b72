/* Detects outlier cells: under a scaling by standard deviations they leave the other cells of their
 * columns nearly constant. */
#ifndef CNM_LEARN_DETECT_DETECT_ROW_OUTLIERS_H
#define CNM_LEARN_DETECT_DETECT_ROW_OUTLIERS_H

#include "learn/dataset/scaled_rows.h"

/* Returns whether some cell is farther from the median of its column than 200 robust deviations
 * (IQR / 1.35), and than as many as the square root of the number of rows, the largest distance in
 * standard deviations that is possible. Returns false unless rows are dense and under an asinh
 * scaling. */
bool has_outlier_cells(const rows_view *rows, const scaling *units);

#endif
