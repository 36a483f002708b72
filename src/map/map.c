/* Creates, draws, copies and runs stacks of layers. */
#include "map/map.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/gemm/gemm.h"

/* Between the seeds of layers, which draw independently: 2^64 / golden ratio. */
#define STREAM_STEP UINT64_C(0x9E3779B97F4A7C15)

static layer_shape shape_of(const map_spec *spec, size_t i) {
    return i < spec->inner_count ? spec->inner[i] : (layer_shape){spec->projection, spec->features};
}

const projection_ops *map_spec_first(const map_spec *spec) { return projection_find(shape_of(spec, 0).projection); }

static bool prepares(const map_spec *spec, size_t i) {
    const projection_ops *projection = projection_find(shape_of(spec, i).projection);
    return projection != NULL && projection->prepares;
}

/* Features that the layer above takes beside the rows' own make the distances between rows
 * larger. */
static const double PREPARED_GAMMA = 0.5;

/* Returns the layer's specification without its columns. */
static layer_spec layer_of(const map_spec *spec, size_t i) {
    const layer_shape shape = shape_of(spec, i);
    const bool rows = i == 0, prepared = i == 1 && prepares(spec, 0);
    layer_spec out = {.projection = shape.projection,
                      .activation = spec->activation,
                      .features = shape.features,
                      .kernel = KERNEL_GAUSSIAN,
                      .init = INIT_RANDOM,
                      .phases = spec->phases,
                      .seed = spec->seed + i * STREAM_STEP,
                      .number = (uint32_t)i};
    if (rows && prepares(spec, i)) {
        out.activation = "identity";
        out.phases = false;
    } else if (rows || prepared) {
        out.kernel = spec->kernel;
        out.init = spec->init;
        out.gamma = prepared ? PREPARED_GAMMA * spec->gamma : spec->gamma;
    }
    return out;
}

layer_spec map_spec_layer(const map_spec *spec, size_t i) {
    layer_spec out;
    size_t columns = spec->columns;
    for (size_t j = 0;; j++) {
        out = layer_of(spec, j);
        out.columns = columns;
        if (j == i) {
            break;
        }
        columns = layer_spec_features(&out);
    }
    if (out.gamma == 0.0) {
        const projection_ops *projection = projection_find(out.projection);
        const bool own = projection != NULL && projection->prepares;
        out.gamma = own ? 0.5 * projection->unit * projection->unit : 1.0 / (double)columns;
    }
    return out;
}

double map_spec_products(const map_spec *spec) {
    double sum = 0.0;
    for (size_t i = 0; i <= spec->inner_count; i++) {
        const layer_spec one = map_spec_layer(spec, i);
        sum += (double)one.columns * (double)layer_spec_features(&one);
    }
    return sum;
}

/* Makes the layers by `make`, layer_create or layer_draw. */
static cnm_status build(map **out, const map_spec *spec,
                        cnm_status (*make)(layer **out, const layer_spec *spec, cnm_error *err), cnm_error *err) {
    cnm_status status;
    map *self;
    *out = NULL;
    if (spec->inner_count >= MAP_LAYERS) {
        return error_set(err, CNM_BAD_ARGUMENT, "a map has at most %d layers, not %zu", MAP_LAYERS,
                         spec->inner_count + 1);
    }
    if (prepares(spec, spec->inner_count)) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "a layer of %s prepares rows for another layer: give one above it, such "
                         "as %s:%zu,128",
                         spec->projection, spec->projection, spec->features);
    }
    TRY(memory_zeroed(&self, 1, sizeof *self, "map", err));
    self->columns = spec->columns;
    self->features = spec->features;
    for (size_t i = 0; i <= spec->inner_count; i++) {
        const layer_spec one = map_spec_layer(spec, i);
        TRY_DONE(make(&self->layers[i], &one, err));
        self->layer_count++;
    }
    self->scale = map_last(self)->scale;
    *out = self;
    return CNM_OK;
done:
    map_destroy(self);
    return status;
}

cnm_status map_create(map **out, const map_spec *spec, cnm_error *err) { return build(out, spec, layer_create, err); }

cnm_status map_draw(map **out, const map_spec *spec, cnm_error *err) { return build(out, spec, layer_draw, err); }

