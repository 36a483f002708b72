/* The table of kernels that random maps approximate, and the densities that their theta is drawn
 * from. Kernel values and names are in map.h. */
#ifndef CNM_MAP_KERNELS_H
#define CNM_MAP_KERNELS_H

#include "base/core/random.h"
#include "map/layer.h"

/* One row of the table of kernels. */
typedef struct kernel_ops {
    const char *name;
    void (*variates)(random_stream stream, uint64_t first, size_t count, double scale, float *out);
    double (*spread)(double gamma); /* the variates' scale */
    double (*value)(double gamma, const float *x, const float *y, size_t columns);
} kernel_ops;

/* Returns all kernels, in the order of map_kernel and of the option's values. */
const kernel_ops *kernel_table(size_t *count);

/* Fails with CNM_BAD_ARGUMENT unless gamma lies in a range where theta stays finite in float32. */
cnm_status kernel_check(map_kernel kernel, double gamma, cnm_error *err);

/* Fills out (count) with entries of theta drawn for the kernel: variates first .. first + count of
 * the stream. */
void kernel_draw(map_kernel kernel, double gamma, random_stream stream, uint64_t first, size_t count, float *out);

#endif
