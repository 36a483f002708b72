/* An ONNX graph being written: nodes, constants, inputs and outputs. Inside the model module.
 *
 * Field numbers are those of onnx.proto (IR version 7, operator sets 13 and, of ai.onnx.ml, 2). */
#ifndef CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H
#define CNM_MODEL_EXPORT_ONNX_ONNX_GRAPH_H

#include <stdbool.h>

#include "model/export/onnx/protobuf_writer.h"

enum { ONNX_INPUTS = 4, ONNX_ATTRIBUTES = 3 };

/* TensorProto.DataType. */
typedef enum onnx_type { ONNX_FLOAT = 1, ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_DOUBLE = 11 } onnx_type;

/* An attribute: texts (count), integers (count), or where both are NULL one integer. */
typedef struct onnx_attribute {
    const char *name;
    int64_t integer;
    const int64_t *integers;
    char *const *texts;
    size_t count;
} onnx_attribute;

/* One operation: inputs and attributes end with a NULL name. */
typedef struct onnx_node {
    const char *operation, *output;
    const char *domain; /* "ai.onnx.ml", or NULL for ONNX's own operators */
    const char *inputs[ONNX_INPUTS];
    const char *const *many; /* (many_count) more inputs, or NULL */
    size_t many_count;
    onnx_attribute attributes[ONNX_ATTRIBUTES];
} onnx_node;

/* A graph whose nodes mostly follow one another, and the name of what the latest gave. */
typedef struct onnx_chain {
    protobuf_writer graph;
    const char *at;
} onnx_chain;

/* Adds a node behind the latest one, with one more input unless other is NULL. */
void onnx_follow(onnx_chain *self, const char *operation, const char *other, const char *output);

void onnx_add_node(protobuf_writer *graph, const onnx_node *node);

/* Add constants (rows, columns); columns 0: one dimension. */
void onnx_add_floats(protobuf_writer *graph, const char *name, const float *values, size_t rows, size_t columns);
/* values: of the shape (size[0], size[1], size[2]). */
void onnx_add_box(protobuf_writer *graph, const char *name, const float *values, const size_t size[3]);
void onnx_add_doubles(protobuf_writer *graph, const char *name, const double *values, size_t count);
void onnx_add_integers(protobuf_writer *graph, const char *name, const int64_t *values, size_t count);
void onnx_add_texts(protobuf_writer *graph, const char *name, char *const *texts, size_t count);

/* Add an input and an output: any number of rows, and columns (0: one dimension). */
void onnx_add_input(protobuf_writer *graph, const char *name, onnx_type type, size_t columns);
void onnx_add_output(protobuf_writer *graph, const char *name, onnx_type type, size_t columns);

/* Writes the file's bytes from the graph, and frees the graph. learning: the graph has operators of
 * ai.onnx.ml. */
void onnx_finish(protobuf_writer *out, protobuf_writer *graph, const char *name, bool learning);

#endif
