/* Writes the dense and the identity projection as C; has the table of all projections. */
#include <stdio.h>
#include <string.h>

#include "model/export/c/export_c.h"

/* Bytes of code of a product beside the head's, and of its frame. */
enum { CODE_PRODUCT = 90, FRAMES_PRODUCT = 48 };

/* ---- dense: p = theta^T u ---- */

/* Returns whether the rows of theta are alike in packed_matrix.h: what they multiply are features
 * of one size. Columns are not, because folded scales make their rows very different. */
static bool rows_alike(const map *own, const layer *self) {
    return self->number > 0 && activation_export_find(own->layers[self->number - 1]->activation->name)->bounded;
}

static cnm_status dense_quantise(const map *own, layer *self, export_dtype weights, cnm_error *err) {
    return quantise_matrix(self->tensors[0].values, self->columns, self->features, weights, rows_alike(own, self), err);
}

static cnm_status dense_pack(packed_matrix *out, const layer_group *group, const layer *self, cnm_error *err) {
    return packed_matrix_create(out, self->tensors[0].values, self->columns, self->features, group->weights,
                                rows_alike(group->map, self), err);
}

/* Fills out with a size: a constant of the program where there is one. */
static void size_text(size_t size, const char *constant, char out[C_ARRAY_SIZE]) {
    (void)(constant != NULL ? snprintf(out, C_ARRAY_SIZE, "%s", constant) : snprintf(out, C_ARRAY_SIZE, "%zu", size));
}

/* Writes the function of the only dense layer. */
static void emit_alone(c_writer *out, const layer_group *group, const packed_matrix *packed) {
    const layer *own = group->layers[0];
    char rows[C_ARRAY_SIZE], columns[C_ARRAY_SIZE], theta[C_ARRAY_SIZE], input[C_INPUT_SIZE];
    size_text(own->columns, own->number == 0 ? "COLUMNS" : NULL, rows);
    size_text(own->features, own == map_last(group->map) ? "FEATURES" : NULL, columns);
    layer_array(group->map, own, "theta", theta);
    layer_input(group, "j", input);
    emit(out, "\nstatic void dense(const float *x, float *p) {\n");
    emit_product(out, &(product_text){theta, rows, columns, input, "p", NULL, NULL}, packed);
    emit(out, "}\n\n");
}

/* What the struct of several dense layers has beside theta. */
typedef struct dense_members {
    bool scale, some_exponents, all_exponents;
} dense_members;

static dense_members members_of(const packed_matrix *packed, size_t count) {
    dense_members out = {.all_exponents = true};
    for (size_t i = 0; i < count; i++) {
        out.scale = out.scale || packed[i].scale != NULL;
        out.some_exponents = out.some_exponents || packed[i].exponent != NULL;
        out.all_exponents = out.all_exponents && packed[i].exponent != NULL;
    }
    return out;
}

static void emit_type(c_writer *out, const layer_group *group, const dense_members *members) {
    static const char *const TYPES[] = {"float", "uint16_t", "int8_t"};
    emit(out, "\ntypedef struct {\n    size_t columns, features;\n");
    emit(out, layer_group_mixed(group) ? "    int first; /* reads columns of a row, not features of a layer */\n" : "");
    emit_format(out, "    const %s *theta; /* (columns, features) */\n", TYPES[group->weights]);
    if (members->scale) {
        emit(out, group->weights == EXPORT_I8 ? "    const float *theta_scale; /* (features) */\n"
                                              : "    float theta_scale;\n");
    }
    if (members->some_exponents) {
        emit_format(out, "    const int8_t *theta_exponent; /* (columns)%s */\n",
                    members->all_exponents ? "" : ", or NULL");
    }
    emit(out, "} dense_layer;\n\n");
}

