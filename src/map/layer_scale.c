/* Folds scales of input columns into a map's tensors. */
#include <float.h>
#include <math.h>

#include "base/core/error.h"
#include "base/text/text.h"
#include "map/projections/projections.h"

cnm_status scale_tensor(layer_tensor *tensor, const double *factor, size_t row_step, size_t column_step,
                        cnm_error *err) {
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->columns; j++) {
            const size_t column = i * row_step + j * column_step;
            const double product = (double)tensor->values[i * tensor->columns + j] * factor[column];
            if (!(fabs(product) <= (double)FLT_MAX)) {
                char text[TEXT_DOUBLE_SIZE];
                text_from_double(text, factor[column]);
                return error_set(err, CNM_BAD_ARGUMENT, "column %zu cannot be scaled by %s: %s would not stay finite",
                                 column + 1, text, tensor->name);
            }
        }
    }
    for (size_t i = 0; i < tensor->rows; i++) {
        for (size_t j = 0; j < tensor->columns; j++) {
            float *value = tensor->values + i * tensor->columns + j;
            *value = (float)((double)*value * factor[i * row_step + j * column_step]);
        }
    }
    return CNM_OK;
}
