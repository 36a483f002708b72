/* Writes a model as C99: one source with constant tables and a few short functions, and its header
 * (export_c_header.c).
 *
 * No allocation, no state, nothing asked of the platform but float arithmetic (and sqrt for asinh).
 * The operations and their order are those of the reference SIMD functions: see
 * simd_reference.c. */
#include "model/export/c/export_c.h"

#include <stdio.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/export/c/export_c_columns.h"
#include "model/export/c/export_c_header.h"

/* ---- Columns: the input stage ---- */

/* Fills out (columns) with `what` less the base that a caller has subtracted, as floats. */
static cnm_status relative(float **out, const double *what, const input_stage *input, cnm_error *err) {
    TRY(memory_take(out, input->columns, sizeof **out, "a table", err));
    for (size_t j = 0; j < input->columns; j++) {
        (*out)[j] = (float)((what == NULL ? 0.0 : what[j]) - (input->base == NULL ? 0.0 : input->base[j]));
    }
    return CNM_OK;
}

static void emit_relative(c_writer *out, const char *name, const double *what, const input_stage *input) {
    float *values;
    if (EMIT_TRY(out, relative(&values, what, input, out->err))) {
        emit_floats(out, name, values, input->columns);
        memory_free(values);
    }
}

static void emit_columns(c_writer *out, const cnm_model *model) {
    const input_stage *input = &model->input;
    const bool centred = input->offset != NULL || input->base != NULL;
    if (model->input.base != NULL && model->encoder == NULL) {
        emit_doubles(out, "@_base", input->base, input->columns);
    }
    if (input->fill != NULL) {
        emit_relative(out, "fill", input->fill, input);
    }
    if (centred) {
        emit_relative(out, "offset", input->offset, input);
    }
    if (input->scale != NULL) {
        emit_floats(out, "scale", input->scale, input->columns);
    }
    if (input->knots != NULL) {
        emit_knots(out, input->knots);
    }
    emit(out, "\n/* Column j of a row as the map takes it. */\n"
              "static float column(const float *x, size_t j) {\n"
              "    float u = x[j];\n");
    emit(out, input->fill != NULL ? "    u = u != u ? fill[j] : u; /* NaN: missing */\n" : "");
    emit(out, centred ? "    u -= offset[j];\n" : "");
    emit(out, input->scale != NULL ? "    u *= scale[j];\n" : "");
    emit(out, input->asinh ? "    u = asinh_of(u);\n" : "");
    emit(out, input->knots != NULL ? "    u = through_knots(j, u);\n" : "");
    emit(out, "    return u;\n}\n\n");
    out->pieces |= input->asinh ? (unsigned)PIECE_ASINH : 0U;
}

/* ---- Scores ---- */

enum { ROW_SIZE = 32 };

/* Fills out with the size of the array that map_row fills. */
static void write_row_size(const map *own, char out[ROW_SIZE]) {
    const size_t size = map_row_size(own);
    (void)(size == own->features ? snprintf(out, ROW_SIZE, "FEATURES") : snprintf(out, ROW_SIZE, "%zu", size));
}

static void emit_scores(c_writer *out, const cnm_model *model, export_dtype weights) {
    const product_text names = {"head", "FEATURES", "OUTPUTS", "z[j]", "scores", NULL, NULL};
    const bool alike = activation_export_find(map_last(model->map)->activation->name)->bounded;
    packed_matrix packed;
    char row_size[ROW_SIZE];
    write_row_size(model->map, row_size);
    if (!EMIT_TRY(out, packed_matrix_create(&packed, model->weights, model->map->features, model->outputs, weights,
                                            alike, out->err))) {
        return;
    }
    emit_matrix(out, names.table, &packed);
    emit_floats(out, "bias", model->bias, model->outputs);
    emit(out, "\nvoid @_scores(const float *x, float *scores) {\n");
    emit_format(out, "    $_STORAGE float z[%s];\n    map_row(x, z);\n", row_size);
    emit_product(out, &names, &packed);
    emit(out, "    for (size_t i = 0; i < OUTPUTS; i++) {\n"
              "        scores[i] += bias[i];\n"
              "    }\n"
              "}\n");
    packed_matrix_free(&packed);
}

/* Writes the function of a map without a head, which gives features. */
static void emit_transformed(c_writer *out, const map *own) {
    const bool wider = map_row_size(own) > own->features; /* than what the caller has space for */
    emit(out, "void @_features(const float *x, float *z) {\n");
    if (wider) {
        emit_format(out, "    $_STORAGE float row[%zu];\n", map_row_size(own));
    }
    emit_format(out,
                "    map_row(x, %s);\n"
                "    for (size_t i = 0; i < FEATURES; i++) {\n"
                "        z[i] = ",
                wider ? "row" : "z");
    emit_float(out, own->scale);
    emit_format(out, " * %s[i];\n    }\n}\n", wider ? "row" : "z");
}

static void emit_rest(c_writer *out, const cnm_model *model, export_dtype weights) {
    if (model->outputs == 0) {
        emit_transformed(out, model->map);
        return;
    }
    emit_scores(out, model, weights);
    emit_predictions(out, model);
}

