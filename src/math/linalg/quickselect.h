/* The value of a rank without sorting everything. */
#ifndef CNM_MATH_LINALG_QUICKSELECT_H
#define CNM_MATH_LINALG_QUICKSELECT_H

#include <stddef.h>

/* Rearranges values (count) so that values[rank] is what it would be in ascending order, smaller ones before it, larger ones behind it;
 * returns it. Linear time on average. NaN may end up anywhere, but does no harm. */
float select_rank(float *values, size_t count, size_t rank);

#endif
