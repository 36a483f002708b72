/* Writes a model as bytes: see model_file_read.c for the format. */
#include "model/file/model_file.h"

#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/file/safetensors.h"
#include "base/text/text.h"
#include "map/layers_text.h"

enum { ARRAYS = 8 + MAP_ARRAYS };

/* Arrays to be written, with the ones that had to be converted. */
typedef struct outgoing {
    map_array arrays[MAP_ARRAYS]; /* of the map, for their names */
    archive_tensor tensors[ARRAYS];
    void *owned[ARRAYS];
    int exponents[ARRAYS]; /* of F16 arrays */
    size_t count;
    bool half; /* weights go out as F16 */
} outgoing;

static void add(outgoing *self, const char *name, tensor_type type, size_t rows, size_t columns, const void *bytes) {
    if (bytes != NULL) {
        self->tensors[self->count++] = (archive_tensor){
            .name = name, .type = type, .dimensions = columns == 0 ? 1 : 2, .shape = {rows, columns}, .bytes = bytes};
    }
}

/* Adds columns as F32, less the base where there is one, if adding the base again gives the same
 * doubles; otherwise as F64. */
static cnm_status add_columns(outgoing *self, const char *name, size_t columns, const double *values,
                              const double *base, cnm_error *err) {
    float *narrow;
    bool exact = true;
    if (values == NULL) {
        return CNM_OK;
    }
    TRY(memory_take(&narrow, columns, sizeof *narrow, name, err));
    for (size_t j = 0; j < columns; j++) {
        const double origin = base == NULL ? 0.0 : base[j];
        narrow[j] = (float)(values[j] - origin);
        exact = exact && (double)narrow[j] + origin == values[j];
    }
    self->owned[self->count] = narrow;
    add(self, name, exact ? TENSOR_F32 : TENSOR_F64, columns, 0, exact ? (const void *)narrow : values);
    return CNM_OK;
}

/* Adds numbers of the map or the head: as F16 where the model's dtype is that and F16 keeps all
 * their bits. */
static cnm_status add_weights(outgoing *self, const char *name, size_t rows, size_t columns, const float *values,
                              cnm_error *err) {
    const size_t count = rows * (columns == 0 ? 1 : columns);
    uint16_t *halves = NULL;
    if (values == NULL) {
        return CNM_OK;
    }
    if (self->half) {
        const int exponent = float16_exponent(values, count);
        TRY(memory_take(&halves, count, sizeof *halves, name, err));
        self->owned[self->count] = halves;
        if (float16_encode(values, count, exponent, halves)) {
            self->exponents[self->count] = exponent;
            add(self, name, TENSOR_F16, rows, columns, halves);
            return CNM_OK;
        }
    }
    add(self, name, TENSOR_F32, rows, columns, values);
    return CNM_OK;
}

static cnm_status add_signs(outgoing *self, const char *name, const layer_tensor *tensor, cnm_error *err) {
    const size_t count = tensor->rows * tensor->columns, size = (count + 7) / 8;
    unsigned char *bits;
    TRY(memory_zeroed(&bits, size, 1, "signs", err));
    for (size_t j = 0; j < count; j++) {
        bits[j / 8] |= (unsigned char)((tensor->values[j] < 0.0F ? 1U : 0U) << (j % 8));
    }
    self->owned[self->count] = bits;
    add(self, name, TENSOR_U8, size, 0, bits);
    return CNM_OK;
}

static cnm_status add_map(outgoing *self, const map *own, cnm_error *err) {
    const size_t count = map_list(own, self->arrays);
    for (size_t i = 0; i < count; i++) {
        const map_array *array = &self->arrays[i];
        const layer_tensor *tensor = array->tensor;
        if (tensor == NULL) {
            TRY(add_weights(self, array->name, array->columns, 0, *array->values, err));
        } else if (tensor->signs && tensor->values != NULL) {
            TRY(add_signs(self, array->name, tensor, err));
        } else {
            TRY(add_weights(self, array->name, tensor->rows, tensor->columns, tensor->values, err));
        }
    }
    return CNM_OK;
}

static cnm_status gather_arrays(outgoing *self, const cnm_model *model, cnm_error *err) {
    const input_stage *input = &model->input;
    const char *dtype = record_get(&model->record, FILE_DTYPE);
    self->half = dtype != NULL && strcmp(dtype, FILE_HALF) == 0;
    TRY(add_columns(self, "base", input->columns, input->base, NULL, err));
    TRY(add_columns(self, "offset", input->columns, input->offset, input->base, err));
    TRY(add_columns(self, "fill", input->columns, input->fill, input->base, err));
    add(self, "scale", TENSOR_F32, input->columns, 0, input->scale);
    TRY(add_map(self, model->map, err));
    if (model->outputs > 0) {
        TRY(add_weights(self, "head", model->map->features, model->outputs, model->weights, err));
        TRY(add_weights(self, "bias", model->outputs, 0, model->bias, err));
        add(self, FILE_DECISION_OFFSET, TENSOR_F32, model->outputs, 0, model->decision_offset);
    }
    return CNM_OK;
}

