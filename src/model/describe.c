/* What `inspect` shows of a model. */
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "map/layers_text.h"
#include "model/file/model_file.h"
#include "model/model_columns.h"

static cnm_status add_labels(record *out, const cnm_model *self, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    for (size_t i = 0; i < self->classes.count; i++) {
        TRY_DONE(text_add_string(&text, i == 0 ? "" : ", ", err));
        TRY_DONE(text_add_string(&text, self->classes.labels[i], err));
    }
    TRY_DONE(record_set(out, "labels", text.bytes, err));
done:
    text_free(&text);
    return status;
}

/* One number an output, in the order of the labels: of two classes the second's. */
static cnm_status add_decision_offset(record *out, const cnm_model *self, cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    for (size_t i = 0; i < self->outputs; i++) {
        char number[TEXT_DOUBLE_SIZE];
        (void)text_from_float(number, self->decision_offset[i]);
        TRY_DONE(text_add_string(&text, i == 0 ? "" : ", ", err));
        TRY_DONE(text_add_string(&text, number, err));
    }
    TRY_DONE(record_set(out, "decision_offset", text.bytes, err));
done:
    text_free(&text);
    return status;
}

static cnm_status add_parameters(record *out, const cnm_model *self, cnm_error *err) {
    const size_t head = self->outputs * (self->map->features + 1);
    return record_set_count(out, "parameters", map_parameters(self->map) + head, err);
}

static cnm_status add_bytes(record *out, const cnm_model *self, size_t known, cnm_error *err) {
    size_t size = known;
    if (known == 0) {
        TRY(model_size(self, &size, err));
    }
    return record_set_count(out, "bytes", size, err);
}

/* Adds what becomes of the columns: how many inputs of the map, and of which columns. */
static cnm_status add_encoder(record *out, const cnm_model *self, cnm_error *err) {
    static const struct {
        const char *key;
        size_t (*list)(const encoder *by, char *sentence, size_t size);
    } LISTS[] = {
        {"words", encoder_list_words}, {"indicators", encoder_list_indicators}, {"left_out", encoder_list_left_out}};
    char sentence[512];
    if (self->encoder == NULL || self->from_names) {
        return CNM_OK;
    }
    TRY(record_set_count(out, "inputs", self->encoder->features, err));
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        if (LISTS[i].list(self->encoder, sentence, sizeof sentence) > 0) {
            TRY(record_set(out, LISTS[i].key, sentence, err));
        }
    }
    return CNM_OK;
}

/* Adds what the model is, before its metadata. */
static cnm_status add_shape(record *out, const cnm_model *self, size_t bytes, cnm_error *err) {
    const map *own = self->map;
    TRY(record_set(out, "task", FILE_TASKS[self->task], err));
    TRY(record_set_count(out, "columns", self->from_names ? own->columns : model_columns(self), err));
    TRY(add_encoder(out, self, err));
    TRY(record_set_count(out, "features", own->features, err));
    TRY(record_set_count(out, "outputs", self->outputs, err));
    if (own->layer_count > 1) {
        char layers[LAYERS_TEXT_SIZE];
        layers_write(own, layers);
        TRY(record_set(out, "layers", layers, err));
    }
    TRY(record_set(out, "projection", map_last(own)->projection->name, err));
    TRY(record_set(out, "activation", map_last(own)->activation->name, err));
    TRY(record_set(out, "phases", map_last(own)->phase == NULL ? "none" : "one a feature", err));
    TRY(add_parameters(out, self, err));
    return add_bytes(out, self, bytes, err);
}

cnm_status model_describe(cnm_model *self, size_t bytes, cnm_error *err) {
    record *out = &self->description;
    record_free(out);
    TRY(add_shape(out, self, bytes, err));
    if (self->classes.count > 0) {
        TRY(add_labels(out, self, err));
    }
    if (self->decision_offset != NULL) {
        TRY(add_decision_offset(out, self, err));
    }
    for (size_t i = 0; i < self->record.count; i++) {
        TRY(record_add(out, self->record.entries[i].key, self->record.entries[i].value, err));
    }
    return CNM_OK;
}
