/* Operations on rows of cells that are images. */
#ifndef CNM_MATH_LINALG_IMAGE_OPS_H
#define CNM_MATH_LINALG_IMAGE_OPS_H

#include <stddef.h>

/* Adds to out (height, width) a translation of x (height, width), which lies apart, to first order:
 * out += across (right - left) + down (below - above), which moves x by twice that many cells. At
 * an edge the cell itself stands for the neighbour that is missing. width at least 2. */
void image_add_translation(size_t width, size_t height, float across, float down, const float *x, float *out);

/* Mirrors x (height, width): exchanges left and right. */
void image_mirror(size_t width, size_t height, float *x);

#endif
