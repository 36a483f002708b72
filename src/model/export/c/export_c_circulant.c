/* Writes the circulant projections as C: filters and diagonals as tables, never a matrix. */
#include <stdio.h>
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

static cnm_status circulant_quantise(const map *own, layer *self, export_dtype weights, cnm_error *err) {
    (void)own;
    const layer_tensor *diagonal = tensor_of(self, "diagonal");
    TRY(quantise_filters(self, weights, err));
    if (diagonal != NULL && weights != EXPORT_F32) {
        float16_round(diagonal->values, diagonal->rows * diagonal->columns);
    }
    return CNM_OK;
}

/* ---- The layers ---- */

/* What is written of one layer. */
typedef struct circulant_text {
    const map *map;
    const layer *own;
    const layer_tensor *signs, *diagonal; /* or NULL */
    size_t blocks;
    fft_text plan;
    packed_matrix filters, diagonals;
} circulant_text;

/* All layers, and what only some of them have. */
typedef struct circulant_group {
    const layer_group *group;
    circulant_text layers[MAP_LAYERS];
    fft_text plans[MAP_LAYERS];
    size_t count;
    bool signs, plain;                 /* some layers have signs; some have none */
    bool diagonals, bare;              /* the same of diagonals */
    bool wrapped;                      /* some filter goes round */
    bool filter_scale, diagonal_scale; /* some table has a scale */
} circulant_group;

static cnm_status plan_layer(circulant_text *self, const layer *own, export_dtype weights, cnm_error *err) {
    self->own = own;
    self->signs = tensor_of(own, "signs");
    self->diagonal = tensor_of(own, "diagonal");
    self->blocks = circulant_blocks(own->columns, own->features);
    /* learned diagonals stand in place of signs: blocks have transforms of their own */
    const bool alone = self->diagonal != NULL && self->signs == NULL;
    TRY(fft_plan(&self->plan, own->columns, alone ? own->columns : own->features, err));
    TRY(pack_filters(&self->filters, own, weights, err));
    return self->diagonal == NULL ? CNM_OK
                                  : packed_matrix_create(&self->diagonals, self->diagonal->values, self->diagonal->rows,
                                                         self->diagonal->columns, diagonal_weights(weights), true, err);
}

static cnm_status plan_group(circulant_group *self, const layer_group *group, cnm_error *err) {
    *self = (circulant_group){.group = group};
    for (size_t i = 0; i < group->count; i++) {
        circulant_text *text = &self->layers[i];
        self->count++;
        text->map = group->map;
        TRY(plan_layer(text, group->layers[i], group->weights, err));
        self->plans[i] = text->plan;
        *(text->signs != NULL ? &self->signs : &self->plain) = true;
        *(text->diagonal != NULL ? &self->diagonals : &self->bare) = true;
        self->wrapped = self->wrapped || text->plan.shape.length != text->plan.columns;
        self->filter_scale = self->filter_scale || text->filters.scale != NULL;
        self->diagonal_scale = self->diagonal_scale || text->diagonals.scale != NULL;
    }
    return CNM_OK;
}

static void free_group(circulant_group *self) {
    for (size_t i = 0; i < self->count; i++) {
        packed_matrix_free(&self->layers[i].filters);
        packed_matrix_free(&self->layers[i].diagonals);
    }
}

/* ---- Tables ---- */

/* Writes the signs; sign j is bit j % 8 of byte j / 8. */
static void emit_signs(c_writer *out, const char *name, const layer_tensor *signs) {
    const size_t size = (signs->columns + 7) / 8;
    uint8_t *bits;
    if (!EMIT_TRY(out, memory_zeroed(&bits, size, 1, "a table", out->err))) {
        return;
    }
    for (size_t j = 0; j < signs->columns; j++) {
        bits[j / 8] |= (uint8_t)((signs->values[j] < 0.0F ? 1U : 0U) << (j % 8));
    }
    emit_octets(out, name, bits, size);
    memory_free(bits);
}

