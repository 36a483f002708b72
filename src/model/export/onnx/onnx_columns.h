/* The inputs of an ONNX graph, and what happens to columns before the map. Inside the model
 * module. */
#ifndef CNM_MODEL_EXPORT_ONNX_ONNX_COLUMNS_H
#define CNM_MODEL_EXPORT_ONNX_ONNX_COLUMNS_H

#include "model/export/onnx/onnx_graph.h"
#include "model/model.h"

/* Adds the inputs and the preprocessing of the model. A model without an encoder has one input, X
 * (N, columns); one with an encoder has an input (N, 1) for each column that it uses. */
void onnx_add_columns(onnx_chain *self, const cnm_model *model);

/* Adds the inputs of a model with an encoder: floats (doubles where the column has a base) or
 * texts; and X (N, features), what the encoder makes of them, less the bases. */
void onnx_add_typed_inputs(onnx_chain *chain, const cnm_model *model);

#endif
