/* Passes over all cells, in robust deviations of their columns. */
#include "learn/detect/detect_row_outliers.h"
#include "learn/tuning.h"

#include <math.h>

bool has_outlier_cells(const rows_view *rows, const scaling *units) {
    const double unit = scaling_unit(units->kind);
    const double limit = fmax(TUNING.outlier_cell, sqrt((double)rows->rows)) / unit;
    if (rows_are_sparse(rows) || !scaling_is_asinh(units->kind)) {
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
