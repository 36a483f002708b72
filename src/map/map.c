/* Maps as objects: made, drawn, copied, ended. Running them is in run.c, their size in size.c. */
#include "map/map.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/random.h"
#include "map/projections/projections.h"
#include "math/random/variates.h"

static const double TWO_PI = 6.28318530717958647692;

/* Zeroed tensors (optional ones absent) and phases. */
static cnm_status take_arrays(map *self, bool phases, cnm_error *err) {
    self->tensor_count = self->projection->describe(self->columns, self->features, self->tensors);
    for (size_t i = 0; i < self->tensor_count; i++) {
        map_tensor *tensor = &self->tensors[i];
        if (tensor->optional) {
            continue;
        }
        /* size_check has seen that the product does not overflow */
        const cnm_status status =
            memory_zeroed(&tensor->values, tensor->rows * tensor->columns, sizeof *tensor->values, tensor->name, err);
        if (status != CNM_OK) {
            return status;
        }
    }
    return phases ? memory_zeroed(&self->phase, self->features, sizeof *self->phase, "phases", err) : CNM_OK;
}

static cnm_status check_spec(const map_spec *spec, cnm_error *err) {
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
    return size_check(projection, spec->columns, spec->features, err);
}

cnm_status map_create(map **out, const map_spec *spec, cnm_error *err) {
    *out = NULL;
    cnm_status status = check_spec(spec, err);
    if (status != CNM_OK) {
        return status;
    }
    map *self;
    if ((status = memory_zeroed(&self, 1, sizeof *self, "map", err)) != CNM_OK) {
        return status;
    }
    self->projection = projection_find(spec->projection);
    self->activation = activation_find(spec->activation);
    self->columns = spec->columns;
    self->features = spec->features;
    self->scale = (float)self->activation->scale(self->features);
    status = take_arrays(self, spec->phases, err);
    if (status == CNM_OK && self->projection->create != NULL) {
        status = self->projection->create(self, err);
    }
    if (status != CNM_OK) {
        map_destroy(self);
        return status;
    }
    *out = self;
    return CNM_OK;
}

cnm_status map_draw(map **out, const map_spec *spec, cnm_error *err) {
    map *self;
    *out = NULL;
    cnm_status status = map_create(&self, spec, err);
    if (status != CNM_OK) {
        return status;
    }
    if ((status = self->projection->draw(self, spec, err)) != CNM_OK) {
        map_destroy(self);
        return status;
    }
    if (self->phase != NULL) {
        const random_stream stream = {spec->seed, RANDOM_PHASE, 0};
        variates_uniform(stream, 0, self->features, TWO_PI, self->phase);
    }
    map_refresh(self);
    *out = self;
    return CNM_OK;
}

/* target's tensors and phases = self's, of the same shapes. */
static cnm_status copy_arrays(map *target, const map *self, cnm_error *err) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        const map_tensor *from = &self->tensors[i];
        map_tensor *to = &target->tensors[i];
        const size_t count = from->rows * from->columns;
        if (from->values == NULL) {
            continue;
        }
        if (to->values == NULL) {
            const cnm_status status = memory_take(&to->values, count, sizeof *to->values, to->name, err);
            if (status != CNM_OK) {
                return status;
            }
        }
        memcpy(to->values, from->values, count * sizeof *to->values);
    }
    if (self->phase != NULL) {
        memcpy(target->phase, self->phase, self->features * sizeof *self->phase);
    }
    return CNM_OK;
}

cnm_status map_copy(map **out, const map *self, cnm_error *err) {
    const map_spec spec = {.projection = self->projection->name,
                           .activation = self->activation->name,
                           .columns = self->columns,
                           .features = self->features,
                           .phases = self->phase != NULL};
    map *copy;
    *out = NULL;
    cnm_status status = map_create(&copy, &spec, err);
    if (status != CNM_OK) {
        return status;
    }
    if ((status = copy_arrays(copy, self, err)) != CNM_OK) {
        map_destroy(copy);
        return status;
    }
    copy->scale = self->scale;
    map_refresh(copy);
    *out = copy;
    return CNM_OK;
}

void map_destroy(map *self) {
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

void map_refresh(map *self) {
    if (self->projection->refresh != NULL) {
        self->projection->refresh(self);
    }
}

cnm_status map_adopt(map *self, const map *smaller, cnm_error *err) {
    cnm_status status = CNM_OK;
    if (self->projection != smaller->projection || self->columns != smaller->columns ||
        self->features < smaller->features || (self->phase == NULL) != (smaller->phase == NULL)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "a map of %zu columns and %zu features cannot take over one of %zu and %zu", self->columns,
                         self->features, smaller->columns, smaller->features);
    }
    if (self->projection->adopt != NULL) {
        status = self->projection->adopt(self, smaller, err);
    }
    if (status == CNM_OK && self->phase != NULL) {
        memcpy(self->phase, smaller->phase, smaller->features * sizeof *self->phase);
    }
    map_refresh(self);
    return status;
}
