/* One pass over the cells, in the units of their columns. */
#include "learn/detect/detect_row_outliers.h"

#include <math.h>

bool rows_reach_far(const problem *task) {
    static const double FAR = 200.0;
    const rows_view *rows = &task->rows;
    const scaling *units = &task->scaling;
    const double unit = units->kind == SCALING_WIDE ? SCALING_WIDE_UNIT : 1.0;
    const double limit = fmax(FAR, sqrt((double)rows->rows)) / unit;
    if (rows_are_sparse(rows) || !scaling_bends(units->kind)) {
        return false;
    }
    for (size_t i = 0; i < rows->rows; i++) {
        const float *row = rows->values + i * rows->stride;
        for (size_t j = 0; j < rows->columns; j++) {
            const double base = rows->base == NULL ? 0.0 : rows->base[j];
            if (fabs((base + (double)row[j] - units->offset[j]) * units->scale[j]) > limit) {
                return true;
            }
        }
    }
    return false;
}
