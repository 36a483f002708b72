/* Sums in a fixed order: the same bits whatever the number of threads. Double accumulators. */
#ifndef CNM_MATH_LINALG_REDUCE_H
#define CNM_MATH_LINALG_REDUCE_H

#include <stddef.h>

/* Return the sums of x, x^2 and x*y, pairwise over a fixed binary tree. */
double reduce_sum(const float *x, size_t count);
double reduce_squares(const float *x, size_t count);
double reduce_dot(const float *x, const float *y, size_t count);
double reduce_sum_double(const double *x, size_t count);

/* Adds all rows of parts (count, size), contiguous, into row 0 by a fixed binary tree over row
 * numbers. */
void reduce_rows(float *parts, size_t count, size_t size);

/* Returns the squared Euclidean distance of two rows of floats. */
double reduce_distance(const float *x, const float *y, size_t count);

#endif
