/* Writes products of exported programs: a table in 32, 16 or 8 bits, and the loop that runs over it
 * in the order of the reference SIMD functions: every sum from 0 on, its terms in order, each
 * product rounded before it is added. */
#include <stdio.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "model/export/c/export_c.h"

cnm_status quantise_matrix(float *values, size_t rows, size_t columns, export_dtype weights, bool alike,
                           cnm_error *err) {
    packed_matrix packed;
    TRY(packed_matrix_create(&packed, values, rows, columns, weights, alike, err));
    packed_matrix_unpack(&packed, values);
    packed_matrix_free(&packed);
    return CNM_OK;
}

void emit_matrix(c_writer *out, const char *name, const packed_matrix *self) {
    const size_t count = self->rows * self->columns;
    char other[64];
    if (self->weights == EXPORT_F32) {
        emit_floats(out, name, self->values, count);
        return;
    }
    if (self->weights == EXPORT_F16) {
        emit_halves(out, name, self->halves, count);
        return;
    }
    emit_bytes(out, name, self->bytes, count);
    strcat(strcpy(other, name), "_scale");
    emit_floats(out, other, self->scale, self->columns);
    strcat(strcpy(other, name), "_exponent");
    emit_bytes(out, other, self->exponent, self->exponent == NULL ? 0 : self->rows);
}

void emit_read(c_writer *out, const packed_matrix *self, const char *name, const char *index) {
    static const char *const FORMS[] = {"%s[%s]", "half_value(%s[%s])", "(float)%s[%s]"};
    emit_format(out, FORMS[self->weights], name, index);
    out->pieces |= self->weights == EXPORT_F16 ? (unsigned)PIECE_HALVES : 0U;
}

/* Writes the factors outside the sums, which are exact for a power of two. */
static void emit_scaling(c_writer *out, const product_text *names, const packed_matrix *self) {
    if (self->scale == NULL && names->scale == NULL) {
        return;
    }
    emit_format(out, "    for (size_t i = 0; i < %s; i++) {\n        %s[i] *= ", names->columns, names->output);
    if (names->scale != NULL) {
        emit(out, names->scale);
    } else if (self->weights == EXPORT_I8) {
        emit_format(out, "%s_scale[i]", names->table);
    } else {
        emit_float(out, self->scale[0]);
    }
    emit(out, ";\n    }\n");
}

/* Writes what input j is multiplied by before it is used for all sums. */
static void emit_factor(c_writer *out, const product_text *names, const packed_matrix *self) {
    if (names->factor != NULL) {
        emit_format(out, " * %s", names->factor);
        out->pieces |= PIECE_POWERS;
    } else if (self->exponent != NULL) {
        emit_format(out, " * power(%s_exponent[j])", names->table);
        out->pieces |= PIECE_POWERS;
    }
}

void emit_product(c_writer *out, const product_text *names, const packed_matrix *self) {
    char index[96];
    (void)snprintf(index, sizeof index, "j * %s + i", names->columns);
    emit_format(out, "    for (size_t i = 0; i < %s; i++) {\n        %s[i] = 0.0f;\n    }\n", names->columns,
                names->output);
    emit_format(out, "    for (size_t j = 0; j < %s; j++) {\n        const float factor = %s", names->rows,
                names->input);
    emit_factor(out, names, self);
    emit_format(out, ";\n        for (size_t i = 0; i < %s; i++) {\n            %s[i] += factor * ", names->columns,
                names->output);
    emit_read(out, self, names->table, index);
    emit(out, ";\n        }\n    }\n");
    emit_scaling(out, names, self);
}
