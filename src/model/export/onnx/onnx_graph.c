/* The messages of an ONNX file. */
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

void graph_add_node(message *graph, const graph_node *node) {
    message out = {.err = graph->err};
    for (size_t i = 0; i < GRAPH_INPUTS && node->inputs[i] != NULL; i++) {
        message_add_text(&out, NODE_INPUT, node->inputs[i]);
    }
    message_add_text(&out, NODE_OUTPUT, node->output);
    message_add_text(&out, NODE_NAME, node->output);
    message_add_text(&out, NODE_OPERATION, node->operation);
    for (size_t i = 0; i < GRAPH_ATTRIBUTES && node->attributes[i].name != NULL; i++) {
        message attribute = {.err = graph->err};
        message_add_text(&attribute, ATTRIBUTE_NAME, node->attributes[i].name);
        message_add_number(&attribute, ATTRIBUTE_INTEGER, node->attributes[i].value);
        message_add_number(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_INTEGER);
        message_add_message(&out, NODE_ATTRIBUTE, &attribute);
    }
    message_add_message(graph, FIELD_NODE, &out);
}

/* ---- Constants ---- */

static message constant_of(const message *graph, const char *name, graph_type type, size_t rows, size_t columns) {
    message out = {.err = graph->err};
    message_add_number(&out, TENSOR_DIMENSION, (int64_t)rows);
    if (columns > 0) {
        message_add_number(&out, TENSOR_DIMENSION, (int64_t)columns);
    }
    message_add_number(&out, TENSOR_TYPE, type);
    message_add_text(&out, TENSOR_NAME, name);
    return out;
}

void graph_add_floats(message *graph, const char *name, const float *values, size_t rows, size_t columns) {
    message out = constant_of(graph, name, GRAPH_FLOAT, rows, columns);
    message_add_floats(&out, TENSOR_BYTES, values, rows * (columns > 0 ? columns : 1));
    message_add_message(graph, FIELD_CONSTANT, &out);
}

void graph_add_doubles(message *graph, const char *name, const double *values, size_t count) {
    message out = constant_of(graph, name, GRAPH_DOUBLE, count, 0);
    message_add_doubles(&out, TENSOR_BYTES, values, count);
    message_add_message(graph, FIELD_CONSTANT, &out);
}

void graph_add_integers(message *graph, const char *name, const int64_t *values, size_t count) {
    message out = constant_of(graph, name, GRAPH_INT64, count, 0);
    message_add_integers(&out, TENSOR_BYTES, values, count);
    message_add_message(graph, FIELD_CONSTANT, &out);
}

void graph_add_texts(message *graph, const char *name, char *const *texts, size_t count) {
    message out = constant_of(graph, name, GRAPH_STRING, count, 0);
    for (size_t i = 0; i < count; i++) {
        message_add_text(&out, TENSOR_TEXT, texts[i]);
    }
    message_add_message(graph, FIELD_CONSTANT, &out);
}

/* ---- Inputs and outputs ---- */

static void add_value(message *graph, unsigned field, const char *name, graph_type type, size_t columns) {
    message value = {.err = graph->err}, kind = value, tensor = value, shape = value, rows = value, width = value;
    message_add_text(&rows, DIMENSION_NAME, "N");
    message_add_message(&shape, SHAPE_DIMENSION, &rows);
    if (columns > 0) {
        message_add_number(&width, DIMENSION_VALUE, (int64_t)columns);
        message_add_message(&shape, SHAPE_DIMENSION, &width);
    }
    message_add_number(&tensor, TENSOR_ELEMENT, type);
    message_add_message(&tensor, TENSOR_SHAPE, &shape);
    message_add_message(&kind, TYPE_TENSOR, &tensor);
    message_add_text(&value, VALUE_NAME, name);
    message_add_message(&value, VALUE_TYPE, &kind);
    message_add_message(graph, field, &value);
}

void graph_add_input(message *graph, const char *name, graph_type type, size_t columns) {
    add_value(graph, FIELD_INPUT, name, type, columns);
}

void graph_add_output(message *graph, const char *name, graph_type type, size_t columns) {
    add_value(graph, FIELD_OUTPUT, name, type, columns);
}

void graph_finish(message *out, message *graph, const char *name) {
    message operators = {.err = out->err};
    message_add_text(graph, FIELD_NAME, name);
    message_add_text(&operators, OPERATOR_SET_DOMAIN, "");
    message_add_number(&operators, OPERATOR_SET_VERSION, OPERATOR_SET);
    message_add_number(out, MODEL_IR_VERSION, IR_VERSION);
    message_add_text(out, MODEL_PRODUCER, "cnm");
    message_add_message(out, MODEL_GRAPH, graph);
    message_add_message(out, MODEL_OPERATOR_SET, &operators);
}
