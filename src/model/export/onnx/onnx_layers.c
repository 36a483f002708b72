/* Writes the layers of a map as ONNX operators.
 *
 *   any matrix         Gemm with theta, explicit, and phase
 *   identity           Add of phase
 *   columns            Mul with frequency, Add of frequency_phase, Cos, MatMul with mix; Concat
 *                      with the columns themselves
 *   then               Cos, Sigmoid or Relu */
#include "model/export/onnx/onnx_layers.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

static const double BYTES_MOST = 2e9; /* of a file of this kind: its readers count in 32 bits */

/* ---- Names ---- */

static const char *const NAMES[ONNX_LAYER_NAMES] = {
    [NAME_THETA] = "theta",
    [NAME_PHASE] = "phase",
    [NAME_PROJECTED] = "projected",
    [NAME_ACTIVATED] = "activated",
    [NAME_FREQUENCY] = "frequency",
    [NAME_FREQUENCY_PHASE] = "frequency_phase",
    [NAME_MIX] = "mix",
    [NAME_GAIN] = "gain",
    [NAME_AXES] = "inner_axes",
    [NAME_APART] = "apart",
    [NAME_TURNED] = "turned",
    [NAME_SHIFTED] = "shifted",
    [NAME_WAVES] = "waves",
    [NAME_SUMS] = "sums",
    [NAME_MIXED] = "mixed",
    [NAME_KEPT] = "kept",
};

void onnx_name_layer(size_t i, onnx_layer_names *out) {
    for (size_t j = 0; j < ONNX_LAYER_NAMES; j++) {
        (void)(i == 0 ? snprintf(out->all[j], MAP_NAME_SIZE, "%s", NAMES[j])
                      : snprintf(out->all[j], MAP_NAME_SIZE, "layer%zu.%s", i + 1, NAMES[j]));
    }
}

/* ---- Activations ---- */

/* activation's name and operator; NULL: none is needed. */
static const char *const ACTIVATIONS[][2] = {
    {"cos", "Cos"}, {"sigmoid", "Sigmoid"}, {"relu", "Relu"}, {"identity", NULL}};

static cnm_status find_activation(const char *name, const char **operation, cnm_error *err) {
    for (size_t i = 0; i < sizeof ACTIVATIONS / sizeof ACTIVATIONS[0]; i++) {
        if (strcmp(ACTIVATIONS[i][0], name) == 0) {
            *operation = ACTIVATIONS[i][1];
            return CNM_OK;
        }
    }
    return error_set(err, CNM_UNSUPPORTED, "a model with the activation %s cannot be exported as ONNX", name);
}

/* ---- Projections: each adds the projections of a layer, without its phases ---- */

typedef cnm_status projection_adder(onnx_chain *self, const layer *own, onnx_layer_names *names, cnm_error *err);

static cnm_status add_theta(onnx_chain *self, const layer *own, const char *name, cnm_error *err) {
    float *theta;
    size_t cells;
    if (!size_multiply(own->columns, own->features, &cells) || (double)cells * sizeof(float) > BYTES_MOST) {
        return error_set(err, CNM_UNSUPPORTED,
                         "as ONNX the map would be a matrix of %zu times %zu numbers, over the limit of 2 GB: export C",
                         own->columns, own->features);
    }
    TRY(memory_take(&theta, cells, sizeof *theta, "a matrix", err));
    const cnm_status status = own->projection->to_dense(own, theta, err);
    onnx_add_floats(&self->graph, name, theta, own->columns, own->features);
    memory_free(theta);
    return status;
}

/* Adds any projection that is a matrix; the same operation adds its phases. */
static cnm_status add_matrix(onnx_chain *self, const layer *own, onnx_layer_names *names, cnm_error *err) {
    const char *theta = names->all[NAME_THETA], *phase = own->phase != NULL ? names->all[NAME_PHASE] : NULL;
    TRY(add_theta(self, own, theta, err));
    onnx_add_node(
        &self->graph,
        &(onnx_node){.operation = "Gemm", .output = names->all[NAME_PROJECTED], .inputs = {self->at, theta, phase}});
    self->at = names->all[NAME_PROJECTED];
    return CNM_OK;
}