/* ---- The whole ---- */

static const char PROLOGUE[] =
    "#if defined(__FAST_MATH__)\n"
    "#error \"compile without -ffast-math: the cosine counts on how floats are rounded\"\n"
    "#endif\n"
    "#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2)\n"
    "#error \"compile for arithmetic in float (for x86: -msse2 -mfpmath=sse)\"\n"
    "#endif\n"
    "#if DBL_MANT_DIG != 53\n"
    "#error \"compile for doubles of 64 bits (for AVR: -mdouble=64)\"\n"
    "#endif\n"
    "#if defined(__clang__)\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#endif\n"
    "#if !defined($_STORAGE)\n"
    "#define $_STORAGE /* of the larger arrays: the stack; define it as static where only one thread calls */\n"
    "#endif\n\n";

static void emit_prologue(c_writer *out, const cnm_model *model, const char *header, unsigned pieces) {
    emit(out, "/* @.c: see ");
    emit_remark(out, header);
    emit(out, ". Made by cnm; not meant to be edited. */\n#include \"");
    emit_plain(out, header);
    emit(out, "\"\n\n#include <float.h>\n");
    emit(out, model->input.asinh ? "#include <math.h>\n" : "");
    emit(out, "#include <stddef.h>\n#include <stdint.h>\n\n");
    emit(out, PROLOGUE);
    emit_format(out, "enum { COLUMNS = %zu, FEATURES = %zu", model->input.columns, model->map->features);
    if (model->outputs > 0) {
        emit_format(out, ", OUTPUTS = %zu", model->outputs);
    }
    emit(out, " };\n\n");
    if (pieces != 0) {
        emit(out, "typedef union {\n    float value;\n    uint32_t bits;\n} word;\n\n");
    }
    emit_pieces(out, pieces);
}

static cnm_status check_layer(const layer *own, cnm_error *err) {
    if (projection_export_find(own->projection->name) == NULL) {
        return error_set(err, CNM_UNSUPPORTED, "a model with the projection %s cannot be exported as C",
                         own->projection->name);
    }
    if (activation_export_find(own->activation->name) == NULL) {
        return error_set(err, CNM_UNSUPPORTED, "a model with the activation %s cannot be exported as C",
                         own->activation->name);
    }
    return CNM_OK;
}

cnm_status export_c_check(const cnm_model *model, cnm_error *err) {
    for (size_t i = 0; i < model->map->layer_count; i++) {
        TRY(check_layer(model->map->layers[i], err));
    }
    return CNM_OK;
}

/* Bytes of what every program has: code, and stack beside arrays. */
enum { CODE_MAP = 250, CODE_TWO = 270, CODE_MANY = 330, FRAMES = 170 };

/* Adds up what a program needs; `parts` wrote all but the pieces, `head` wrote those. */
static export_need need_of(const cnm_model *model, const c_writer *head, const c_writer *parts) {
    const size_t arrays = (map_row_size(model->map) + model->outputs) * sizeof(float);
    const size_t answers = model->task != TASK_CLASSIFY ? 0 : model->outputs == 1 ? CODE_TWO : CODE_MANY;
    return (export_need){.tables = parts->flash,
                         .code = CODE_MAP + answers + head->code + parts->code,
                         .stack = arrays + FRAMES + head->stack + parts->stack};
}

void export_c_free(export_c_text *self) {
    text_free(&self->source);
    text_free(&self->header);
    *self = (export_c_text){0};
}

static cnm_status write_both(export_c_text *out, const cnm_model *model, export_dtype weights, c_writer *head,
                             const char *header) {
    text_buffer body = {0};
    c_writer parts = *head;
    parts.text = &body;
    emit_columns(&parts, model);
    emit_map(&parts, model->map, weights);
    emit_rest(&parts, model, weights);
    emit_column_function(&parts, model);
    head->text = &out->source;
    head->status = parts.status;
    emit_prologue(head, model, header, parts.pieces);
    (void)EMIT_TRY(head, text_add(&out->source, body.bytes, body.length, head->err));
    text_free(&body);
    out->need = need_of(model, head, &parts);
    head->text = &out->header;
    emit_header(head, model, weights, &out->need);
    return head->status;
}

cnm_status export_c(export_c_text *out, const cnm_model *model, export_dtype weights, const char *name,
                    const char *header, cnm_error *err) {
    char *large = NULL;
    double *fill = NULL;
    cnm_model filled;
    cnm_status status;
    *out = (export_c_text){0};
    TRY(export_c_check(model, err));
    TRY_DONE(export_fill(&filled, &fill, model, err));
    TRY_DONE(memory_copy_text(&large, name, err));
    for (char *letter = large; *letter != '\0'; letter++) {
        *letter = (char)(*letter >= 'a' && *letter <= 'z' ? *letter - 'a' + 'A' : *letter);
    }
    c_writer head = {.name = name, .large = large, .err = err};
    status = write_both(out, &filled, weights, &head, header);
done:
    memory_free(large);
    memory_free(fill);
    if (status != CNM_OK) {
        export_c_free(out);
    }
    return status;
}