static void emit_tables(c_writer *out, const circulant_text *self) {
    char name[C_ARRAY_SIZE];
    if (self->signs != NULL) {
        layer_array(self->map, self->own, "signs", name);
        emit_signs(out, name, self->signs);
    }
    if (self->diagonal != NULL) {
        layer_array(self->map, self->own, "diagonal", name);
        emit_matrix(out, name, &self->diagonals);
    }
    layer_array(self->map, self->own, "filters", name);
    emit_matrix(out, name, &self->filters);
}

static void emit_type(c_writer *out, const circulant_group *self) {
    static const char *const TYPES[] = {"float", "uint16_t", "int8_t"};
    const export_dtype weights = self->group->weights;
    emit(out, "/* Blocks of `columns` features: each is the convolution of a row with a filter. */\n"
              "typedef struct {\n"
              "    size_t columns, features;\n");
    emit(out, layer_group_mixed(self->group) ? "    int first; /* reads columns, not features */\n" : "");
    emit(out, "    size_t blocks, diagonals; /* diagonals: one for each block, for all, or none */\n");
    emit_fft_members(out);
    emit(out, self->signs ? "    const uint8_t *signs; /* of columns, a bit each */\n" : "");
    if (self->diagonals) {
        emit_format(out, "    const %s *diagonal;\n", TYPES[diagonal_weights(weights)]);
    }
    emit(out, self->diagonal_scale ? "    float diagonal_scale;\n" : "");
    emit_format(out, "    const %s *filters; /* (columns, blocks) */\n", TYPES[weights]);
    if (self->filter_scale) {
        emit(out,
             weights == EXPORT_I8 ? "    const float *filters_scale; /* (blocks) */\n" : "    float filters_scale;\n");
    }
    emit(out, "} circulant_layer;\n\n");
}

/* Writes a power of two that a table of 16 bits is multiplied by. */
static void emit_power(c_writer *out, const char *member, const packed_matrix *of) {
    emit_format(out, "    .%s = ", member);
    emit_float(out, of->scale == NULL ? 1.0F : of->scale[0]);
    emit(out, ",\n");
    out->flash += 4;
}

static void emit_member(c_writer *out, const circulant_text *self, const char *array, const char *suffix) {
    char name[C_ARRAY_SIZE];
    layer_array(self->map, self->own, array, name);
    emit_format(out, "    .%s%s = %s%s,\n", array, suffix, name, suffix);
    out->flash += 4;
}

static void emit_constant(c_writer *out, const circulant_group *self, size_t i) {
    const circulant_text *text = &self->layers[i];
    emit_layer_begin(out, self->group, i, "circulant_layer");
    emit_format(out, "    .blocks = %zu,\n    .diagonals = %zu,\n", text->blocks,
                text->diagonal == NULL ? 0 : text->diagonal->rows);
    out->flash += 8;
    emit_fft_values(out, &text->plan);
    if (text->signs != NULL) {
        emit_member(out, text, "signs", "");
    }
    if (text->diagonal != NULL) {
        emit_member(out, text, "diagonal", "");
    }
    if (self->diagonal_scale) {
        emit_power(out, "diagonal_scale", &text->diagonals);
    }
    emit_member(out, text, "filters", "");
    if (self->filter_scale && self->group->weights == EXPORT_I8) {
        emit_member(out, text, "filters", "_scale");
    } else if (self->filter_scale) {
        emit_power(out, "filters_scale", &text->filters);
    }
    emit(out, "};\n\n");
}

/* ---- Functions ---- */

/* Writes the function filter: where no transform has the length d, the filter of the length around
 * it. */
static void emit_filter(c_writer *out, const circulant_group *self) {
    emit(out, "static float filter(const circulant_layer *self, size_t block, size_t m) {\n");
    emit(out, self->wrapped ? "    if (m >= self->wrap) {\n"
                              "        if (self->length - m >= self->columns) {\n"
                              "            return 0.0f;\n"
                              "        }\n"
                              "        m = self->columns - (self->length - m);\n"
                              "    }\n"
                            : "");
    emit(out, "    return ");
    if (self->filter_scale) {
        emit(out, self->group->weights == EXPORT_I8 ? "self->filters_scale[block] * " : "self->filters_scale * ");
    }
    emit_read(out, &self->layers[0].filters, "self->filters", "m * self->blocks + block");
    emit(out, ";\n}\n\n");
}

