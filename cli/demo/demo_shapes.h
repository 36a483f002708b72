/* Data for the demonstration: two classes in the plane that no line separates. */
#ifndef CNM_CLI_DEMO_DEMO_SHAPES_H
#define CNM_CLI_DEMO_DEMO_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* Point `index` of a class (0 or 1), within about [-1.2, 1.2] each way; a function of its arguments alone. */
typedef void shape_point(uint64_t index, int class_number, float point[2]);

/* NULL when there is no such shape. */
shape_point *shape_find(const char *name);

/* points (rows, 2) and classes (rows), alternating; `first` tells sets of points apart. */
void shape_fill(shape_point *shape, uint64_t first, size_t rows, float *points, int *classes);

#endif
