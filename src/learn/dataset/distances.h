/* Distances and kernel values between prepared rows, dense or sparse. */
#ifndef CNM_LEARN_DATASET_DISTANCES_H
#define CNM_LEARN_DATASET_DISTANCES_H

#include "base/core/rows_view.h"
#include "map/map.h"

/* Returns the distance of rows i and j: Euclidean, or the 1-norm with `absolute`. */
double distance_rows(const rows_view *rows, size_t i, size_t j, bool absolute);

/* Fills out (count, rows->rows) with K(row first + i, row j). squares (rows->rows) are from
 * distance_squares; only the Gaussian kernel uses them. */
void distance_kernels(const rows_view *rows, const double *squares, size_t first, size_t count, map_kernel kernel,
                      double gamma, float *out);
/* Fills squares (rows->rows) with the squared lengths of the rows. */
void distance_squares(const rows_view *rows, double *squares);
/* Returns the squared length of a vector. */
double distance_square(const float *values, size_t count);

#endif