static void emit_constant(c_writer *out, const layer_group *group, size_t i, const packed_matrix *packed,
                          const dense_members *members) {
    char theta[C_ARRAY_SIZE];
    layer_array(group->map, group->layers[i], "theta", theta);
    emit_layer_begin(out, group, i, "dense_layer");
    emit_format(out, "    .theta = %s,\n", theta);
    if (members->scale && group->weights == EXPORT_I8) {
        emit_format(out, "    .theta_scale = %s_scale,\n", theta);
    } else if (members->scale) {
        emit(out, "    .theta_scale = ");
        emit_float(out, packed->scale == NULL ? 1.0F : packed->scale[0]);
        emit(out, ",\n");
    }
    if (packed->exponent != NULL) {
        emit_format(out, "    .theta_exponent = %s_exponent,\n", theta);
    }
    emit(out, "};\n\n");
    out->flash += 4U + (members->scale ? 4U : 0U) + (members->some_exponents ? 4U : 0U);
}

/* Writes the function of several dense layers, and a constant for each. */
static void emit_several(c_writer *out, const layer_group *group, const packed_matrix *packed) {
    const dense_members members = members_of(packed, group->count);
    char input[C_INPUT_SIZE];
    emit_type(out, group, &members);
    for (size_t i = 0; i < group->count; i++) {
        emit_constant(out, group, i, &packed[i], &members);
    }
    layer_input(group, "j", input);
    const product_text names = {
        .table = "self->theta",
        .rows = "self->columns",
        .columns = "self->features",
        .input = input,
        .output = "p",
        .factor = !members.some_exponents ? NULL
                  : members.all_exponents ? "power(self->theta_exponent[j])"
                                          : "(self->theta_exponent != NULL ? power(self->theta_exponent[j]) : 1.0f)",
        .scale = !members.scale                ? NULL
                 : group->weights == EXPORT_I8 ? "self->theta_scale[i]"
                                               : "self->theta_scale",
    };
    emit(out, "static void dense(const dense_layer *self, const float *x, float *p) {\n");
    emit_product(out, &names, &packed[0]);
    emit(out, "}\n\n");
}

static void dense_emit(c_writer *out, const layer_group *group) {
    packed_matrix packed[MAP_LAYERS] = {0};
    for (size_t i = 0; i < group->count; i++) {
        char theta[C_ARRAY_SIZE];
        layer_array(group->map, group->layers[i], "theta", theta);
        if (EMIT_TRY(out, dense_pack(&packed[i], group, group->layers[i], out->err))) {
            emit_matrix(out, theta, &packed[i]);
        }
    }
    (group->count == 1 ? emit_alone : emit_several)(out, group, packed);
    out->code += group->map->layer_count > 1 ? (size_t)CODE_PRODUCT : 0;
    out->stack += group->map->layer_count > 1 ? (size_t)FRAMES_PRODUCT : 0;
    for (size_t i = 0; i < group->count; i++) {
        packed_matrix_free(&packed[i]);
    }
}

const projection_export EXPORT_DENSE = {"dense", "dense", dense_quantise, dense_emit};

/* ---- identity: p = u ---- */

static cnm_status identity_quantise(const map *own, layer *self, export_dtype weights, cnm_error *err) {
    (void)own, (void)self, (void)weights, (void)err;
    return CNM_OK;
}

/* Only the first layer can be one: the others need a slope to their inputs. */
static void identity_emit(c_writer *out, const layer_group *group) {
    (void)group;
    emit(out, "static void identity(const float *x, float *p) {\n"
              "    for (size_t j = 0; j < COLUMNS; j++) {\n"
              "        p[j] = column(x, j);\n"
              "    }\n"
              "}\n\n");
}

const projection_export EXPORT_IDENTITY = {"identity", "identity", identity_quantise, identity_emit};

/* ---- The table ---- */

static const projection_export *const PROJECTIONS[] = {&EXPORT_DENSE, &EXPORT_CIRCULANT, &EXPORT_CIRCULANT_DIAGONAL,
                                                       &EXPORT_IDENTITY, &EXPORT_COLUMNS};

const projection_export *projection_export_find(const char *name) {
    for (size_t i = 0; i < sizeof PROJECTIONS / sizeof PROJECTIONS[0]; i++) {
        if (strcmp(PROJECTIONS[i]->name, name) == 0) {
            return PROJECTIONS[i];
        }
    }
    return NULL;
}
