/* What `inspect` shows of a model. */
#include <string.h>

#include "base/core/memory.h"
#include "base/text/text.h"
#include "model/file/model_file.h"

static cnm_status add_labels(record *out, const cnm_model *self, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < self->classes.count; i++) {
        status = text_add_string(&text, i == 0 ? "" : ", ", err);
        if (status == CNM_OK) {
            status = text_add_string(&text, self->classes.labels[i], err);
        }
    }
    if (status == CNM_OK) {
        status = record_set(out, "labels", text.bytes, err);
    }
    text_free(&text);
    return status;
}

/* As many as outputs, in the order of the labels: of two classes the second's. */
static cnm_status add_shift(record *out, const cnm_model *self, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < self->outputs; i++) {
        char number[TEXT_DOUBLE_SIZE];
        (void)text_from_float(number, self->shift[i]);
        status = text_add_string(&text, i == 0 ? "" : ", ", err);
        status = status == CNM_OK ? text_add_string(&text, number, err) : status;
    }
    status = status == CNM_OK ? record_set(out, "decision_shift", text.bytes, err) : status;
    text_free(&text);
    return status;
}

static cnm_status add_parameters(record *out, const cnm_model *self, cnm_error *err) {
    const map *own = self->map;
    uint64_t count = (own->phase == NULL ? 0 : own->features) + self->outputs * (own->features + 1);
    for (size_t i = 0; i < own->tensor_count; i++) {
        if (own->tensors[i].values != NULL && own->tensors[i].learned) {
            count += own->tensors[i].rows * own->tensors[i].columns;
        }
    }
    return record_set_count(out, "parameters", count, err);
}

static cnm_status add_bytes(record *out, const cnm_model *self, size_t known, cnm_error *err) {
    size_t size = known;
    const cnm_status status = known > 0 ? CNM_OK : model_size(self, &size, err);
    return status == CNM_OK ? record_set_count(out, "bytes", size, err) : status;
}

cnm_status model_describe(cnm_model *self, size_t bytes, cnm_error *err) {
    const map *own = self->map;
    record *out = &self->description;
    record_free(out);
    cnm_status status = record_set(out, "task", FILE_TASKS[self->task], err);
    status = status != CNM_OK ? status : record_set_count(out, "columns", own->columns, err);
    status = status != CNM_OK ? status : record_set_count(out, "features", own->features, err);
    status = status != CNM_OK ? status : record_set_count(out, "outputs", self->outputs, err);
    status = status != CNM_OK ? status : record_set(out, "projection", own->projection->name, err);
    status = status != CNM_OK ? status : record_set(out, "activation", own->activation->name, err);
    status = status != CNM_OK ? status : record_set(out, "phases", own->phase == NULL ? "none" : "one a feature", err);
    status = status != CNM_OK ? status : add_parameters(out, self, err);
    status = status != CNM_OK ? status : add_bytes(out, self, bytes, err);
    if (status == CNM_OK && self->classes.count > 0) {
        status = add_labels(out, self, err);
    }
    if (status == CNM_OK && self->shift != NULL) {
        status = add_shift(out, self, err);
    }
    for (size_t i = 0; status == CNM_OK && i < self->record.count; i++) {
        status = record_add(out, self->record.entries[i].key, self->record.entries[i].value, err);
    }
    return status;
}
