/* Rows of cells that are pictures. */
#ifndef CNM_MATH_LINALG_IMAGE_OPS_H
#define CNM_MATH_LINALG_IMAGE_OPS_H

#include <stddef.h>

/* out (height, width) += across (right - left) + down (below - above) of x (height, width), which lies apart: to first order x moved by
 * twice that many cells. At an edge the cell itself stands for the neighbour that is missing. width at least 2. */
void picture_add_slopes(size_t width, size_t height, float across, float down, const float *x, float *out);

/* Left and right of x (height, width) changed. */
void picture_mirror(size_t width, size_t height, float *x);

#endif
