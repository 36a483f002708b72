/* Gives an exported program the filling that predictions have without a table: where no number was
 * missing in training, a missing one is its column's centre. Only models with columns of several
 * types get it, whose programs say that any cell may be missing; a model of plain numbers stays as
 * small as it is, and its program gives NaN for NaN. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/export/export.h"
#include "model/model_columns.h"

cnm_status export_fill(cnm_model *out, double **fill, const cnm_model *model, cnm_error *err) {
    const input_stage *input = &model->input;
    *out = *model;
    *fill = NULL;
    if (model->encoder == NULL || input->fill != NULL || model_refuses_missing(model)) {
        return CNM_OK;
    }
    TRY(memory_zeroed(fill, input->columns, sizeof **fill, "column centres", err));
    if (input->offset != NULL) {
        memcpy(*fill, input->offset, input->columns * sizeof **fill);
    }
    out->input.fill = *fill;
    return CNM_OK;
}
