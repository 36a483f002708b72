/* Creates, draws, copies and destroys layers. Running them is in layer_forward.c, their size in
 * layer_size.c. */
#include "map/layer.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "base/core/try.h"
#include "math/random/variates.h"

static const double TWO_PI = 6.28318530717958647692;

/* Allocates tensors of zeros (optional ones stay absent) and phases. */
static cnm_status take_arrays(layer *self, bool phases, cnm_error *err) {
    self->tensor_count = self->projection->describe(self->columns, self->number_given, self->tensors);
    for (size_t i = 0; i < self->tensor_count; i++) {
        layer_tensor *tensor = &self->tensors[i];
        if (!tensor->optional) { /* layer_size_check has seen that the product does not overflow */
            TRY(memory_zeroed(&tensor->values, tensor->rows * tensor->columns, sizeof *tensor->values, tensor->name,
                              err));
        }
    }
    return phases ? memory_zeroed(&self->phase, self->features, sizeof *self->phase, "phases", err) : CNM_OK;
}

static cnm_status check_spec(const layer_spec *spec, cnm_error *err) {
    const projection_ops *projection = projection_find(spec->projection);
    if (projection == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "unknown projection '%s'", spec->projection);
    }
    if (activation_find(spec->activation) == NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "unknown activation '%s'", spec->activation);
    }
    if (spec->columns == 0 || spec->features == 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "a map needs at least one column and one feature, not %zu and %zu",
                         spec->columns, spec->features);
    }
    if (spec->number > 0 && projection->back == NULL) {
        return error_set(err, CNM_UNSUPPORTED, "a %s layer stands on rows alone, not on another layer",
                         projection->name);
    }
    return layer_size_check(projection, spec->columns, spec->features, err);
}

size_t layer_spec_features(const layer_spec *spec) {
    const projection_ops *projection = projection_find(spec->projection);
    return projection == NULL || projection->features == NULL ? spec->features
                                                              : projection->features(spec->columns, spec->features);
}

cnm_status layer_create(layer **out, const layer_spec *spec, cnm_error *err) {
    cnm_status status;
    layer *self;
    *out = NULL;
    TRY(check_spec(spec, err));
    TRY(memory_zeroed(&self, 1, sizeof *self, "a layer", err));
    self->projection = projection_find(spec->projection);
    self->activation = activation_find(spec->activation);
    self->columns = spec->columns;
    self->features = layer_spec_features(spec);
    self->number_given = spec->features;
    self->scale = (float)self->activation->scale(self->features);
    self->number = spec->number;
    TRY_DONE(take_arrays(self, spec->phases, err));
    TRY_DONE(self->projection->create != NULL ? self->projection->create(self, err) : CNM_OK);
    *out = self;
    return CNM_OK;
done:
    layer_destroy(self);
    return status;
}

cnm_status layer_draw(layer **out, const layer_spec *spec, cnm_error *err) {
    cnm_status status;
    layer *self;
    *out = NULL;
    TRY(layer_create(&self, spec, err));
    TRY_DONE(self->projection->draw(self, spec, err));
    if (self->phase != NULL) {
        const random_stream stream = {spec->seed, RANDOM_PHASE, 0};
        variates_uniform(stream, 0, self->features, TWO_PI, self->phase);
    }
    layer_refresh(self);
    *out = self;
    return CNM_OK;
done:
    layer_destroy(self);
    return status;
}

/* Copies tensors and phases of self to target, which has the same shapes. */
static cnm_status copy_arrays(layer *target, const layer *self, cnm_error *err) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        const layer_tensor *from = &self->tensors[i];
        layer_tensor *to = &target->tensors[i];
        const size_t count = from->rows * from->columns;
        if (from->values == NULL) {
            continue;
        }
        if (to->values == NULL) {
            TRY(memory_take(&to->values, count, sizeof *to->values, to->name, err));
        }
        memcpy(to->values, from->values, count * sizeof *to->values);
    }
    if (self->phase != NULL) {
        memcpy(target->phase, self->phase, self->features * sizeof *self->phase);
    }
    return CNM_OK;
}

void layer_assign(layer *self, const layer *from) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        const layer_tensor *tensor = &self->tensors[i];
        if (tensor->values != NULL) {
            memcpy(tensor->values, from->tensors[i].values, tensor->rows * tensor->columns * sizeof *tensor->values);
        }
    }
    if (self->phase != NULL) {
        memcpy(self->phase, from->phase, self->features * sizeof *self->phase);
    }
    layer_refresh(self);
}

cnm_status layer_copy(layer **out, const layer *self, cnm_error *err) {
    const layer_spec spec = {.projection = self->projection->name,
                             .activation = self->activation->name,
                             .columns = self->columns,
                             .features = self->number_given,
                             .phases = self->phase != NULL,
                             .number = self->number};
    cnm_status status;
    layer *copy;
    *out = NULL;
    TRY(layer_create(&copy, &spec, err));
    TRY_DONE(copy_arrays(copy, self, err));
    copy->scale = self->scale;
    layer_refresh(copy);
    *out = copy;
    return CNM_OK;
done:
    layer_destroy(copy);
    return status;
}

void layer_destroy(layer *self) {
    if (self == NULL) {
        return;
    }
    if (self->projection->destroy != NULL) {
        self->projection->destroy(self);
    }
    for (size_t i = 0; i < self->tensor_count; i++) {
        memory_free(self->tensors[i].values);
    }
    memory_free(self->phase);
    memory_free(self);
}

void layer_refresh(layer *self) {
    if (self->projection->refresh != NULL) {
        self->projection->refresh(self);
    }
}

cnm_status layer_scale_columns(layer *self, const double *factor, cnm_error *err) {
    TRY(self->projection->scale_columns(self, factor, err));
    layer_refresh(self);
    return CNM_OK;
}

cnm_status layer_adopt(layer *self, const layer *smaller, cnm_error *err) {
    if (self->projection != smaller->projection || self->columns != smaller->columns ||
        self->features < smaller->features ||
        (self->projection->features != NULL && self->number_given != smaller->number_given) ||
        (self->phase == NULL) != (smaller->phase == NULL)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "a map of %zu columns and %zu features cannot take over one of %zu and %zu", self->columns,
                         self->features, smaller->columns, smaller->features);
    }
    TRY(self->projection->adopt != NULL ? self->projection->adopt(self, smaller, err) : CNM_OK);
    if (self->phase != NULL) {
        memcpy(self->phase, smaller->phase, smaller->features * sizeof *self->phase);
    }
    layer_refresh(self);
    return CNM_OK;
}
