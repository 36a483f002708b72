/* The kernels that random maps approximate: what each draws its theta from. Inside the map room; kernel values and names
 * are in map.h. */
#ifndef CNM_MAP_KERNELS_H
#define CNM_MAP_KERNELS_H

#include "base/core/random.h"
#include "map/map.h"

/* CNM_BAD_ARGUMENT unless gamma lies in a range where theta stays finite in float32. */
cnm_status kernel_check(map_kernel kernel, double gamma, cnm_error *err);

/* out (count) = entries of theta drawn for the kernel: variates first .. first + count of the stream. */
void kernel_draw(map_kernel kernel, double gamma, random_stream stream, uint64_t first, size_t count, float *out);

#endif
