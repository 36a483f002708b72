/* Packs matrices in 32, 16 and 8 bits. */
#include "model/export/packed_matrix.h"

#include <math.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"

enum {
    LARGEST = 127,     /* of a byte; without -128 a matrix and its negative are kept alike */
    SPREAD_ALLOWED = 2 /* octaves by which rows may differ without exponents of their own */
};

void packed_matrix_free(packed_matrix *self) {
    memory_free(self->values);
    memory_free(self->halves);
    memory_free(self->bytes);
    memory_free(self->scale);
    memory_free(self->exponent);
    *self = (packed_matrix){0};
}

static cnm_status pack_floats(packed_matrix *self, const float *values, cnm_error *err) {
    const size_t count = self->rows * self->columns;
    TRY(memory_take(&self->values, count, sizeof *values, "a table", err));
    memcpy(self->values, values, count * sizeof *values);
    return CNM_OK;
}

static cnm_status pack_halves(packed_matrix *self, const float *values, cnm_error *err) {
    const size_t count = self->rows * self->columns;
    const int exponent = float16_exponent(values, count);
    TRY(memory_take(&self->halves, count, sizeof *self->halves, "a table", err));
    if (exponent != 0) {
        TRY(memory_take(&self->scale, 1, sizeof *self->scale, "a table", err));
        self->scale[0] = ldexpf(1.0F, exponent);
    }
    (void)float16_encode(values, count, exponent, self->halves);
    return CNM_OK;
}

/* Fills exponent (rows) with that of each row's largest number, less that of the largest of all; 0
 * for rows of zeros. Returns the least. */
static int row_exponents(const packed_matrix *self, const float *values, int8_t *exponent) {
    int most = -1000, least = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < self->rows; i++) {
            float largest = 0.0F;
            for (size_t j = 0; j < self->columns; j++) {
                largest = fmaxf(largest, fabsf(values[i * self->columns + j]));
            }
            const int own = largest > 0.0F ? ilogbf(largest) : most;
            if (pass == 0) {
                most = largest > 0.0F && own > most ? own : most;
                continue;
            }
            exponent[i] = (int8_t)(own - most < -126 ? -126 : own - most);
            least = exponent[i] < least ? exponent[i] : least;
        }
    }
    return least;
}

static float row_unit(const packed_matrix *self, size_t i) {
    return self->exponent == NULL ? 1.0F : ldexpf(1.0F, self->exponent[i]);
}

/* Packs one column: its scale, then its numbers. A column of zeros has the scale 0. */
static void pack_column(packed_matrix *self, const float *values, size_t j) {
    double largest = 0.0;
    for (size_t i = 0; i < self->rows; i++) {
        largest = fmax(largest, fabs((double)values[i * self->columns + j]) / (double)row_unit(self, i));
    }
    self->scale[j] = (float)(largest / LARGEST);
    const double unit = (double)self->scale[j];
    for (size_t i = 0; i < self->rows; i++) {
        const double number = (double)values[i * self->columns + j] / (double)row_unit(self, i);
        const double rounded = unit > 0.0 ? nearbyint(number / unit) : 0.0;
        self->bytes[i * self->columns + j] = (int8_t)fmax(-LARGEST, fmin(LARGEST, rounded));
    }
}

static cnm_status pack_bytes(packed_matrix *self, const float *values, cnm_error *err) {
    TRY(memory_take(&self->bytes, self->rows * self->columns, 1, "a table", err));
    TRY(memory_take(&self->scale, self->columns, sizeof *self->scale, "a table", err));
    TRY(memory_take(&self->exponent, self->rows, 1, "a table", err));
    if (self->alike || row_exponents(self, values, self->exponent) >= -SPREAD_ALLOWED) {
        memory_free(self->exponent);
        self->exponent = NULL;
    }
    for (size_t j = 0; j < self->columns; j++) {
        pack_column(self, values, j);
    }
    return CNM_OK;
}

cnm_status packed_matrix_create(packed_matrix *out, const float *values, size_t rows, size_t columns,
                                export_dtype weights, bool alike, cnm_error *err) {
    static cnm_status (*const PACK[])(packed_matrix *, const float *, cnm_error *) = {pack_floats, pack_halves,
                                                                                      pack_bytes};
    *out = (packed_matrix){.weights = weights, .rows = rows, .columns = columns, .alike = alike};
    const cnm_status status = PACK[weights](out, values, err);
    if (status != CNM_OK) {
        packed_matrix_free(out);
    }
    return status;
}

void packed_matrix_unpack(const packed_matrix *self, float *values) {
    const size_t count = self->rows * self->columns;
    if (self->weights == EXPORT_F32) {
        memcpy(values, self->values, count * sizeof *values);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const float scale =
            self->scale == NULL ? 1.0F : self->scale[self->weights == EXPORT_I8 ? i % self->columns : 0];
        values[i] = self->weights == EXPORT_I8 ? scale * (float)self->bytes[i] * row_unit(self, i / self->columns)
                                               : scale * float16_to_float(self->halves[i]);
    }
}
