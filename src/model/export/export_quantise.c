/* The model that computes what an exported program computes: its matrices rounded as the export keeps them. */
#include <string.h>

#include "base/core/memory.h"
#include "model/export/c/export_c.h"
#include "model/file/model_file.h"

static const char *const NAMES[] = {"f32", "f16", "i8"};

bool export_weights_find(const char *name, export_weights *out) {
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *out = (export_weights)i;
            return true;
        }
    }
    return false;
}

static cnm_status round_parts(cnm_model *model, export_weights weights, cnm_error *err) {
    const map *own = model->map;
    cnm_status status = export_c_check(model, err);
    if (status == CNM_OK) {
        status = projection_export_find(own->projection->name)->round(model->map, weights, err);
    }
    if (status == CNM_OK && model->outputs > 0) {
        const bool alike = activation_export_find(own->activation->name)->bounded;
        status = round_matrix(model->weights, own->features, model->outputs, weights, alike, err);
    }
    if (status == CNM_OK && weights != EXPORT_F32) { /* a file has no 8 bits, and keeps them in 32 */
        status = record_set(&model->record, FILE_WEIGHTS, weights == EXPORT_F16 ? FILE_HALF : NAMES[0], err);
    }
    map_refresh(model->map);
    return status == CNM_OK ? model_describe(model, 0, err) : status;
}

cnm_status export_round(cnm_model **out, const cnm_model *model, export_weights weights, cnm_error *err) {
    unsigned char *bytes;
    size_t size;
    *out = NULL;
    cnm_status status = model_to_bytes(model, &bytes, &size, err);
    if (status == CNM_OK) {
        status = model_from_bytes(out, bytes, size, "a copy of the model", err);
    }
    memory_free(bytes);
    if (status == CNM_OK && (status = round_parts(*out, weights, err)) != CNM_OK) {
        model_destroy(*out);
        *out = NULL;
    }
    return status;
}
