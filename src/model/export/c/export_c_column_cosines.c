/* Writes the layer of single columns as C: map/projections/projection_columns.c. It is the first of
 * a stack, so there is one at most. */
#include <stdio.h>

#include "base/core/try.h"
#include "model/export/c/export_c.h"

enum { FREQUENCY, PHASE, MIX, GAIN };                   /* tensors of the layer */
enum { CODE_COLUMN_COSINES = 200, FRAMES_COLUMN = 24 }; /* bytes */

/* Returns the type of frequencies. They contain scales of columns, as diagonals do: 8 bits are not
 * enough, 16 are. */
static export_dtype frequency_weights(export_dtype weights) { return weights == EXPORT_F32 ? EXPORT_F32 : EXPORT_F16; }

static size_t mixed_of(const layer *self) { return self->tensors[MIX].columns / self->tensors[FREQUENCY].columns; }

/* Packs the mix with a row for each cosine: a column of it has a scale. */
static cnm_status pack_mix(packed_matrix *out, const layer *self, export_dtype weights, cnm_error *err) {
    const size_t cosines = self->columns * self->tensors[FREQUENCY].columns;
    return packed_matrix_create(out, self->tensors[MIX].values, cosines, mixed_of(self), weights, true, err);
}

static cnm_status pack_frequency(packed_matrix *out, const layer *self, export_dtype weights, cnm_error *err) {
    const layer_tensor *frequency = &self->tensors[FREQUENCY];
    return packed_matrix_create(out, frequency->values, frequency->rows, frequency->columns, frequency_weights(weights),
                                true, err);
}

static cnm_status quantise(const map *own, layer *self, export_dtype weights, cnm_error *err) {
    packed_matrix packed;
    (void)own;
    TRY(pack_frequency(&packed, self, weights, err));
    packed_matrix_unpack(&packed, self->tensors[FREQUENCY].values);
    packed_matrix_free(&packed);
    TRY(pack_mix(&packed, self, weights, err));
    packed_matrix_unpack(&packed, self->tensors[MIX].values);
    packed_matrix_free(&packed);
    return CNM_OK;
}

/* ---- The text ---- */

/* Names of the tables. */
typedef struct table_names {
    char frequency[C_ARRAY_SIZE], phase[C_ARRAY_SIZE], mix[C_ARRAY_SIZE], gain[C_ARRAY_SIZE];
} table_names;

static void emit_scale(c_writer *out, const packed_matrix *self) {
    if (self->scale != NULL) {
        emit_float(out, self->scale[0]);
        emit(out, " * ");
    }
}

/* Writes what every cosine of a column adds. */
static void emit_cosines(c_writer *out, const packed_matrix *frequency, const packed_matrix *mix,
                         const table_names *names) {
    emit_format(out,
                "        for (size_t m = j * %zu; m < (j + 1) * %zu; m++) {\n"
                "            const float wave = cosine(",
                frequency->columns, frequency->columns);
    emit_scale(out, frequency);
    emit_read(out, frequency, names->frequency, "m");
    emit_format(out,
                " * u + %s[m]);\n"
                "            for (size_t i = 0; i < %zu; i++) {\n"
                "                mixed[i] += wave * ",
                names->phase, mix->columns);
    if (mix->weights == EXPORT_F16) { /* a power of two: exact before the sum as after it */
        emit_scale(out, mix);
    }
    char index[48];
    (void)snprintf(index, sizeof index, "m * %zu + i", mix->columns);
    emit_read(out, mix, names->mix, index);
    emit(out, ";\n            }\n        }\n");
    if (mix->weights == EXPORT_I8) {
        emit_format(out,
                    "        for (size_t i = 0; i < %zu; i++) {\n"
                    "            mixed[i] *= %s_scale[i];\n"
                    "        }\n",
                    mix->columns, names->mix);
    }
}

static void emit_function(c_writer *out, const layer *own, const packed_matrix *frequency, const packed_matrix *mix,
                          const table_names *names) {
    emit_format(out,
                "\n/* The columns, then for each column %zu sums of its own cosines. */\n"
                "static void column_cosines(const float *x, float *p) {\n"
                "    for (size_t j = 0; j < COLUMNS; j++) {\n"
                "        const float u = column(x, j);\n"
                "        float *mixed = p + COLUMNS + %zu * j;\n",
                mix->columns, mix->columns);
    if (own->tensors[GAIN].values != NULL) {
        emit_format(out, "        p[j] = %s[j] * u;\n", names->gain);
    } else {
        emit(out, "        p[j] = u;\n");
    }
    emit_format(out,
                "        for (size_t i = 0; i < %zu; i++) {\n"
                "            mixed[i] = 0.0f;\n"
                "        }\n",
                mix->columns);
    emit_cosines(out, frequency, mix, names);
    emit(out, "    }\n}\n\n");
    out->pieces |=
        (unsigned)PIECE_COSINE | (mix->weights == EXPORT_I8 ? (unsigned)PIECE_FAR_SHORT : (unsigned)PIECE_FAR);
    out->code += CODE_COLUMN_COSINES;
    out->stack += FRAMES_COLUMN;
}

static void emit_all(c_writer *out, const layer_group *group) {
    const layer *own = group->layers[0];
    packed_matrix frequency = {0}, mix = {0};
    table_names names;
    const size_t cosines = own->columns * own->tensors[FREQUENCY].columns;
    layer_array(group->map, own, own->tensors[FREQUENCY].name, names.frequency);
    layer_array(group->map, own, own->tensors[PHASE].name, names.phase);
    layer_array(group->map, own, own->tensors[MIX].name, names.mix);
    layer_array(group->map, own, own->tensors[GAIN].name, names.gain);
    if (EMIT_TRY(out, pack_frequency(&frequency, own, group->weights, out->err)) &&
        EMIT_TRY(out, pack_mix(&mix, own, group->weights, out->err))) {
        emit_matrix(out, names.frequency, &frequency);
        emit_floats(out, names.phase, own->tensors[PHASE].values, cosines);
        emit_matrix(out, names.mix, &mix);
        emit_floats(out, names.gain, own->tensors[GAIN].values, own->tensors[GAIN].values == NULL ? 0 : own->columns);
        emit_function(out, own, &frequency, &mix, &names);
    }
    packed_matrix_free(&frequency);
    packed_matrix_free(&mix);
}

const projection_export EXPORT_COLUMNS = {"columns", "column_cosines", quantise, emit_all};
