/* The arrays of a model, by name and in double: as a formula needs them, not as the file keeps
 * them. */
#include <stdio.h>
#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

/* Gives the shape, and fills out where it is not NULL. */
typedef cnm_status array_reader(const cnm_model *model, size_t *rows, size_t *columns, double *out, cnm_error *err);

static void widen(const float *from, size_t count, double factor, double *out) {
    for (size_t i = 0; out != NULL && i < count; i++) {
        out[i] = factor * (double)from[i];
    }
}

/* ---- Of a layer: NULL where the map has no such layer ---- */

typedef cnm_status layer_reader(const layer *own, size_t *rows, size_t *columns, double *out, cnm_error *err);

/* A layer that prepares columns for another is no matrix. */
static cnm_status read_theta(const layer *own, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    float *theta;
    size_t cells;
    const bool matrix = own != NULL && !own->projection->prepares;
    *rows = matrix ? own->columns : 0;
    *columns = matrix ? own->features : 0;
    if (out == NULL || !matrix) {
        return CNM_OK;
    }
    if (!size_multiply(own->columns, own->features, &cells)) {
        cells = SIZE_MAX;
    }
    cnm_status status = CNM_OK;
    TRY(memory_take(&theta, cells, sizeof *theta, "theta", err));
    TRY_DONE(own->projection->to_dense(own, theta, err));
    widen(theta, cells, 1.0, out);
done:
    memory_free(theta);
    return status;
}

static cnm_status read_phase(const layer *own, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    (void)err;
    const bool has = own != NULL && own->phase != NULL;
    *rows = has ? 1 : 0;
    *columns = has ? own->features : 0;
    if (has) {
        widen(own->phase, *columns, 1.0, out);
    }
    return CNM_OK;
}

static const struct {
    const char *name;
    layer_reader *read;
} LAYER_ARRAYS[] = {{"theta", read_theta}, {"phase", read_phase}};

/* Finds the layer that a name such as "layer2.theta" begins with, the first where it names none,
 * and in *rest the name within the layer. */
static const layer *find_layer(const map *own, const char *name, const char **rest) {
    for (size_t i = 1; i < MAP_LAYERS; i++) {
        char prefix[24];
        const size_t length = (size_t)snprintf(prefix, sizeof prefix, "layer%zu.", i + 1);
        if (strncmp(name, prefix, length) == 0) {
            *rest = name + length;
            return i < own->layer_count ? own->layers[i] : NULL;
        }
    }
    *rest = name;
    return map_first(own);
}

/* ---- Of the model ---- */

/* Reads the head without the map's scale, which the file keeps in it and cnm_transform in the
 * features. */
static cnm_status read_head(const cnm_model *model, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    (void)err;
    *rows = model->outputs > 0 ? model->map->features : 0;
    *columns = model->outputs;
    widen(model->weights, *rows * *columns, 1.0 / (double)model->map->scale, out);
    return CNM_OK;
}

static cnm_status read_bias(const cnm_model *model, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    (void)err;
    *rows = model->outputs > 0;
    *columns = model->outputs;
    widen(model->bias, *columns, 1.0, out);
    return CNM_OK;
}

static cnm_status read_offset(const cnm_model *model, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    (void)err;
    *rows = model->input.offset != NULL;
    *columns = model->input.offset == NULL ? 0 : model->input.columns;
    if (out != NULL && *columns > 0) {
        memcpy(out, model->input.offset, *columns * sizeof *out);
    }
    return CNM_OK;
}

static cnm_status read_scale(const cnm_model *model, size_t *rows, size_t *columns, double *out, cnm_error *err) {
    (void)err;
    *rows = model->input.scale != NULL;
    *columns = model->input.scale == NULL ? 0 : model->input.columns;
    widen(model->input.scale, *columns, 1.0, out);
    return CNM_OK;
}

static const struct {
    const char *name;
    array_reader *read;
} ARRAYS[] = {
    {"head", read_head},
    {"bias", read_bias},
    {"offset", read_offset},
    {"scale", read_scale},
};

cnm_status cnm_model_array(const cnm_model *model, const char *name, size_t *rows, size_t *columns, double *values,
                           cnm_error *err) {
    TRY(api_require(model, "model", err));
    TRY(api_require(name, "name", err));
    TRY(api_require(rows, "rows", err));
    TRY(api_require(columns, "columns", err));
    for (size_t i = 0; i < sizeof ARRAYS / sizeof ARRAYS[0]; i++) {
        if (strcmp(name, ARRAYS[i].name) == 0) {
            return ARRAYS[i].read(model, rows, columns, values, err);
        }
    }
    const char *rest;
    const layer *own = find_layer(model->map, name, &rest);
    for (size_t i = 0; i < sizeof LAYER_ARRAYS / sizeof LAYER_ARRAYS[0]; i++) {
        if (strcmp(rest, LAYER_ARRAYS[i].name) == 0) {
            return LAYER_ARRAYS[i].read(own, rows, columns, values, err);
        }
    }
    return error_set(err, CNM_BAD_ARGUMENT,
                     "no array \"%.40s\": there are theta, phase, head, bias, offset and scale; of layers above the "
                     "first layer2.theta, layer2.phase, ...",
                     name);
}