/* Sets "exponent_NAME" of an F16 array. */
static cnm_status set_exponent(record *out, const char *name, int exponent, cnm_error *err) {
    text_buffer key = {0};
    cnm_status status = CNM_OK;
    TRY_DONE(text_add_string(&key, FILE_EXPONENT, err));
    TRY_DONE(text_add_string(&key, name, err));
    TRY_DONE(record_set_double(out, key.bytes, exponent, err));
done:
    text_free(&key);
    return status;
}

static cnm_status set_exponents(record *out, const outgoing *arrays, cnm_error *err) {
    for (size_t i = 0; i < arrays->count; i++) {
        if (arrays->exponents[i] != 0) {
            TRY(set_exponent(out, arrays->tensors[i].name, arrays->exponents[i], err));
        }
    }
    return CNM_OK;
}

static cnm_status set_list(record *self, const char *key, char *const *items, size_t count, cnm_error *err) {
    char *joined;
    TRY(list_join(&joined, items, count, err));
    const cnm_status status = record_set(self, key, joined, err);
    memory_free(joined);
    return status;
}

static cnm_status set_encoder(record *out, const cnm_model *model, cnm_error *err) {
    char *text;
    if (model->encoder == NULL || model->from_names) {
        return CNM_OK;
    }
    TRY(encoder_to_text(model->encoder, &text, err));
    const cnm_status status = record_set(out, FILE_ENCODER, text, err);
    memory_free(text);
    return status;
}

static cnm_status gather_metadata(record *out, const cnm_model *model, cnm_error *err) {
    const map *own = model->map;
    const char *const texts[][2] = {{"format", FILE_FORMAT},
                                    {"task", FILE_TASKS[model->task]},
                                    {"projection", map_last(own)->projection->name},
                                    {"activation", map_last(own)->activation->name},
                                    {"input", model->input.asinh ? "asinh" : "linear"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TRY(record_set(out, texts[i][0], texts[i][1], err));
    }
    TRY(record_set_count(out, "columns", own->columns, err));
    TRY(record_set_count(out, "features", own->features, err));
    if (own->layer_count > 1) {
        char layers[LAYERS_TEXT_SIZE];
        layers_write(own, layers);
        TRY(record_set(out, "layers", layers, err));
    }
    if (model->classes.count > 0) {
        TRY(set_list(out, "labels", model->classes.labels, model->classes.count, err));
        TRY(record_set(out, "label_kind", model->classes.numeric ? "numbers" : "words", err));
    }
    if (model->names != NULL) {
        TRY(set_list(out, "names", model->names, own->columns, err));
    }
    TRY(set_encoder(out, model, err));
    for (size_t i = 0; i < model->record.count; i++) {
        TRY(record_set(out, model->record.entries[i].key, model->record.entries[i].value, err));
    }
    return CNM_OK;
}

/* Writes the file, or finds its size alone where bytes is NULL. */
static cnm_status write_model(const cnm_model *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    outgoing arrays = {0};
    record metadata = {0};
    archive_entry *entries = NULL;
    cnm_status status = CNM_OK;
    TRY_DONE(gather_arrays(&arrays, self, err));
    TRY_DONE(gather_metadata(&metadata, self, err));
    TRY_DONE(set_exponents(&metadata, &arrays, err));
    TRY_DONE(memory_take(&entries, metadata.count, sizeof *entries, "metadata", err));
    for (size_t i = 0; i < metadata.count; i++) {
        entries[i] = (archive_entry){metadata.entries[i].key, metadata.entries[i].value};
    }
    TRY_DONE(
        bytes == NULL
            ? archive_measure(arrays.tensors, arrays.count, entries, metadata.count, FILE_CHECKSUM, size, err)
            : archive_write(arrays.tensors, arrays.count, entries, metadata.count, FILE_CHECKSUM, bytes, size, err));
done:
    memory_free(entries);
    record_free(&metadata);
    for (size_t i = 0; i < ARRAYS; i++) {
        memory_free(arrays.owned[i]);
    }
    return status;
}

cnm_status model_to_bytes(const cnm_model *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    *bytes = NULL;
    return write_model(self, bytes, size, err);
}

cnm_status model_size(const cnm_model *self, size_t *size, cnm_error *err) {
    return write_model(self, NULL, size, err);
}
