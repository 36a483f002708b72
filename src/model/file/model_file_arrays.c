/* Takes arrays of a model from bytes that may be hostile. */
#include "model/file/model_file_arrays.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

static bool has_shape(const archive_tensor *tensor, size_t rows, size_t columns) {
    return tensor->dimensions == (columns == 0 ? 1U : 2U) && tensor->shape[0] == rows &&
           (columns == 0 || tensor->shape[1] == columns);
}

/* Finds an array; *out is NULL where the array is absent and may be. `types` are those it may have,
 * as bits. */
static cnm_status find_array(const incoming *in, const char *name, unsigned types, size_t rows, size_t columns,
                             bool required, const archive_tensor **out, cnm_error *err) {
    const archive_tensor *tensor = *out = archive_find(in->archive, name);
    if (tensor == NULL) {
        return required ? error_set(err, CNM_BAD_FORMAT, "%s: array \"%s\" is missing", in->name, name) : CNM_OK;
    }
    if ((types & 1U << tensor->type) == 0 || !has_shape(tensor, rows, columns)) {
        return error_set(err, CNM_BAD_FORMAT, "%s: array \"%s\" has the wrong type or shape for this model", in->name,
                         name);
    }
    return CNM_OK;
}

static cnm_status not_finite(const incoming *in, const char *name, size_t element, cnm_error *err) {
    return error_set(err, CNM_BAD_FORMAT, "%s: array \"%s\" holds a number that is not finite (element %zu)", in->name,
                     name, element);
}

/* *out = the text of the metadata's "exponent_NAME", or NULL. */
static cnm_status find_exponent(const incoming *in, const char *name, const char **out, cnm_error *err) {
    text_buffer key = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(text_add_string(&key, FILE_EXPONENT, err));
    TRY_DONE(text_add_string(&key, name, err));
    *out = archive_value(in->archive, key.bytes);
done:
    text_free(&key);
    return status;
}

/* *out = the power of two that an F16 array is multiplied by. */
static cnm_status take_exponent(const incoming *in, const char *name, int *out, cnm_error *err) {
    const char *text;
    uint64_t size;
    *out = 0;
    TRY(find_exponent(in, name, &text, err));
    if (text == NULL) {
        return CNM_OK;
    }
    const bool negative = text[0] == '-';
    const char *digits = text + negative;
    if (!text_is_count(digits, digits + strlen(digits), &size) ||
        size > (negative ? -FLOAT16_LEAST_EXPONENT : FLOAT16_MOST_EXPONENT)) {
        return error_set(err, CNM_BAD_FORMAT, "%s: metadata \"" FILE_EXPONENT "%s\" is not an exponent", in->name,
                         name);
    }
    *out = negative ? -(int)size : (int)size;
    return CNM_OK;
}

static cnm_status fill_floats(const incoming *in, const archive_tensor *tensor, size_t count, float *out,
                              cnm_error *err) {
    if (tensor->type == TENSOR_F16) {
        int exponent;
        TRY(take_exponent(in, tensor->name, &exponent, err));
        float16_decode(tensor->bytes, count, exponent, out);
    } else {
        memcpy(out, tensor->bytes, tensor->size);
    }
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(out[i])) {
            return not_finite(in, tensor->name, i, err);
        }
    }
    return CNM_OK;
}

cnm_status arrays_take_floats(const incoming *in, const char *name, size_t rows, size_t columns, bool required,
                              float **out, cnm_error *err) {
    const archive_tensor *tensor;
    *out = NULL;
    TRY(find_array(in, name, 1U << TENSOR_F32 | 1U << TENSOR_F16, rows, columns, required, &tensor, err));
    if (tensor == NULL) {
        return CNM_OK;
    }
    const size_t count = tensor->size / (tensor->type == TENSOR_F16 ? sizeof(uint16_t) : sizeof(float));
    TRY(memory_take(out, count, sizeof **out, name, err));
    return fill_floats(in, tensor, count, *out, err);
}

