/* Makes the model that computes what an exported program computes: matrices are rounded as the
 * export keeps them. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/export/c/export_c.h"
#include "model/file/model_file.h"

static const char *const NAMES[] = {"f32", "f16", "i8"};

bool export_dtype_find(const char *name, export_dtype *out) {
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *out = (export_dtype)i;
            return true;
        }
    }
    return false;
}

static cnm_status quantise_parts(cnm_model *model, export_dtype weights, cnm_error *err) {
    const map *own = model->map;
    TRY(export_c_check(model, err));
    for (size_t i = 0; i < own->layer_count; i++) {
        TRY(projection_export_find(own->layers[i]->projection->name)->quantise(own, own->layers[i], weights, err));
    }
    if (model->outputs > 0) {
        const bool alike = activation_export_find(map_last(own)->activation->name)->bounded;
        TRY(quantise_matrix(model->weights, own->features, model->outputs, weights, alike, err));
    }
    if (weights != EXPORT_F32) { /* a model file has no 8 bits, and keeps them in 32 */
        TRY(record_set(&model->record, FILE_DTYPE, weights == EXPORT_F16 ? FILE_HALF : NAMES[0], err));
    }
    map_refresh(model->map);
    return model_describe(model, 0, err);
}

cnm_status export_quantise(cnm_model **out, const cnm_model *model, export_dtype weights, cnm_error *err) {
    unsigned char *bytes;
    size_t size;
    cnm_status status = CNM_OK;
    *out = NULL;
    TRY_DONE(model_to_bytes(model, &bytes, &size, err));
    TRY_DONE(model_from_bytes(out, bytes, size, "a copy of the model", err));
    TRY_DONE(quantise_parts(*out, weights, err));
done:
    memory_free(bytes);
    if (status != CNM_OK) {
        model_destroy(*out);
        *out = NULL;
    }
    return status;
}
