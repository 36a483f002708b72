/* The columns of a model with an encoder in exported C: a struct, an enum for each column of words,
 * and the function that makes features of them. Inside the model module, for export_c*.c alone. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_COLUMNS_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_COLUMNS_H

#include "model/export/c/c_writer.h"
#include "model/model.h"

/* Write the declarations for the header and the function for the source; nothing for a model
 * without an encoder. */
void emit_column_types(c_writer *out, const cnm_model *model);
void emit_column_function(c_writer *out, const cnm_model *model);

#endif
