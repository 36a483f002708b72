/* A model as bytes: see model/file.h for the format. */
#include "model/file.h"

#include "base/memory.h"
#include "base/safetensors.h"

enum { ARRAYS = 8 + MAP_TENSORS };

/* Arrays to be written, with the ones that had to be converted. */
typedef struct outgoing {
    archive_tensor tensors[ARRAYS];
    void *owned[ARRAYS];
    size_t count;
} outgoing;

static void add(outgoing *self, const char *name, tensor_type type, size_t rows, size_t columns, const void *bytes) {
    if (bytes != NULL) {
        self->tensors[self->count++] = (archive_tensor){
            .name = name, .type = type, .dimensions = columns == 0 ? 1 : 2, .shape = {rows, columns}, .bytes = bytes};
    }
}

static cnm_status add_offset(outgoing *self, const input_stage *input, cnm_error *err) {
    if (input->offset == NULL || input->base != NULL) {
        add(self, "offset", TENSOR_F64, input->columns, 0, input->offset);
        return CNM_OK;
    }
    float *narrow;
    const cnm_status status = memory_take(&narrow, input->columns, sizeof *narrow, "offsets", err);
    if (status == CNM_OK) {
        for (size_t j = 0; j < input->columns; j++) {
            narrow[j] = (float)input->offset[j];
        }
        self->owned[self->count] = narrow;
        add(self, "offset", TENSOR_F32, input->columns, 0, narrow);
    }
    return status;
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

static cnm_status gather_arrays(outgoing *self, const cnm_model *model, cnm_error *err) {
    const map *own = model->map;
    const input_stage *input = &model->input;
    cnm_status status = add_offset(self, input, err);
    add(self, "base", TENSOR_F64, input->columns, 0, input->base);
    add(self, "fill", TENSOR_F64, input->columns, 0, input->fill);
    add(self, "scale", TENSOR_F32, input->columns, 0, input->scale);
    for (size_t i = 0; status == CNM_OK && i < own->tensor_count; i++) {
        const map_tensor *tensor = &own->tensors[i];
        if (tensor->signs && tensor->values != NULL) {
            status = add_signs(self, tensor, err);
        } else {
            add(self, tensor->name, TENSOR_F32, tensor->rows, tensor->columns, tensor->values);
        }
    }
    add(self, "phase", TENSOR_F32, own->features, 0, own->phase);
    if (model->outputs > 0) {
        add(self, "head", TENSOR_F32, own->features, model->outputs, model->weights);
        add(self, "bias", TENSOR_F32, model->outputs, 0, model->bias);
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

cnm_status model_to_bytes(const cnm_model *self, unsigned char **bytes, size_t *size, cnm_error *err) {
    outgoing arrays = {0};
    record metadata = {0};
    archive_entry *entries = NULL;
    *bytes = NULL;
    cnm_status status = gather_arrays(&arrays, self, err);
    if (status == CNM_OK) {
        status = gather_metadata(&metadata, self, err);
    }
    if (status == CNM_OK) {
        status = memory_take(&entries, metadata.count, sizeof *entries, "metadata", err);
    }
    if (status == CNM_OK) {
        for (size_t i = 0; i < metadata.count; i++) {
            entries[i] = (archive_entry){metadata.entries[i].key, metadata.entries[i].value};
        }
        status = archive_write(arrays.tensors, arrays.count, entries, metadata.count, FILE_CHECKSUM, bytes, size, err);
    }
    memory_free(entries);
    record_free(&metadata);
    for (size_t i = 0; i < ARRAYS; i++) {
        memory_free(arrays.owned[i]);
    }
    return status;
}