static cnm_status take_signs(const incoming *in, const char *name, const layer_tensor *tensor, cnm_error *err) {
    const archive_tensor *stored;
    const size_t count = tensor->rows * tensor->columns;
    TRY(find_array(in, name, 1U << TENSOR_U8, (count + 7) / 8, 0, true, &stored, err));
    for (size_t j = 0; j < count; j++) {
        tensor->values[j] = (((const unsigned char *)stored->bytes)[j / 8] >> (j % 8)) & 1 ? -1.0F : 1.0F;
    }
    return CNM_OK;
}

cnm_status arrays_take_tensor(const incoming *in, const char *name, layer_tensor *tensor, cnm_error *err) {
    if (tensor->signs) {
        return take_signs(in, name, tensor, err);
    }
    float *values;
    cnm_status status = CNM_OK;
    TRY_DONE(arrays_take_floats(in, name, tensor->rows, tensor->columns, !tensor->optional, &values, err));
    if (values != NULL) {
        memory_free(tensor->values);
        tensor->values = values;
        values = NULL;
    }
done:
    memory_free(values);
    return status;
}

/* ---- The input stage ---- */

/* Takes an array as true values (columns); *out is NULL where the array is absent. F32 is stored
 * less `base` (may be NULL). */
static cnm_status take_doubles(const incoming *in, const char *name, const double *base, double **out, cnm_error *err) {
    const size_t columns = in->model->input.columns;
    const archive_tensor *tensor;
    *out = NULL;
    TRY(find_array(in, name, 1U << TENSOR_F32 | 1U << TENSOR_F64, columns, 0, false, &tensor, err));
    if (tensor == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(out, columns, sizeof **out, name, err));
    for (size_t j = 0; j < columns; j++) {
        (*out)[j] = tensor->type == TENSOR_F64
                        ? ((const double *)tensor->bytes)[j]
                        : (double)((const float *)tensor->bytes)[j] + (base == NULL ? 0.0 : base[j]);
        if (!isfinite((*out)[j])) {
            return not_finite(in, name, j, err);
        }
    }
    return CNM_OK;
}

cnm_status arrays_take_columns(const incoming *in, cnm_error *err) {
    input_stage *input = &in->model->input;
    TRY(take_doubles(in, "base", NULL, &input->base, err));
    TRY(take_doubles(in, "offset", input->base, &input->offset, err));
    TRY(take_doubles(in, "fill", input->base, &input->fill, err));
    return arrays_take_floats(in, "scale", input->columns, 0, false, &input->scale, err);
}

/* Counts the knots of all columns; fails where a column has none or too many. */
static cnm_status count_knots(const incoming *in, const uint8_t *counts, size_t *total, cnm_error *err) {
    *total = 0;
    for (size_t j = 0; j < in->model->input.columns; j++) {
        if (counts[j] == 0 || counts[j] > KNOTS_MOST) {
            return error_set(err, CNM_BAD_FORMAT, "%s: column %zu has %u knots, expected 1 to %d", in->name, j + 1,
                             counts[j], KNOTS_MOST);
        }
        *total += counts[j];
    }
    return CNM_OK;
}

cnm_status arrays_take_knots(const incoming *in, cnm_error *err) {
    input_stage *input = &in->model->input;
    const archive_tensor *counts;
    float *both = NULL;
    size_t total;
    cnm_status status = CNM_OK;
    TRY(find_array(in, "knot_counts", 1U << TENSOR_U8, input->columns, 0, true, &counts, err));
    TRY(count_knots(in, counts->bytes, &total, err));
    TRY_DONE(arrays_take_floats(in, "knots", 2, total, true, &both, err));
    TRY_DONE(knots_create(&input->knots, input->columns, counts->bytes, err));
    memcpy(input->knots->at, both, total * sizeof *both);
    memcpy(input->knots->value, both + total, total * sizeof *both);
    if (!knots_prepare(input->knots)) {
        TRY_DONE(error_set(err, CNM_BAD_FORMAT, "%s: the knots of a column do not ascend", in->name));
    }
done:
    memory_free(both);
    return status;
}
