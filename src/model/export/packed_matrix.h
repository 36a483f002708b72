/* A matrix as an export keeps it: value (i, j) = 2^exponent[i] * scale[j] * number (i, j). Inside
 * the model module.
 *
 *   f32  the numbers themselves
 *   f16  halves, with one scale for all, a power of two
 *   i8   -127 to 127, with a scale for each column. Rows of very different sizes, as folded scales
 *        of columns make them, get exponents, so that none is rounded away. */
#ifndef CNM_MODEL_EXPORT_PACKED_MATRIX_H
#define CNM_MODEL_EXPORT_PACKED_MATRIX_H

#include "model/export/export.h"

typedef struct packed_matrix {
    export_dtype weights;
    size_t rows, columns;
    bool alike;
    float *values;    /* f32 */
    uint16_t *halves; /* f16 */
    int8_t *bytes;    /* i8 */
    float *scale;     /* (columns) of i8, (1) of f16 where it is not 1; else NULL */
    int8_t *exponent; /* (rows) of i8 where rows differ; else NULL */
} packed_matrix;

/* Packs values (rows, columns), finite. Each value comes back within half a step: 2^exponent *
 * scale for i8. alike: rows are of one size, and get no exponents. */
cnm_status packed_matrix_create(packed_matrix *out, const float *values, size_t rows, size_t columns,
                                export_dtype weights, bool alike, cnm_error *err);
/* Fills values (rows, columns) with what is kept. Packing that again keeps the same numbers of
 * f16. */
void packed_matrix_unpack(const packed_matrix *self, float *values);
void packed_matrix_free(packed_matrix *self);

#endif
