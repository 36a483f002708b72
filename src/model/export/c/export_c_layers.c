/* Writes the layers of a map as C, and the function that runs them.
 *
 * Features go to and fro between z and one more array, so that a program never has more than two
 * arrays of the widest layer's size. */
#include "model/export/c/export_c_layers.h"

#include <stdio.h>

#include "model/export/c/export_c.h"

/* Bytes of code of a call of a layer, and of the function `activate`. */
enum { CODE_LAYER = 28, CODE_ACTIVATE = 60, FRAMES_ACTIVATE = 32 };

/* ---- Names ---- */

void layer_array(const map *self, const layer *own, const char *array, char out[C_ARRAY_SIZE]) {
    (void)(self->layer_count == 1 ? snprintf(out, C_ARRAY_SIZE, "%s", array)
                                  : snprintf(out, C_ARRAY_SIZE, "layer%u_%s", (unsigned)own->number + 1, array));
}

bool layer_group_mixed(const layer_group *self) { return self->layers[0]->number == 0 && self->count > 1; }

void layer_input(const layer_group *self, const char *index, char out[C_INPUT_SIZE]) {
    const char *form = layer_group_mixed(self)        ? "(self->first ? column(x, %s) : x[%s])"
                       : self->layers[0]->number == 0 ? "column(x, %s)"
                                                      : "x[%s]";
    (void)snprintf(out, C_INPUT_SIZE, form, index, index);
}

void emit_layer_begin(c_writer *out, const layer_group *self, size_t i, const char *type) {
    const layer *own = self->layers[i];
    emit_format(out, "static const %s layer%u = {\n    .columns = %zu,\n    .features = %zu,\n", type,
                (unsigned)own->number + 1, own->columns, own->features);
    out->flash += 8;
    if (layer_group_mixed(self)) {
        emit_format(out, "    .first = %d,\n", own->number == 0 ? 1 : 0);
        out->flash += 4;
    }
}

/* ---- Groups ---- */

static const projection_export *kind_of(const layer *self) { return projection_export_find(self->projection->name); }

/* Writes the layers that layer i is the first of; none where an earlier one is of its kind. */
static void emit_group(c_writer *out, const map *self, size_t i, export_dtype weights) {
    const projection_export *kind = kind_of(self->layers[i]);
    layer_group group = {.map = self, .weights = weights};
    for (size_t j = 0; j < self->layer_count; j++) {
        if (kind_of(self->layers[j])->emit != kind->emit) {
            continue;
        }
        if (j < i) {
            return;
        }
        group.layers[group.count++] = self->layers[j];
    }
    kind->emit(out, &group);
}

static bool has_own_constant(const map *self, const layer *own) {
    size_t alike = 0;
    for (size_t i = 0; i < self->layer_count; i++) {
        alike += kind_of(self->layers[i])->emit == kind_of(own)->emit ? 1 : 0;
    }
    return alike > 1;
}

/* ---- Where features are ---- */

/* The features of layer i are in z where the last layer's are, and of every second one below. */
static bool in_row(const map *self, size_t i) { return (self->layer_count - 1 - i) % 2 == 0; }

static size_t widest(const map *self, bool row) {
    size_t most = 0;
    for (size_t i = 0; i < self->layer_count; i++) {
        const size_t features = self->layers[i]->features;
        most = in_row(self, i) == row && features > most ? features : most;
    }
    return most;
}

size_t map_row_size(const map *self) { return widest(self, true); }

/* ---- Running ---- */

static void emit_phases(c_writer *out, const map *self) {
    for (size_t i = 0; i < self->layer_count; i++) {
        char name[C_ARRAY_SIZE];
        const layer *own = self->layers[i];
        layer_array(self, own, "phase", name);
        emit_floats(out, name, own->phase, own->phase == NULL ? 0 : own->features);
    }
}

static void emit_one(c_writer *out, const layer *own, const activation_export *activation) {
    emit_format(out,
                "\nstatic void map_row(const float *x, float *z) {\n"
                "    %s(x, z);\n"
                "    for (size_t i = 0; i < FEATURES; i++) {\n",
                kind_of(own)->function);
    emit_format(out, "        const float p = z[i]%s;\n", own->phase != NULL ? " + phase[i]" : "");
    emit_format(out, "        z[i] = %s;\n    }\n}\n\n", activation->call);
}

static void emit_call(c_writer *out, const map *self, size_t i) {
    const layer *own = self->layers[i];
    const char *const to = in_row(self, i) ? "z" : "inner", *const from = i == 0            ? "x"
                                                                          : in_row(self, i) ? "inner"
                                                                                            : "z";
    char phase[C_ARRAY_SIZE] = "NULL";
    emit_format(out, "    %s(", kind_of(own)->function);
    if (has_own_constant(self, own)) {
        emit_format(out, "&layer%zu, ", i + 1);
    }
    emit_format(out, "%s, %s);\n", from, to);
    out->code += CODE_LAYER;
    if (own->phase != NULL) {
        layer_array(self, own, "phase", phase);
    }
    if (own->phase != NULL || activation_export_find(own->activation->name)->pieces != 0) {
        emit_format(out, "    activate(%s, %s, %zu);\n", to, phase, own->features);
    }
}

static void emit_stack(c_writer *out, const map *self, const activation_export *activation) {
    const size_t inner = widest(self, false);
    emit(out, "\n/* Makes features of the projections z (features); phase may be NULL. */\n"
              "static void activate(float *z, const float *phase, size_t features) {\n"
              "    for (size_t i = 0; i < features; i++) {\n"
              "        const float p = phase != NULL ? z[i] + phase[i] : z[i];\n");
    emit_format(out, "        z[i] = %s;\n    }\n}\n\n", activation->call);
    emit_format(out,
                "/* Runs one layer after another; z (%zu) keeps the features of the last. */\n"
                "static void map_row(const float *x, float *z) {\n"
                "    $_STORAGE float inner[%zu];\n",
                map_row_size(self), inner);
    for (size_t i = 0; i < self->layer_count; i++) {
        emit_call(out, self, i);
    }
    emit(out, "}\n\n");
    out->stack += inner * sizeof(float) + FRAMES_ACTIVATE;
    out->code += CODE_ACTIVATE;
}

void emit_map(c_writer *out, const map *self, export_dtype weights) {
    const activation_export *activation = activation_export_find(map_last(self)->activation->name);
    for (size_t i = 0; i < self->layer_count; i++) {
        emit_group(out, self, i, weights);
    }
    emit_phases(out, self);
    if (self->layer_count == 1) {
        emit_one(out, map_last(self), activation);
    } else {
        emit_stack(out, self, activation);
    }
    out->pieces |= activation->pieces;
    if ((activation->pieces & PIECE_COSINE) != 0) {
        out->pieces |= weights == EXPORT_I8 ? (unsigned)PIECE_FAR_SHORT : (unsigned)PIECE_FAR;
    }
}
