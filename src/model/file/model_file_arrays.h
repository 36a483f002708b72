/* Takes the arrays of a model file, with types and shapes checked and all numbers finite. Inside
 * the model module. */
#ifndef CNM_MODEL_FILE_MODEL_FILE_ARRAYS_H
#define CNM_MODEL_FILE_MODEL_FILE_ARRAYS_H

#include "base/file/safetensors.h"
#include "model/file/model_file.h"

/* An archive being turned into a model. */
typedef struct incoming {
    const archive *archive;
    const char *name; /* of the file, for messages */
    cnm_model *model;
    bool format_1; /* names and texts are those of model_file_format_1.h */
} incoming;

/* Takes an F32 or F16 array (rows, columns), freshly allocated; *out is NULL where the array is
 * absent and may be. columns 0: one dimension. */
cnm_status arrays_take_floats(const incoming *in, const char *name, size_t rows, size_t columns, bool required,
                              float **out, cnm_error *err);
/* Takes the values of a layer's tensor from the array of that name. */
cnm_status arrays_take_tensor(const incoming *in, const char *name, layer_tensor *tensor, cnm_error *err);
/* Takes base, offset, fill and scale of the input stage, whose columns are known. */
cnm_status arrays_take_columns(const incoming *in, cnm_error *err);
/* Takes the knots of columns. */
cnm_status arrays_take_knots(const incoming *in, cnm_error *err);

#endif
