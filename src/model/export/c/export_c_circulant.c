/* Writes the circulant projections as C: filters and diagonals as tables, never a matrix. */
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "map/projections/circulant.h"
#include "model/export/c/export_c.h"
#include "model/export/c/export_c_fft.h"

/* Returns the type of diagonals. They contain scales of columns, which may differ by powers of ten:
 * 8 bits are not enough, 16 are. */
static export_dtype diagonal_weights(export_dtype weights) { return weights == EXPORT_F32 ? EXPORT_F32 : EXPORT_F16; }

/* Returns a tensor by its name; NULL where a layer has none of that name. */
static const layer_tensor *tensor_of(const layer *self, const char *name) {
    for (size_t i = 0; i < self->tensor_count; i++) {
        if (strcmp(self->tensors[i].name, name) == 0 && self->tensors[i].values != NULL) {
            return &self->tensors[i];
        }
    }
    return NULL;
}

/* ---- Filters: kept as (d, blocks), so that a block has its scale ---- */

static cnm_status pack_filters(packed_matrix *out, const layer *self, export_dtype weights, cnm_error *err) {
    const layer_tensor *filters = tensor_of(self, "filters");
    float *turned;
    TRY(memory_take(&turned, filters->rows * filters->columns, sizeof *turned, "a table", err));
    for (size_t b = 0; b < filters->rows; b++) {
        for (size_t m = 0; m < filters->columns; m++) {
            turned[m * filters->rows + b] = filters->values[b * filters->columns + m];
        }
    }
    const cnm_status status = packed_matrix_create(out, turned, filters->columns, filters->rows, weights, true, err);
    memory_free(turned);
    return status;
}

static cnm_status quantise_filters(layer *self, export_dtype weights, cnm_error *err) {
    const layer_tensor *filters = tensor_of(self, "filters");
    packed_matrix packed;
    float *turned;
    cnm_status status = CNM_OK;
    TRY(pack_filters(&packed, self, weights, err));
    TRY_DONE(memory_take(&turned, filters->rows * filters->columns, sizeof *turned, "a table", err));
    packed_matrix_unpack(&packed, turned);
    for (size_t b = 0; b < filters->rows; b++) {
        for (size_t m = 0; m < filters->columns; m++) {
            filters->values[b * filters->columns + m] = turned[m * filters->rows + b];
        }
    }
    memory_free(turned);
done:
    packed_matrix_free(&packed);
    return status;
}

static cnm_status circulant_quantise(layer *self, export_dtype weights, cnm_error *err) {
    const layer_tensor *diagonal = tensor_of(self, "diagonal");
    TRY(quantise_filters(self, weights, err));
    if (diagonal != NULL && weights != EXPORT_F32) {
        float16_round(diagonal->values, diagonal->rows * diagonal->columns);
    }
    return CNM_OK;
}

/* Writes float filter(size_t block, size_t m): where no transform has the length d, the filter of
 * the length around it. */
static void emit_filter(c_writer *out, const layer *self, export_dtype weights, const fft_text *plan) {
    packed_matrix packed;
    if (!EMIT_TRY(out, pack_filters(&packed, self, weights, out->err))) {
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
    packed_matrix_free(&packed);
}

/* ---- What is convolved ---- */

/* Writes the signs; sign j is bit j % 8 of byte j / 8. */
static void emit_signs(c_writer *out, const layer_tensor *signs) {
    const size_t size = (signs->columns + 7) / 8;
    uint8_t *bits;
    if (!EMIT_TRY(out, memory_zeroed(&bits, size, 1, "a table", out->err))) {
        return;
    }
    for (size_t j = 0; j < signs->columns; j++) {
        bits[j / 8] |= (uint8_t)((signs->values[j] < 0.0F ? 1U : 0U) << (j % 8));
    }
    emit_octets(out, "signs", bits, size);
    memory_free(bits);
}

static void emit_diagonal(c_writer *out, const layer_tensor *diagonal, export_dtype weights, const char *index) {
    packed_matrix packed;
    if (!EMIT_TRY(out, packed_matrix_create(&packed, diagonal->values, diagonal->rows, diagonal->columns,
                                            diagonal_weights(weights), true, out->err))) {
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
    packed_matrix_free(&packed);
}

static void emit_entry(c_writer *out, const layer *self, export_dtype weights) {
    const layer_tensor *signs = tensor_of(self, "signs"), *diagonal = tensor_of(self, "diagonal");
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

static void emit_all(c_writer *out, const layer *self, export_dtype weights, size_t outputs, const char *project) {
    fft_text plan;
    if (!EMIT_TRY(out, fft_plan(&plan, self->columns, outputs, out->err))) {
        return;
    }
    emit_format(out, "enum { BLOCKS = %zu };\n", circulant_blocks(self->columns, self->features));
    emit_fft_types(out, &plan);
    emit_entry(out, self, weights);
    emit_filter(out, self, weights, &plan);
    emit_fft(out, &plan);
    emit_format(out, project, plan.together ? 2 : 1);
}

/* Writes a projection whose blocks share the transform of the row. */
static void circulant_emit(c_writer *out, const layer *self, export_dtype weights) {
    emit_all(out, self, weights, self->features,
             "static void project(const float *x, float *p) {\n"
             "    $_STORAGE number row[COUNT], work[COUNT];\n"
             "    load(x, 0, row);\n"
             "    for (size_t block = 0; block < BLOCKS; block += %d) {\n"
             "        convolve(row, block, work, p);\n"
             "    }\n"
             "}\n\n");
}

/* Writes a projection whose blocks have diagonals of their own, and so transforms of their own. */
static void diagonal_emit(c_writer *out, const layer *self, export_dtype weights) {
    emit_all(out, self, weights, self->columns,
             "static void project(const float *x, float *p) {\n"
             "    $_STORAGE number row[COUNT], work[COUNT];\n"
             "    for (size_t block = 0; block < BLOCKS; block += %d) {\n"
             "        load(x, block, row);\n"
             "        convolve(row, block, work, p);\n"
             "    }\n"
             "}\n\n");
}

const projection_export EXPORT_CIRCULANT = {"circulant", circulant_quantise, circulant_emit};
const projection_export EXPORT_CIRCULANT_DIAGONAL = {"circulant-diagonal", circulant_quantise, diagonal_emit};
