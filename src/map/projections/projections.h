/* The projections, one file each; the table is in projection.c. Inside the map room. */
#ifndef CNM_MAP_PROJECTIONS_PROJECTIONS_H
#define CNM_MAP_PROJECTIONS_PROJECTIONS_H

#include "map/map.h"

extern const projection_ops PROJECTION_DENSE, PROJECTION_CIRCULANT, PROJECTION_CIRCULANT_DIAGONAL, PROJECTION_IDENTITY;

/* CNM_NO_MEMORY, with what to do instead, when the tensors of such a map pass MAP_BYTES_LIMIT. */
cnm_status size_check(const projection_ops *projection, size_t columns, size_t features, cnm_error *err);

/* Multiplies entry (i, j) of a tensor by factor[i * row_step + j * column_step], rounding once. CNM_BAD_ARGUMENT, and
 * nothing changed, when a product is not finite in float32. */
cnm_status scale_tensor(map_tensor *tensor, const double *factor, size_t row_step, size_t column_step, cnm_error *err);

#endif
