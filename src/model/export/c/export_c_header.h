/* The header of an exported C program. Inside the model module. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_HEADER_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_HEADER_H

#include "model/export/c/c_writer.h"
#include "model/export/export.h"

void emit_header(c_writer *out, const cnm_model *model, export_dtype weights, const export_need *need);

#endif
