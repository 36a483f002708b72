/* The header of an exported C program. Inside the model room. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_HEADER_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_HEADER_H

#include "model/export/export.h"
#include "model/export/c/c_writer.h"

void header_emit(emitter *out, const cnm_model *model, export_weights weights, const export_need *need);

#endif
