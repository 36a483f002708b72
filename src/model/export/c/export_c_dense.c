/* Writes the dense and the identity projection as C; has the table of all projections. */
#include <string.h>

#include "model/export/c/export_c.h"

/* ---- dense: p = theta^T u ---- */

static cnm_status dense_quantise(layer *self, export_dtype weights, cnm_error *err) {
    return quantise_matrix(self->tensors[0].values, self->columns, self->features, weights, false, err);
}

static cnm_status dense_pack(packed_matrix *out, const layer *self, export_dtype weights, cnm_error *err) {
    return packed_matrix_create(out, self->tensors[0].values, self->columns, self->features, weights, false, err);
}

static void dense_emit(c_writer *out, const layer *self, export_dtype weights) {
    packed_matrix packed;
    const product_text names = {"theta", "COLUMNS", "FEATURES", "column(x, j)", "p"};
    if (!EMIT_TRY(out, dense_pack(&packed, self, weights, out->err))) {
        return;
    }
    emit_matrix(out, names.table, &packed);
    emit(out, "\nstatic void project(const float *x, float *p) {\n");
    emit_product(out, &names, &packed);
    emit(out, "}\n\n");
    packed_matrix_free(&packed);
}

const projection_export EXPORT_DENSE = {"dense", dense_quantise, dense_emit};

/* ---- identity: p = u ---- */

static cnm_status identity_quantise(layer *self, export_dtype weights, cnm_error *err) {
    (void)self, (void)weights, (void)err;
    return CNM_OK;
}

static void identity_emit(c_writer *out, const layer *self, export_dtype weights) {
    (void)self, (void)weights;
    emit(out, "static void project(const float *x, float *p) {\n"
              "    for (size_t j = 0; j < COLUMNS; j++) {\n"
              "        p[j] = column(x, j);\n"
              "    }\n"
              "}\n\n");
}

const projection_export EXPORT_IDENTITY = {"identity", identity_quantise, identity_emit};

/* ---- The table ---- */

static const projection_export *const PROJECTIONS[] = {&EXPORT_DENSE, &EXPORT_CIRCULANT, &EXPORT_CIRCULANT_DIAGONAL,
                                                       &EXPORT_IDENTITY};

const projection_export *projection_export_find(const char *name) {
    for (size_t i = 0; i < sizeof PROJECTIONS / sizeof PROJECTIONS[0]; i++) {
        if (strcmp(PROJECTIONS[i]->name, name) == 0) {
            return PROJECTIONS[i];
        }
    }
    return NULL;
}
