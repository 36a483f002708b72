/* An ONNX graph being written: nodes, constants, inputs and outputs. Inside the model module.
 *
 * Field numbers are those of onnx.proto (IR version 7, operator set 13). */
#ifndef CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H
#define CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H

#include "model/export/onnx/protobuf_writer.h"

enum { ONNX_INPUTS = 4, ONNX_ATTRIBUTES = 2 };

/* TensorProto.DataType. */
typedef enum onnx_type { ONNX_FLOAT = 1, ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_DOUBLE = 11 } onnx_type;

/* One operation: inputs and attributes end with a NULL name. Attributes are integers. */
typedef struct onnx_node {
    const char *operation, *output;
    const char *inputs[ONNX_INPUTS];
    struct {
        const char *name;
        int64_t value;
    } attributes[ONNX_ATTRIBUTES];
} onnx_node;

void onnx_add_node(protobuf_writer *graph, const onnx_node *node);

/* Add constants (rows, columns); columns 0: one dimension. */
void onnx_add_floats(protobuf_writer *graph, const char *name, const float *values, size_t rows, size_t columns);
void onnx_add_doubles(protobuf_writer *graph, const char *name, const double *values, size_t count);
void onnx_add_integers(protobuf_writer *graph, const char *name, const int64_t *values, size_t count);
void onnx_add_texts(protobuf_writer *graph, const char *name, char *const *texts, size_t count);

/* Add an input and an output: any number of rows, and columns (0: one dimension). */
void onnx_add_input(protobuf_writer *graph, const char *name, onnx_type type, size_t columns);
void onnx_add_output(protobuf_writer *graph, const char *name, onnx_type type, size_t columns);

/* Writes the file's bytes from the graph, and frees the graph. */
void onnx_finish(protobuf_writer *out, protobuf_writer *graph, const char *name);

#endif
