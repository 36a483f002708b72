/* An ONNX graph being written: nodes, constants, inputs and outputs. Inside the model room.
 *
 * Field numbers are those of onnx.proto (IR version 7, operator set 13). */
#ifndef CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H
#define CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H

#include "model/export/onnx/protobuf_writer.h"

enum { GRAPH_INPUTS = 4, GRAPH_ATTRIBUTES = 2 };

/* TensorProto.DataType. */
typedef enum graph_type { GRAPH_FLOAT = 1, GRAPH_INT64 = 7, GRAPH_STRING = 8, GRAPH_DOUBLE = 11 } graph_type;

/* One operation: inputs and attributes end with a NULL name. Attributes are integers. */
typedef struct graph_node {
    const char *operation, *output;
    const char *inputs[GRAPH_INPUTS];
    struct {
        const char *name;
        int64_t value;
    } attributes[GRAPH_ATTRIBUTES];
} graph_node;

void graph_add_node(message *graph, const graph_node *node);

/* Constants (rows, columns); columns 0: one dimension. */
void graph_add_floats(message *graph, const char *name, const float *values, size_t rows, size_t columns);
void graph_add_doubles(message *graph, const char *name, const double *values, size_t count);
void graph_add_integers(message *graph, const char *name, const int64_t *values, size_t count);
void graph_add_texts(message *graph, const char *name, char *const *texts, size_t count);

/* What goes in and what comes out: any number of rows, and columns (0: one dimension). */
void graph_add_input(message *graph, const char *name, graph_type type, size_t columns);
void graph_add_output(message *graph, const char *name, graph_type type, size_t columns);

/* The file's bytes from the graph, which is ended. */
void graph_finish(message *out, message *graph, const char *name);

#endif
