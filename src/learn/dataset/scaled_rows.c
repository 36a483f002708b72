/* Turns a fitted scaling into a preprocessing stage. */
#include "learn/dataset/scaled_rows.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

/* Copies values (count; may be NULL). */
static cnm_status copy_doubles(double **out, const double *values, size_t count, cnm_error *err) {
    if (values == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, count, sizeof **out, "columns", err));
    memcpy(*out, values, count * sizeof **out);
    return CNM_OK;
}

static bool any_nonzero(const double *values, size_t count) {
    for (size_t j = 0; j < count; j++) {
        if (values[j] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Fills the preprocessing stage from the fitted scaling; leaves out offsets that are all 0. */
static cnm_status fill_input(scaled_rows *self, const dataset *data, cnm_error *err) {
    input_stage *input = &self->input;
    const size_t columns = data->rows.columns;
    input->columns = columns;
    input->asinh = scaling_is_asinh(self->scaling.kind);
    TRY(copy_doubles(&input->fill, data->fill, columns, err));
    TRY(copy_doubles(&input->base, data->rows.base, columns, err));
    if (any_nonzero(self->scaling.offset, columns)) {
        TRY(copy_doubles(&input->offset, self->scaling.offset, columns, err));
    }
    columns_round(input->offset, input->base, columns);
    if (self->scaling.kind == SCALING_NONE) {
        return CNM_OK;
    }
    TRY(memory_take(&input->scale, columns, sizeof *input->scale, "scales", err));
    for (size_t j = 0; j < columns; j++) {
        input->scale[j] = (float)self->scaling.scale[j];
    }
    return self->scaling.knots == NULL ? CNM_OK : knots_copy(&input->knots, self->scaling.knots, err);
}

cnm_status scaled_rows_create(scaled_rows *out, const dataset *data, scaling_kind kind, cnm_error *err) {
    *out = (scaled_rows){0};
    TRY(scaling_fit(&out->scaling, kind, &data->rows, err));
    const cnm_status status = fill_input(out, data, err);
    if (status != CNM_OK) {
        scaled_rows_free(out);
    }
    return status;
}

void scaled_rows_free(scaled_rows *self) {
    scaling_free(&self->scaling);
    input_free(&self->input);
    *self = (scaled_rows){0};
}