static void emit_diagonal(c_writer *out, const circulant_group *self) {
    const packed_matrix kind = {.weights = diagonal_weights(self->group->weights)};
    emit(out, "static float diagonal_of(const circulant_layer *self, size_t block, size_t m) {\n    return ");
    emit(out, self->diagonal_scale ? "self->diagonal_scale * " : "");
    emit_read(out, &kind, "self->diagonal", "(self->diagonals > 1 ? block * self->columns : 0) + m");
    emit(out, ";\n}\n\n");
}

/* Writes the function entry, what is convolved. */
static void emit_entry(c_writer *out, const circulant_group *self) {
    char input[C_INPUT_SIZE];
    layer_input(self->group, "m", input);
    emit(out, "static float entry(const circulant_layer *self, const float *x, size_t block, size_t m) {\n"
              "    (void)block;\n"
              "    if (m >= self->columns) {\n"
              "        return 0.0f;\n"
              "    }\n");
    emit_format(out, "    float u = %s;\n", input);
    if (self->signs) {
        emit_format(out, "    u = %s(self->signs[m / 8] >> (m %% 8) & 1) != 0 ? -u : u;\n",
                    self->plain ? "self->signs != NULL && " : "");
    }
    if (self->diagonals) {
        emit_format(out, "    u %s diagonal_of(self, block, m)%s;\n",
                    self->bare ? "= self->diagonals > 0 ? u *" : "*=", self->bare ? " : u" : "");
    }
    emit(out, "    return u;\n}\n\n");
}

/* Writes the function of a layer. Blocks share the transform of the row unless they have diagonals
 * of their own. */
static void emit_function(c_writer *out, const circulant_group *self) {
    const fft_calls calls = fft_calls_of(self->plans, self->count);
    emit(out, self->count == 1 ? "static void circulant(const float *x, float *p) {\n"
                                 "    const circulant_layer *self = &layer"
                               : "static void circulant(const circulant_layer *self, const float *x, float *p) {\n");
    if (self->count == 1) {
        emit_format(out, "%u;\n", (unsigned)self->layers[0].own->number + 1);
    }
    emit_format(out,
                "    $_STORAGE number row[%zu], work[%zu];\n"
                "    for (size_t block = 0; block < self->blocks; block += self->step) {\n"
                "        if (block == 0 || self->diagonals > 1) {\n",
                fft_numbers(self->plans, self->count), fft_numbers(self->plans, self->count));
    emit_format(out, "            %s(self, x, block, row);\n        }\n        %s(self, row, block, work, p);\n",
                calls.load, calls.convolve);
    emit(out, "    }\n}\n\n");
}

static void emit_group(c_writer *out, const circulant_group *self) {
    for (size_t i = 0; i < self->count; i++) {
        emit_tables(out, &self->layers[i]);
    }
    emit_fft_tables(out, self->plans, self->count);
    emit_type(out, self);
    for (size_t i = 0; i < self->count; i++) {
        emit_constant(out, self, i);
    }
    if (self->diagonals) {
        emit_diagonal(out, self);
    }
    emit_entry(out, self);
    emit_filter(out, self);
    emit_fft(out, self->plans, self->count);
    emit_function(out, self);
}

static void circulant_emit(c_writer *out, const layer_group *group) {
    circulant_group self = {0};
    if (EMIT_TRY(out, plan_group(&self, group, out->err))) {
        emit_group(out, &self);
    }
    free_group(&self);
}

const projection_export EXPORT_CIRCULANT = {"circulant", "circulant", circulant_quantise, circulant_emit};
const projection_export EXPORT_CIRCULANT_DIAGONAL = {"circulant-diagonal", "circulant", circulant_quantise,
                                                     circulant_emit};
