/* Creates and destroys models; predict.c runs rows through them. */
#include "model/model.h"

#include "base/core/memory.h"

cnm_status model_create(cnm_model **out, cnm_error *err) { return memory_zeroed(out, 1, sizeof **out, "a model", err); }

void model_destroy(cnm_model *self) {
    if (self == NULL) {
        return;
    }
    list_free(self->names, self->names == NULL ? 0 : self->input.columns);
    encoder_destroy(self->encoder);
    memory_free(self->column_names);
    memory_free(self->column_base);
    input_free(&self->input);
    map_destroy(self->map);
    memory_free(self->weights);
    memory_free(self->bias);
    memory_free(self->decision_offset);
    classes_free(&self->classes);
    record_free(&self->record);
    record_free(&self->description);
    history_free(&self->history);
    memory_free(self);
}

int32_t model_decide(const cnm_model *self, const float *scores) {
    if (self->outputs == 1) {
        return scores[0] > 0.0F ? 1 : 0;
    }
    size_t best = 0;
    for (size_t i = 1; i < self->outputs; i++) {
        if (scores[i] > scores[best]) {
            best = i;
        }
    }
    return (int32_t)best;
}
