/* Stacks of layers from text, and their features and gradients in double. */
#ifndef CNM_TESTS_SUPPORT_MADE_STACKS_H
#define CNM_TESTS_SUPPORT_MADE_STACKS_H

#include "support/checks.h"

#include "map/map.h"

/* Returns the specification of a map of these layers ("circulant:7,dense:5") of cosines with
 * phases. */
map_spec stack_spec(const char *layers, size_t columns);

/* Draws such a map; a failure ends the test. */
map *make_stack(const char *layers, size_t columns);

/* Every learned array of a map in double, in the order of map_list. */
typedef struct stack_point {
    size_t count;
    map_array arrays[MAP_ARRAYS];
    double *values[MAP_ARRAYS]; /* NULL where the map has no such array */
} stack_point;

stack_point stack_point_make(const map *self);
void stack_point_free(stack_point *self);

/* Fills z (features of the last layer) of one row u (columns). */
void stack_row(const map *self, const stack_point *at, const double *u, double *z);

#endif
