/* A model as bytes: see model/file/model_file.h for the format. */
#include "model/file/model_file.h"

#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/file/safetensors.h"
#include "base/text/text.h"

enum { ARRAYS = 9 + MAP_TENSORS };

/* Arrays to be written, with the ones that had to be converted. */
typedef struct outgoing {
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

/* Columns as F32 where that loses nothing: less the base where there is one, and such that adding it gives the same double again.
 * Otherwise as F64. */
static cnm_status add_columns(outgoing *self, const char *name, size_t columns, const double *values,
                              const double *base, cnm_error *err) {
    float *narrow;
    bool exact = true;
    if (values == NULL) {
        return CNM_OK;
    }
    const cnm_status status = memory_take(&narrow, columns, sizeof *narrow, name, err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t j = 0; j < columns; j++) {
        const double origin = base == NULL ? 0.0 : base[j];
        narrow[j] = (float)(values[j] - origin);
        exact = exact && (double)narrow[j] + origin == values[j];
    }
    self->owned[self->count] = narrow;
    add(self, name, exact ? TENSOR_F32 : TENSOR_F64, columns, 0, exact ? (const void *)narrow : values);
    return CNM_OK;
}

/* Numbers of the map or the head: as F16 where the model is kept so and they all come back. */
static cnm_status add_weights(outgoing *self, const char *name, size_t rows, size_t columns, const float *values,
                              cnm_error *err) {
    const size_t count = rows * (columns == 0 ? 1 : columns);
    uint16_t *halves = NULL;
    if (values == NULL) {
        return CNM_OK;
    }
    if (self->half) {
        const int exponent = half_exponent(values, count);
        const cnm_status status = memory_take(&halves, count, sizeof *halves, name, err);
        if (status != CNM_OK) {
            return status;
        }
        self->owned[self->count] = halves;
        if (half_encode(values, count, exponent, halves)) {
            self->exponents[self->count] = exponent;
            add(self, name, TENSOR_F16, rows, columns, halves);
            return CNM_OK;
        }
    }
    add(self, name, TENSOR_F32, rows, columns, values);
    return CNM_OK;
}

static cnm_status add_signs(outgoing *self, const map_tensor *tensor, cnm_error *err) {
    const size_t count = tensor->rows * tensor->columns, size = (count + 7) / 8;
    unsigned char *bits;
    const cnm_status status = memory_zeroed(&bits, size, 1, "signs", err);
    if (status == CNM_OK) {
        for (size_t j = 0; j < count; j++) {
            bits[j / 8] |= (unsigned char)((tensor->values[j] < 0.0F ? 1U : 0U) << (j % 8));
        }
        self->owned[self->count] = bits;
        add(self, tensor->name, TENSOR_U8, size, 0, bits);
    }
    return status;
}

static cnm_status add_map(outgoing *self, const map *own, cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < own->tensor_count; i++) {
        const map_tensor *tensor = &own->tensors[i];
        status = tensor->signs && tensor->values != NULL
                     ? add_signs(self, tensor, err)
                     : add_weights(self, tensor->name, tensor->rows, tensor->columns, tensor->values, err);
    }
    return status == CNM_OK ? add_weights(self, "phase", own->features, 0, own->phase, err) : status;
}

static cnm_status gather_arrays(outgoing *self, const cnm_model *model, cnm_error *err) {
    const input_stage *input = &model->input;
    const char *weights = record_get(&model->record, FILE_WEIGHTS);
    self->half = weights != NULL && strcmp(weights, FILE_HALF) == 0;
    cnm_status status = add_columns(self, "base", input->columns, input->base, NULL, err);
    if (status == CNM_OK) {
        status = add_columns(self, "offset", input->columns, input->offset, input->base, err);
    }
    if (status == CNM_OK) {
        status = add_columns(self, "fill", input->columns, input->fill, input->base, err);
    }
    add(self, "scale", TENSOR_F32, input->columns, 0, input->scale);
    if (status == CNM_OK) {
        status = add_map(self, model->map, err);
    }
    if (status == CNM_OK && model->outputs > 0) {
        status = add_weights(self, "head", model->map->features, model->outputs, model->weights, err);
        status = status == CNM_OK ? add_weights(self, "bias", model->outputs, 0, model->bias, err) : status;
        add(self, "shift", TENSOR_F32, model->outputs, 0, model->shift);
    }
    return status;
}

/* "exponent_NAME" of F16 arrays that have one. */
static cnm_status set_exponents(record *out, const outgoing *arrays, cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < arrays->count; i++) {
        text_buffer key = {0};
        if (arrays->exponents[i] != 0) {
            status = text_add_string(&key, FILE_EXPONENT, err);
            status = status == CNM_OK ? text_add_string(&key, arrays->tensors[i].name, err) : status;
            status = status == CNM_OK ? record_set_double(out, key.bytes, arrays->exponents[i], err) : status;
        }
        text_free(&key);
    }
    return status;
}

static cnm_status set_list(record *self, const char *key, char *const *items, size_t count, cnm_error *err) {
    char *joined;
    cnm_status status = list_join(&joined, items, count, err);
    if (status == CNM_OK) {
        status = record_set(self, key, joined, err);
        memory_free(joined);
    }
    return status;
}

static cnm_status gather_metadata(record *out, const cnm_model *model, cnm_error *err) {
    const map *own = model->map;
    cnm_status status = record_set(out, "format", FILE_FORMAT, err);
    const char *const texts[][2] = {{"task", FILE_TASKS[model->task]},
                                    {"projection", own->projection->name},
                                    {"activation", own->activation->name},
                                    {"input", model->input.asinh ? "asinh" : "linear"}};
    for (size_t i = 0; status == CNM_OK && i < sizeof texts / sizeof texts[0]; i++) {
        status = record_set(out, texts[i][0], texts[i][1], err);
    }
    if (status == CNM_OK) {
        status = record_set_count(out, "columns", own->columns, err);
    }
    if (status == CNM_OK) {
        status = record_set_count(out, "features", own->features, err);
    }
    if (status == CNM_OK && model->classes.count > 0) {
        status = set_list(out, "labels", model->classes.labels, model->classes.count, err);
        if (status == CNM_OK) {
            status = record_set(out, "label_kind", model->classes.numeric ? "numbers" : "words", err);
        }
    }
    if (status == CNM_OK && model->names != NULL) {
        status = set_list(out, "names", model->names, own->columns, err);
    }
    for (size_t i = 0; status == CNM_OK && i < model->record.count; i++) {
        status = record_set(out, model->record.entries[i].key, model->record.entries[i].value, err);
    }
    return status;
}

/* The file, or its size alone where bytes is NULL. */
static cnm_status write_model(const cnm_model *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    outgoing arrays = {0};
    record metadata = {0};
    archive_entry *entries = NULL;
    cnm_status status = gather_arrays(&arrays, self, err);
    if (status == CNM_OK) {
        status = gather_metadata(&metadata, self, err);
    }
    if (status == CNM_OK) {
        status = set_exponents(&metadata, &arrays, err);
    }
    if (status == CNM_OK) {
        status = memory_take(&entries, metadata.count, sizeof *entries, "metadata", err);
    }
    if (status == CNM_OK) {
        for (size_t i = 0; i < metadata.count; i++) {
            entries[i] = (archive_entry){metadata.entries[i].key, metadata.entries[i].value};
        }
        status =
            bytes == NULL
                ? archive_measure(arrays.tensors, arrays.count, entries, metadata.count, FILE_CHECKSUM, size, err)
                : archive_write(arrays.tensors, arrays.count, entries, metadata.count, FILE_CHECKSUM, bytes, size, err);
    }
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
