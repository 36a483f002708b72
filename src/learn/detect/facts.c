/* Runs each detector once. */
#include "learn/detect/facts.h"

#include "base/core/try.h"
#include "learn/detect/detect_images.h"
#include "learn/detect/detect_row_outliers.h"
#include "learn/detect/detect_time_order.h"
#include "learn/detect/guess_scaling.h"

cnm_status facts_find(facts *self, const dataset *data, const scaled_rows *scaled, bool takes_sparse, cnm_error *err) {
    input_source rows = {0};
    cnm_status status = CNM_OK;
    self->shared_scale = self->scaling == SCALING_GLOBAL && data->rows.columns >= SHARED_SCALE_COLUMNS;
    self->has_outlier_cells = has_outlier_cells(&data->rows, &scaled->scaling);
    TRY(input_bind(&rows, &scaled->input, &data->rows, takes_sparse, err));
    TRY_DONE(detect_images(&self->images, data, &rows, self->shared_scale, err));
    /* Groups state which rows are alike. */
    if (!rows_stay_sparse(&data->rows) && data->groups == NULL) {
        TRY_DONE(detect_time_order(data, &rows, &self->time_ordered, err));
    }
done:
    input_unbind(&rows);
    return status;
}
