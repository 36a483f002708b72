/* Gaussian directions drawn in orthogonal blocks. Inside the map module. */
#ifndef CNM_MAP_ORTHOGONAL_H
#define CNM_MAP_ORTHOGONAL_H

#include "map/layer.h"

/* Fills theta (columns, features) with blocks of up to `columns` mutually orthogonal columns, each
 * on its own distributed as N(0, 2 gamma I). Blocks are independent. */
cnm_status orthogonal_draw(size_t columns, size_t features, double gamma, uint64_t seed, float *theta, cnm_error *err);

#endif
