/* How columns are shifted and scaled, fitted on training rows: u_j = f((x_j - offset_j) * scale_j), f = asinh or nothing.
 *
 *   none      offset 0, scale 1
 *   global    offset mean_j, one scale: 1 / root mean square of the columns' deviations
 *   standard  offset mean_j, scale 1 / deviation_j; columns with deviation <= 1e-7 of their largest size get scale 0
 *   range     the column's range becomes [-1, 1]
 *   asinh     offset median_j, scale 1.35 / IQR_j; mean_j and 1 / deviation_j where IQR_j <= 1e-3 deviation_j. Where the
 *             deviation is ten times the width of all cells but a hundredth at either end, few cells have made it: mean and
 *             deviation are then those of the others
 *   wide      as asinh, with a fifth of that scale: nearly straight where most cells are, still a logarithm far out
 *
 * Constant columns get scale 0 (1 with `none`). Sparse rows with more than SCALING_CENTRE_LIMIT columns are not shifted: it
 * would fill them in. All in double, true values (base added); one pass where possible, fixed order of summation. */
#ifndef CNM_DATA_SCALE_SCALING_H
#define CNM_DATA_SCALE_SCALING_H

#include "base/core/rows_view.h"

enum { SCALING_CENTRE_LIMIT = 4096 };

typedef enum scaling_kind {
    SCALING_NONE,
    SCALING_GLOBAL,
    SCALING_STANDARD,
    SCALING_RANGE,
    SCALING_ASINH,
    SCALING_WIDE,
    SCALING_KINDS
} scaling_kind;

#define SCALING_WIDE_UNIT 5.0 /* times asinh's */

typedef struct scaling {
    scaling_kind kind;
    size_t columns;
    double *offset, *scale; /* (columns) */
} scaling;

bool scaling_find(const char *name, scaling_kind *kind);
const char *scaling_name(scaling_kind kind);
/* f is asinh. */
bool scaling_bends(scaling_kind kind);
cnm_status scaling_fit(scaling *out, scaling_kind kind, const rows_view *rows, cnm_error *err);
void scaling_free(scaling *self);

#endif
