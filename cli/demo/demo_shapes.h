/* Generates data for the demonstration: two classes in the plane that no line separates. */
#ifndef CNM_CLI_DEMO_DEMO_SHAPES_H
#define CNM_CLI_DEMO_DEMO_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* Computes point `index` of a class (0 or 1), within about [-1.2, 1.2] on both axes, from its
 * arguments alone. */
typedef void shape_point(uint64_t index, int class_number, float point[2]);

/* Returns the shape of a name; NULL when there is none. */
shape_point *shape_find(const char *name);

/* Fills points (rows, 2) and classes (rows), which alternate. `first` is the index of the first
 * point: sets of points with other indices are independent. */
void shape_fill(shape_point *shape, uint64_t first, size_t rows, float *points, int *classes);

#endif
