/* Writes the messages of an ONNX file. */
#include "model/export/onnx/onnx_graph.h"

#include "base/core/memory.h"

enum { IR_VERSION = 7, OPERATOR_SET = 13, LEARNING_OPERATOR_SET = 2 };

enum { MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPERATOR_SET = 8 };
enum { OPERATOR_SET_DOMAIN = 1, OPERATOR_SET_VERSION = 2 };
enum { FIELD_NODE = 1, FIELD_NAME = 2, FIELD_CONSTANT = 5, FIELD_INPUT = 11, FIELD_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OPERATION = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INTEGER = 3, ATTRIBUTE_INTEGERS = 8, ATTRIBUTE_TEXTS = 9, ATTRIBUTE_TYPE = 20 };
enum { ATTRIBUTE_IS_INTEGER = 2, ATTRIBUTE_IS_INTEGERS = 7, ATTRIBUTE_IS_TEXTS = 8 };
enum { TENSOR_DIMENSION = 1, TENSOR_TYPE = 2, TENSOR_TEXT = 6, TENSOR_NAME = 8, TENSOR_BYTES = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2, SHAPE_DIMENSION = 1 };
enum { DIMENSION_VALUE = 1, DIMENSION_NAME = 2 };

static void add_attribute(protobuf_writer *node, const onnx_attribute *self) {
    protobuf_writer out = {.err = node->err};
    const bool single = self->texts == NULL && self->integers == NULL;
    protobuf_add_text(&out, ATTRIBUTE_NAME, self->name);
    for (size_t i = 0; self->texts != NULL && i < self->count; i++) {
        protobuf_add_text(&out, ATTRIBUTE_TEXTS, self->texts[i]);
    }
    for (size_t i = 0; self->integers != NULL && i < self->count; i++) {
        protobuf_add_number(&out, ATTRIBUTE_INTEGERS, self->integers[i]);
    }
    if (single) {
        protobuf_add_number(&out, ATTRIBUTE_INTEGER, self->integer);
    }
    protobuf_add_number(&out, ATTRIBUTE_TYPE,
                        single                ? ATTRIBUTE_IS_INTEGER
                        : self->texts != NULL ? ATTRIBUTE_IS_TEXTS
                                              : ATTRIBUTE_IS_INTEGERS);
    protobuf_add_inner(node, NODE_ATTRIBUTE, &out);
}

void onnx_follow(onnx_chain *self, const char *operation, const char *other, const char *output) {
    onnx_add_node(&self->graph, &(onnx_node){.operation = operation, .output = output, .inputs = {self->at, other}});
    self->at = output;
}

void onnx_add_node(protobuf_writer *graph, const onnx_node *node) {
    protobuf_writer out = {.err = graph->err};
    for (size_t i = 0; i < ONNX_INPUTS && node->inputs[i] != NULL; i++) {
        protobuf_add_text(&out, NODE_INPUT, node->inputs[i]);
    }
    for (size_t i = 0; i < node->many_count; i++) {
        protobuf_add_text(&out, NODE_INPUT, node->many[i]);
    }
    protobuf_add_text(&out, NODE_OUTPUT, node->output);
    protobuf_add_text(&out, NODE_NAME, node->output);
    protobuf_add_text(&out, NODE_OPERATION, node->operation);
    for (size_t i = 0; i < ONNX_ATTRIBUTES && node->attributes[i].name != NULL; i++) {
        add_attribute(&out, &node->attributes[i]);
    }
    if (node->domain != NULL) {
        protobuf_add_text(&out, NODE_DOMAIN, node->domain);
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

void onnx_add_box(protobuf_writer *graph, const char *name, const float *values, const size_t size[3]) {
    protobuf_writer out = {.err = graph->err};
    for (size_t i = 0; i < 3; i++) {
        protobuf_add_number(&out, TENSOR_DIMENSION, (int64_t)size[i]);
    }
    protobuf_add_number(&out, TENSOR_TYPE, ONNX_FLOAT);
    protobuf_add_text(&out, TENSOR_NAME, name);
    protobuf_add_floats(&out, TENSOR_BYTES, values, size[0] * size[1] * size[2]);
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

static void add_operator_set(protobuf_writer *out, const char *domain, int64_t version) {
    protobuf_writer operators = {.err = out->err};
    protobuf_add_text(&operators, OPERATOR_SET_DOMAIN, domain);
    protobuf_add_number(&operators, OPERATOR_SET_VERSION, version);
    protobuf_add_inner(out, MODEL_OPERATOR_SET, &operators);
}

void onnx_finish(protobuf_writer *out, protobuf_writer *graph, const char *name, bool learning) {
    protobuf_add_text(graph, FIELD_NAME, name);
    protobuf_add_number(out, MODEL_IR_VERSION, IR_VERSION);
    protobuf_add_text(out, MODEL_PRODUCER, "cnm");
    protobuf_add_inner(out, MODEL_GRAPH, graph);
    add_operator_set(out, "", OPERATOR_SET);
    if (learning) {
        add_operator_set(out, "ai.onnx.ml", LEARNING_OPERATOR_SET);
    }
}