cnm_status map_copy(map **out, const map *self, cnm_error *err) {
    cnm_status status;
    map *copy;
    *out = NULL;
    TRY(memory_take(&copy, 1, sizeof *copy, "map", err));
    *copy = (map){.columns = self->columns, .features = self->features, .scale = self->scale};
    for (size_t i = 0; i < self->layer_count; i++) {
        TRY_DONE(layer_copy(&copy->layers[i], self->layers[i], err));
        copy->layer_count++;
    }
    *out = copy;
    return CNM_OK;
done:
    map_destroy(copy);
    return status;
}

void map_destroy(map *self) {
    for (size_t i = 0; self != NULL && i < self->layer_count; i++) {
        layer_destroy(self->layers[i]);
    }
    memory_free(self);
}

void map_assign(map *self, const map *from) {
    for (size_t i = 0; i < self->layer_count; i++) {
        layer_assign(self->layers[i], from->layers[i]);
    }
}

cnm_status map_adopt(map *self, const map *smaller, cnm_error *err) {
    if (self->layer_count != smaller->layer_count) {
        return error_set(err, CNM_BAD_ARGUMENT, "a map of %zu layers cannot take over one of %zu", self->layer_count,
                         smaller->layer_count);
    }
    for (size_t i = 0; i < self->layer_count; i++) {
        TRY(layer_adopt(self->layers[i], smaller->layers[i], err));
    }
    return CNM_OK;
}

void map_refresh(map *self) {
    for (size_t i = 0; i < self->layer_count; i++) {
        layer_refresh(self->layers[i]);
    }
}

static void name_array(map_array *out, const char *name) {
    const unsigned number = (unsigned)out->owner->number + 1;
    (void)(number == 1 ? snprintf(out->name, sizeof out->name, "%s", name)
                       : snprintf(out->name, sizeof out->name, "layer%u.%s", number, name));
}

size_t map_list(const map *self, map_array out[MAP_ARRAYS]) {
    size_t count = 0;
    for (size_t i = 0; i < self->layer_count; i++) {
        layer *own = self->layers[i];
        for (size_t j = 0; j < own->tensor_count; j++, count++) {
            layer_tensor *tensor = &own->tensors[j];
            out[count] = (map_array){.owner = own,
                                     .tensor = tensor,
                                     .rows = tensor->rows,
                                     .columns = tensor->columns,
                                     .values = &tensor->values};
            name_array(&out[count], tensor->name);
        }
        out[count] = (map_array){.owner = own, .rows = 1, .columns = own->features, .values = &own->phase};
        name_array(&out[count++], "phase");
    }
    return count;
}

size_t map_parameters(const map *self) {
    map_array arrays[MAP_ARRAYS];
    const size_t listed = map_list(self, arrays);
    size_t count = 0;
    for (size_t i = 0; i < listed; i++) {
        const bool learned = arrays[i].tensor == NULL || arrays[i].tensor->learned;
        count += *arrays[i].values != NULL && learned ? arrays[i].rows * arrays[i].columns : 0;
    }
    return count;
}

/* ---- Running ---- */

/* Returns the floats of a block of the widest inner features, of which there are two in the
 * scratch: one that a layer reads, and one that it fills. */
static size_t inner_block(const map *self) {
    size_t widest = 0;
    for (size_t i = 0; i + 1 < self->layer_count; i++) {
        widest = self->layers[i]->features > widest ? self->layers[i]->features : widest;
    }
    return widest * GEMM_ROWS;
}

size_t map_scratch_size(const map *self) {
    size_t largest = 0;
    for (size_t i = 0; i < self->layer_count; i++) {
        const size_t size = layer_scratch_size(self->layers[i]);
        largest = size > largest ? size : largest;
    }
    return 2 * inner_block(self) + largest;
}

void map_features(const map *self, const rows_view *u, float scale, float *z, float *scratch) {
    const size_t block = inner_block(self), last = self->layer_count - 1;
    rows_view below = *u;
    for (size_t i = 0; i < last; i++) {
        const size_t features = self->layers[i]->features;
        float *inner = scratch + i % 2 * block;
        layer_features(self->layers[i], &below, 1.0F, inner, scratch + 2 * block);
        below = (rows_view){.rows = u->rows, .columns = features, .values = inner, .stride = features};
    }
    layer_features(self->layers[last], &below, scale, z, scratch + 2 * block);
}

void map_forward(const map *self, const rows_view *u, float *z, float *scratch) {
    const size_t k = self->features;
    map_features(self, u, 1.0F, z, scratch);
    memset(z + u->rows * k, 0, (GEMM_ROWS - u->rows) * k * sizeof *z);
}
