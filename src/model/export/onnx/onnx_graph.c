/* Writes the messages of an ONNX file. */
#include "model/export/onnx/onnx_graph.h"

#include "base/core/memory.h"

enum { IR_VERSION = 7, OPERATOR_SET = 13 };

enum { MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPERATOR_SET = 8 };
enum { OPERATOR_SET_DOMAIN = 1, OPERATOR_SET_VERSION = 2 };
enum { FIELD_NODE = 1, FIELD_NAME = 2, FIELD_CONSTANT = 5, FIELD_INPUT = 11, FIELD_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OPERATION = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INTEGER = 3, ATTRIBUTE_TYPE = 20, ATTRIBUTE_IS_INTEGER = 2 };
enum { TENSOR_DIMENSION = 1, TENSOR_TYPE = 2, TENSOR_TEXT = 6, TENSOR_NAME = 8, TENSOR_BYTES = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2, SHAPE_DIMENSION = 1 };
enum { DIMENSION_VALUE = 1, DIMENSION_NAME = 2 };

void onnx_add_node(protobuf_writer *graph, const onnx_node *node) {
    protobuf_writer out = {.err = graph->err};
    for (size_t i = 0; i < ONNX_INPUTS && node->inputs[i] != NULL; i++) {
        protobuf_add_text(&out, NODE_INPUT, node->inputs[i]);
    }
    protobuf_add_text(&out, NODE_OUTPUT, node->output);
    protobuf_add_text(&out, NODE_NAME, node->output);
    protobuf_add_text(&out, NODE_OPERATION, node->operation);
    for (size_t i = 0; i < ONNX_ATTRIBUTES && node->attributes[i].name != NULL; i++) {
        protobuf_writer attribute = {.err = graph->err};
        protobuf_add_text(&attribute, ATTRIBUTE_NAME, node->attributes[i].name);
        protobuf_add_number(&attribute, ATTRIBUTE_INTEGER, node->attributes[i].value);
        protobuf_add_number(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_INTEGER);
        protobuf_add_inner(&out, NODE_ATTRIBUTE, &attribute);
    }
    protobuf_add_inner(graph, FIELD_NODE, &out);
}

/* ---- Constants ---- */

static protobuf_writer constant_of(const protobuf_writer *graph, const char *name, onnx_type type, size_t rows,
                                   size_t columns) {
    protobuf_writer out = {.err = graph->err};
    protobuf_add_number(&out, TENSOR_DIMENSION, (int64_t)rows);
    if (columns > 0) {
        protobuf_add_number(&out, TENSOR_DIMENSION, (int64_t)columns);
    }
    protobuf_add_number(&out, TENSOR_TYPE, type);
    protobuf_add_text(&out, TENSOR_NAME, name);
    return out;
}

void onnx_add_floats(protobuf_writer *graph, const char *name, const float *values, size_t rows, size_t columns) {
    protobuf_writer out = constant_of(graph, name, ONNX_FLOAT, rows, columns);
    protobuf_add_floats(&out, TENSOR_BYTES, values, rows * (columns > 0 ? columns : 1));
    protobuf_add_inner(graph, FIELD_CONSTANT, &out);
}

void onnx_add_doubles(protobuf_writer *graph, const char *name, const double *values, size_t count) {
    protobuf_writer out = constant_of(graph, name, ONNX_DOUBLE, count, 0);
    protobuf_add_doubles(&out, TENSOR_BYTES, values, count);
    protobuf_add_inner(graph, FIELD_CONSTANT, &out);
}

void onnx_add_integers(protobuf_writer *graph, const char *name, const int64_t *values, size_t count) {
    protobuf_writer out = constant_of(graph, name, ONNX_INT64, count, 0);
    protobuf_add_integers(&out, TENSOR_BYTES, values, count);
    protobuf_add_inner(graph, FIELD_CONSTANT, &out);
}

void onnx_add_texts(protobuf_writer *graph, const char *name, char *const *texts, size_t count) {
    protobuf_writer out = constant_of(graph, name, ONNX_STRING, count, 0);
    for (size_t i = 0; i < count; i++) {
        protobuf_add_text(&out, TENSOR_TEXT, texts[i]);
    }
    protobuf_add_inner(graph, FIELD_CONSTANT, &out);
}

/* ---- Inputs and outputs ---- */

static void add_value(protobuf_writer *graph, unsigned field, const char *name, onnx_type type, size_t columns) {
    protobuf_writer value = {.err = graph->err}, kind = value, tensor = value, shape = value, rows = value,
                    width = value;
    protobuf_add_text(&rows, DIMENSION_NAME, "N");
    protobuf_add_inner(&shape, SHAPE_DIMENSION, &rows);
    if (columns > 0) {
        protobuf_add_number(&width, DIMENSION_VALUE, (int64_t)columns);
        protobuf_add_inner(&shape, SHAPE_DIMENSION, &width);
    }
    protobuf_add_number(&tensor, TENSOR_ELEMENT, type);
    protobuf_add_inner(&tensor, TENSOR_SHAPE, &shape);
    protobuf_add_inner(&kind, TYPE_TENSOR, &tensor);
    protobuf_add_text(&value, VALUE_NAME, name);
    protobuf_add_inner(&value, VALUE_TYPE, &kind);
    protobuf_add_inner(graph, field, &value);
}

void onnx_add_input(protobuf_writer *graph, const char *name, onnx_type type, size_t columns) {
    add_value(graph, FIELD_INPUT, name, type, columns);
}

void onnx_add_output(protobuf_writer *graph, const char *name, onnx_type type, size_t columns) {
    add_value(graph, FIELD_OUTPUT, name, type, columns);
}

void onnx_finish(protobuf_writer *out, protobuf_writer *graph, const char *name) {
    protobuf_writer operators = {.err = out->err};
    protobuf_add_text(graph, FIELD_NAME, name);
    protobuf_add_text(&operators, OPERATOR_SET_DOMAIN, "");
    protobuf_add_number(&operators, OPERATOR_SET_VERSION, OPERATOR_SET);
    protobuf_add_number(out, MODEL_IR_VERSION, IR_VERSION);
    protobuf_add_text(out, MODEL_PRODUCER, "cnm");
    protobuf_add_inner(out, MODEL_GRAPH, graph);
    protobuf_add_inner(out, MODEL_OPERATOR_SET, &operators);
}
