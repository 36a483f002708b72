/* The circulant projections in C: filters and diagonals as tables, never a matrix. */
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "map/projections/circulant.h"
#include "model/export/c/export_c.h"
#include "model/export/c/export_c_fft.h"

/* Diagonals hold folded scales of columns, which may differ by powers of ten: 8 bits are not enough, 16 are. */
static export_weights diagonal_weights(export_weights weights) {
    return weights == EXPORT_F32 ? EXPORT_F32 : EXPORT_F16;
}

/* Tensors by name; NULL where a map has none of it. */
static const map_tensor *tensor_of(const map *self, const char *name) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        if (strcmp(self->tensors[i].name, name) == 0 && self->tensors[i].values != NULL) {
            return &self->tensors[i];
        }
    }
    return NULL;
}

/* ---- Filters: kept as (d, blocks), so that a block has its scale ---- */

static cnm_status pack_filters(packed_matrix *out, const map *self, export_weights weights, cnm_error *err) {
    const map_tensor *filters = tensor_of(self, "filters");
    float *turned;
    cnm_status status = memory_take(&turned, filters->rows * filters->columns, sizeof *turned, "a table", err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t b = 0; b < filters->rows; b++) {
        for (size_t m = 0; m < filters->columns; m++) {
            turned[m * filters->rows + b] = filters->values[b * filters->columns + m];
        }
    }
    status = matrix_pack(out, turned, filters->columns, filters->rows, weights, true, err);
    memory_free(turned);
    return status;
}

static cnm_status round_filters(map *self, export_weights weights, cnm_error *err) {
    const map_tensor *filters = tensor_of(self, "filters");
    packed_matrix packed;
    float *turned;
    cnm_status status = pack_filters(&packed, self, weights, err);
    if (status != CNM_OK) {
        return status;
    }
    status = memory_take(&turned, filters->rows * filters->columns, sizeof *turned, "a table", err);
    if (status == CNM_OK) {
        matrix_unpack(&packed, turned);
        for (size_t b = 0; b < filters->rows; b++) {
            for (size_t m = 0; m < filters->columns; m++) {
                filters->values[b * filters->columns + m] = turned[m * filters->rows + b];
            }
        }
        memory_free(turned);
    }
    matrix_free(&packed);
    return status;
}

static cnm_status circulant_round(map *self, export_weights weights, cnm_error *err) {
    const map_tensor *diagonal = tensor_of(self, "diagonal");
    const cnm_status status = round_filters(self, weights, err);
    if (status == CNM_OK && diagonal != NULL && weights != EXPORT_F32) {
        half_round(diagonal->values, diagonal->rows * diagonal->columns);
    }
    return status;
}

/* float filter(size_t block, size_t m): where d has factors that a transform has not, the filter of the length around it. */
static void emit_filter(emitter *out, const map *self, export_weights weights, const transform_text *plan) {
    packed_matrix packed;
    if (out->status == CNM_OK) {
        out->status = pack_filters(&packed, self, weights, out->err);
    }
    if (out->status != CNM_OK) {
        return;
    }
    emit_matrix(out, "filters", &packed);
    emit(out, "\nstatic float filter(size_t block, size_t m) {\n");
    if (plan->shape.length != plan->columns) {
        emit_format(out,
                    "    if (m >= %zu) {\n"
                    "        if (LENGTH - m >= COLUMNS) {\n"
                    "            return 0.0f;\n"
                    "        }\n"
                    "        m = COLUMNS - (LENGTH - m);\n"
                    "    }\n",
                    plan->width);
    }
    emit(out, "    return ");
    if (weights == EXPORT_I8) {
        emit(out, "filters_scale[block] * ");
    } else if (packed.scale != NULL) {
        emit_float(out, packed.scale[0]);
        emit(out, " * ");
    }
    emit_read(out, &packed, "filters", "m * BLOCKS + block");
    emit(out, ";\n}\n\n");
    matrix_free(&packed);
}

/* ---- What is convolved ---- */

