/* Arrays of a model from bytes that may be hostile. */
#include "model/file/model_file_arrays.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/text/text.h"

static bool has_shape(const archive_tensor *tensor, size_t rows, size_t columns) {
    return tensor->dimensions == (columns == 0 ? 1U : 2U) && tensor->shape[0] == rows &&
           (columns == 0 || tensor->shape[1] == columns);
}

/* *out = the array, or NULL where it is absent and may be. `types` are those it may have, as bits. */
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

/* The power of two that an F16 array is multiplied by. */
static cnm_status take_exponent(const incoming *in, const char *name, int *out, cnm_error *err) {
    text_buffer key = {0};
    uint64_t size;
    *out = 0;
    cnm_status status = text_add_string(&key, FILE_EXPONENT, err);
    status = status == CNM_OK ? text_add_string(&key, name, err) : status;
    const char *text = status == CNM_OK ? archive_value(in->archive, key.bytes) : NULL;
    text_free(&key);
    if (text == NULL) {
        return status;
    }
    const bool negative = text[0] == '-';
    const char *digits = text + negative;
    if (!text_is_count(digits, digits + strlen(digits), &size) ||
        size > (negative ? -HALF_LEAST_EXPONENT : HALF_MOST_EXPONENT)) {
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
        const cnm_status status = take_exponent(in, tensor->name, &exponent, err);
        if (status != CNM_OK) {
            return status;
        }
        half_decode(tensor->bytes, count, exponent, out);
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
    cnm_status status =
        find_array(in, name, 1U << TENSOR_F32 | 1U << TENSOR_F16, rows, columns, required, &tensor, err);
    if (status != CNM_OK || tensor == NULL) {
        return status;
    }
    const size_t count = tensor->size / (tensor->type == TENSOR_F16 ? sizeof(uint16_t) : sizeof(float));
    status = memory_take(out, count, sizeof **out, name, err);
    return status == CNM_OK ? fill_floats(in, tensor, count, *out, err) : status;
}

static cnm_status take_signs(const incoming *in, const map_tensor *tensor, cnm_error *err) {
    const archive_tensor *stored;
    const size_t count = tensor->rows * tensor->columns;
    const cnm_status status = find_array(in, tensor->name, 1U << TENSOR_U8, (count + 7) / 8, 0, true, &stored, err);
    for (size_t j = 0; status == CNM_OK && j < count; j++) {
        tensor->values[j] = (((const unsigned char *)stored->bytes)[j / 8] >> (j % 8)) & 1 ? -1.0F : 1.0F;
    }
    return status;
}

cnm_status arrays_take_tensor(const incoming *in, map_tensor *tensor, cnm_error *err) {
    if (tensor->signs) {
        return take_signs(in, tensor, err);
    }
    float *values;
    const cnm_status status =
        arrays_take_floats(in, tensor->name, tensor->rows, tensor->columns, !tensor->optional, &values, err);
    if (status == CNM_OK && values != NULL) {
        memory_free(tensor->values);
        tensor->values = values;
    } else {
        memory_free(values);
    }
    return status;
}

/* ---- The input stage ---- */

/* *out (columns) = the array as true values, or NULL where it is absent. What is stored as F32 is less `base` (may be NULL). */
static cnm_status take_doubles(const incoming *in, const char *name, const double *base, double **out, cnm_error *err) {
    const size_t columns = in->model->input.columns;
    const archive_tensor *tensor;
    *out = NULL;
    cnm_status status = find_array(in, name, 1U << TENSOR_F32 | 1U << TENSOR_F64, columns, 0, false, &tensor, err);
    if (status != CNM_OK || tensor == NULL) {
        return status;
    }
    status = memory_take(out, columns, sizeof **out, name, err);
    for (size_t j = 0; status == CNM_OK && j < columns; j++) {
        (*out)[j] = tensor->type == TENSOR_F64
                        ? ((const double *)tensor->bytes)[j]
                        : (double)((const float *)tensor->bytes)[j] + (base == NULL ? 0.0 : base[j]);
        if (!isfinite((*out)[j])) {
            status = not_finite(in, name, j, err);
        }
    }
    return status;
}

cnm_status arrays_take_columns(const incoming *in, cnm_error *err) {
    input_stage *input = &in->model->input;
    cnm_status status = take_doubles(in, "base", NULL, &input->base, err);
    if (status == CNM_OK) {
        status = take_doubles(in, "offset", input->base, &input->offset, err);
    }
    if (status == CNM_OK) {
        status = take_doubles(in, "fill", input->base, &input->fill, err);
    }
    return status == CNM_OK ? arrays_take_floats(in, "scale", input->columns, 0, false, &input->scale, err) : status;
}
