/* Distances and kernel values between prepared rows, dense or sparse. */
#ifndef CNM_LEARN_DATASET_DISTANCES_H
#define CNM_LEARN_DATASET_DISTANCES_H

#include "base/core/rows_view.h"
#include "map/map.h"

/* Of rows i and j: Euclidean, or with `absolute` the 1-norm. */
double distance_rows(const rows_view *rows, size_t i, size_t j, bool absolute);

/* out (count, rows->rows) = K(row first + i, row j). squares (rows->rows): squared lengths, from distance_squares; only the
 * Gaussian kernel uses them. */
void distance_kernels(const rows_view *rows, const double *squares, size_t first, size_t count, map_kernel kernel,
                      double gamma, float *out);
void distance_squares(const rows_view *rows, double *squares);

#endif
