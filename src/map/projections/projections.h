/* The list of projections, each with a row in a file of its own; the table is in projection.c.
 * Inside the map module. */
#ifndef CNM_MAP_PROJECTIONS_PROJECTIONS_H
#define CNM_MAP_PROJECTIONS_PROJECTIONS_H

#include "map/layer.h"

/* ROW(ID): a row PROJECTION_##ID, in the order of the option's values. The last two the option
 * cannot name: the identity belongs to the linear method, and columns to stacks. */
#define PROJECTION_LIST(ROW)                                                                                           \
    ROW(DENSE)                                                                                                         \
    ROW(CIRCULANT)                                                                                                     \
    ROW(CIRCULANT_DIAGONAL)                                                                                            \
    PROJECTION_TEST_LIST(ROW)                                                                                          \
    ROW(IDENTITY)                                                                                                      \
    ROW(COLUMNS)

/* Builds for tests have one row more, made in tests/rows. */
#ifdef CNM_TEST_ROWS
#define PROJECTION_TEST_LIST(ROW) ROW(TEST)
#else
#define PROJECTION_TEST_LIST(ROW)
#endif

#define PROJECTION_ROW_OF(ID) extern const projection_ops PROJECTION_##ID;
PROJECTION_LIST(PROJECTION_ROW_OF)

/* Multiplies entry (i, j) of a tensor by factor[i * row_step + j * column_step], rounding once.
 * Fails with CNM_BAD_ARGUMENT, and nothing changed, when a product is not finite in float32. */
cnm_status scale_tensor(layer_tensor *tensor, const double *factor, size_t row_step, size_t column_step,
                        cnm_error *err);

#endif