/* Sign j is bit j % 8 of byte j / 8. */
static void emit_signs(emitter *out, const map_tensor *signs) {
    const size_t size = (signs->columns + 7) / 8;
    uint8_t *bits;
    if (out->status == CNM_OK) {
        out->status = memory_zeroed(&bits, size, 1, "a table", out->err);
    }
    if (out->status != CNM_OK) {
        return;
    }
    for (size_t j = 0; j < signs->columns; j++) {
        bits[j / 8] |= (uint8_t)((signs->values[j] < 0.0F ? 1U : 0U) << (j % 8));
    }
    emit_octets(out, "signs", bits, size);
    memory_free(bits);
}

static void emit_diagonal(emitter *out, const map_tensor *diagonal, export_weights weights, const char *index) {
    packed_matrix packed;
    if (out->status == CNM_OK) {
        out->status = matrix_pack(&packed, diagonal->values, diagonal->rows, diagonal->columns,
                                  diagonal_weights(weights), true, out->err);
    }
    if (out->status != CNM_OK) {
        return;
    }
    emit_matrix(out, "diagonal", &packed);
    emit(out, "\nstatic float diagonal_of(size_t block, size_t m) {\n    (void)block;\n    return ");
    if (packed.scale != NULL) {
        emit_float(out, packed.scale[0]);
        emit(out, " * ");
    }
    emit_read(out, &packed, "diagonal", index);
    emit(out, ";\n}\n\n");
    matrix_free(&packed);
}

static void emit_entry(emitter *out, const map *self, export_weights weights) {
    const map_tensor *signs = tensor_of(self, "signs"), *diagonal = tensor_of(self, "diagonal");
    if (signs != NULL) {
        emit_signs(out, signs);
    }
    if (diagonal != NULL) {
        emit_diagonal(out, diagonal, weights, diagonal->rows > 1 ? "block * COLUMNS + m" : "m");
    }
    emit(out, "static float entry(const float *x, size_t block, size_t m) {\n"
              "    (void)block;\n"
              "    if (m >= COLUMNS) {\n"
              "        return 0.0f;\n"
              "    }\n"
              "    float u = column(x, m);\n");
    emit(out, signs != NULL ? "    u = (signs[m / 8] >> (m % 8) & 1) != 0 ? -u : u;\n" : "");
    emit(out, diagonal != NULL ? "    u *= diagonal_of(block, m);\n" : "");
    emit(out, "    return u;\n}\n\n");
}

/* ---- The projections ---- */

static void emit_all(emitter *out, const map *self, export_weights weights, size_t outputs, const char *project) {
    transform_text plan;
    if (out->status == CNM_OK) {
        out->status = transform_plan(&plan, self->columns, outputs, out->err);
    }
    if (out->status != CNM_OK) {
        return;
    }
    emit_format(out, "enum { BLOCKS = %zu };\n", circulant_blocks(self->columns, self->features));
    emit_transform_types(out, &plan);
    emit_entry(out, self, weights);
    emit_filter(out, self, weights, &plan);
    emit_transform(out, &plan);
    emit_format(out, project, plan.together ? 2 : 1);
}

/* All blocks share the transform of the row. */
static void circulant_emit(emitter *out, const map *self, export_weights weights) {
    emit_all(out, self, weights, self->features,
             "static void project(const float *x, float *p) {\n"
             "    $_STORAGE number row[COUNT], work[COUNT];\n"
             "    load(x, 0, row);\n"
             "    for (size_t block = 0; block < BLOCKS; block += %d) {\n"
             "        convolve(row, block, work, p);\n"
             "    }\n"
             "}\n\n");
}

/* Each block has its own diagonal, and so its own transform of the row. */
static void diagonal_emit(emitter *out, const map *self, export_weights weights) {
    emit_all(out, self, weights, self->columns,
             "static void project(const float *x, float *p) {\n"
             "    $_STORAGE number row[COUNT], work[COUNT];\n"
             "    for (size_t block = 0; block < BLOCKS; block += %d) {\n"
             "        load(x, block, row);\n"
             "        convolve(row, block, work, p);\n"
             "    }\n"
             "}\n\n");
}

const projection_export EXPORT_CIRCULANT = {"circulant", circulant_round, circulant_emit};
const projection_export EXPORT_CIRCULANT_DIAGONAL = {"circulant-diagonal", circulant_round, diagonal_emit};
