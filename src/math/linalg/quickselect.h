/* Returns the value of a rank without sorting everything. */
#ifndef CNM_MATH_LINALG_QUICKSELECT_H
#define CNM_MATH_LINALG_QUICKSELECT_H

#include <stddef.h>

/* Rearranges values (count) so that values[rank] is what it would be in ascending order, smaller
 * ones before it, larger ones behind it; returns values[rank]. Linear time on average. NaN may end
 * up anywhere, but does no harm. */
float quickselect(float *values, size_t count, size_t rank);

#endif