static cnm_status add_identity(onnx_chain *self, const layer *own, onnx_layer_names *names, cnm_error *err) {
    (void)err;
    if (own->phase != NULL) {
        onnx_follow(self, "Add", names->all[NAME_PHASE], names->all[NAME_PROJECTED]);
    }
    return CNM_OK;
}

/* Adds a layer of single columns, d of M cosines each: (N, d, 1, M) times mix (d, M, sums), side by
 * side behind the columns. */
static cnm_status add_columns(onnx_chain *self, const layer *own, onnx_layer_names *names, cnm_error *err) {
    const layer_tensor *tensors = own->tensors;
    const size_t d = own->columns, cosines = tensors[0].columns, sums = own->features / d - 1;
    const char *const columns = self->at, *kept = columns;
    const int64_t axes[] = {2, 3};
    (void)err;
    onnx_add_box(&self->graph, names->all[NAME_FREQUENCY], tensors[0].values, (size_t[]){d, 1, cosines});
    onnx_add_box(&self->graph, names->all[NAME_FREQUENCY_PHASE], tensors[1].values, (size_t[]){d, 1, cosines});
    onnx_add_box(&self->graph, names->all[NAME_MIX], tensors[2].values, (size_t[]){d, cosines, sums});
    onnx_add_integers(&self->graph, names->all[NAME_AXES], axes, 2);
    onnx_follow(self, "Unsqueeze", names->all[NAME_AXES], names->all[NAME_APART]);
    onnx_follow(self, "Mul", names->all[NAME_FREQUENCY], names->all[NAME_TURNED]);
    onnx_follow(self, "Add", names->all[NAME_FREQUENCY_PHASE], names->all[NAME_SHIFTED]);
    onnx_follow(self, "Cos", NULL, names->all[NAME_WAVES]);
    onnx_follow(self, "MatMul", names->all[NAME_MIX], names->all[NAME_SUMS]);
    onnx_follow(self, "Flatten", NULL, names->all[NAME_MIXED]);
    if (tensors[3].values != NULL) {
        kept = names->all[NAME_KEPT];
        onnx_add_floats(&self->graph, names->all[NAME_GAIN], tensors[3].values, d, 0);
        onnx_add_node(&self->graph,
                      &(onnx_node){.operation = "Mul", .output = kept, .inputs = {columns, names->all[NAME_GAIN]}});
    }
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Concat",
                                             .output = names->all[NAME_PROJECTED],
                                             .inputs = {kept, self->at},
                                             .attributes = {{.name = "axis", .integer = 1}}});
    self->at = names->all[NAME_PROJECTED];
    return CNM_OK;
}

/* Projections that are no matrix, or need none. */
static const struct {
    const char *name;
    projection_adder *add;
} PROJECTIONS[] = {{"identity", add_identity}, {"columns", add_columns}};

static projection_adder *find_projection(const char *name) {
    for (size_t i = 0; i < sizeof PROJECTIONS / sizeof PROJECTIONS[0]; i++) {
        if (strcmp(PROJECTIONS[i].name, name) == 0) {
            return PROJECTIONS[i].add;
        }
    }
    return add_matrix;
}

/* ---- Layers ---- */

static cnm_status add_layer(onnx_chain *self, const layer *own, onnx_layer_names *names, cnm_error *err) {
    const char *operation = NULL;
    TRY(find_activation(own->activation->name, &operation, err));
    if (own->phase != NULL) {
        onnx_add_floats(&self->graph, names->all[NAME_PHASE], own->phase, own->features, 0);
    }
    TRY(find_projection(own->projection->name)(self, own, names, err));
    if (operation != NULL) {
        onnx_follow(self, operation, NULL, names->all[NAME_ACTIVATED]);
    }
    return CNM_OK;
}

cnm_status onnx_add_map(onnx_chain *self, const map *own, onnx_layer_names names[MAP_LAYERS], cnm_error *err) {
    for (size_t i = 0; i < own->layer_count; i++) {
        onnx_name_layer(i, &names[i]);
        TRY(add_layer(self, own->layers[i], &names[i], err));
    }
    return CNM_OK;
}
