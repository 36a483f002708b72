/* The linear head's memory. */
#include "engine/linear_head.h"

#include "base/core/memory.h"

cnm_status head_create(linear_head *out, size_t features, size_t outputs, cnm_error *err) {
    *out = (linear_head){.features = features, .outputs = outputs};
    return memory_zeroed(&out->weights, (features + 1) * outputs, sizeof *out->weights, "a head", err);
}

void head_free(linear_head *self) {
    memory_free(self->weights);
    *self = (linear_head){0};
}
