/* A model as a program of its own, without this library: C99 sources, or an ONNX graph. Nothing
 * here writes files.
 *
 * An export has the weights f32, f16 or i8; export_quantise gives the model that computes what such
 * a program computes. C follows the reference SIMD functions operation by operation: with f32 and
 * f16 its scores have their bits. */
#ifndef CNM_MODEL_EXPORT_EXPORT_H
#define CNM_MODEL_EXPORT_EXPORT_H

#include "base/text/text.h"
#include "model/model.h"

/* How tables of weights are kept: as they are, as halves times a power of two, or as bytes times a
 * scale for each output of a matrix. Offsets, phases and biases stay floats. */
typedef enum export_dtype { EXPORT_F32, EXPORT_F16, EXPORT_I8 } export_dtype;

/* Returns false for a name that none has. */
bool export_dtype_find(const char *name, export_dtype *out);

/* Creates a model whose matrices are rounded to what an export keeps of them. */
cnm_status export_quantise(cnm_model **out, const cnm_model *model, export_dtype weights, cnm_error *err);

/* Makes *out the model with the filling of its program, for the time that *fill (to be freed; NULL
 * where nothing is added) and the model live. */
cnm_status export_fill(cnm_model *out, double **fill, const cnm_model *model, cnm_error *err);

/* What a program needs on a Cortex-M4, in bytes: constant tables and, about, instructions; stack at
 * the deepest call. */
typedef struct export_need {
    size_t tables, code, stack;
} export_need;

/* The two files of a C program. name: the prefix of the names that a program sees, an identifier;
 * it is also the header's name, NAME.h, unless `header` says otherwise. */
typedef struct export_c_text {
    text_buffer source, header;
    export_need need;
} export_c_text;

cnm_status export_c(export_c_text *out, const cnm_model *model, export_dtype weights, const char *name,
                    const char *header, cnm_error *err);
void export_c_free(export_c_text *self);

/* Writes the bytes of an ONNX file. */
cnm_status export_onnx(text_buffer *out, const cnm_model *model, cnm_error *err);

#endif
