/* Writes the preprocessing of a model: fill, offset, scale, asinh. */
#include "model/export/onnx/onnx_columns.h"

#include <float.h>

#include "base/core/memory.h"

/* Replaces missing cells, which are NaN, in the type of X. */
static void add_fill(onnx_chain *self) {
    onnx_add_node(&self->graph, &(onnx_node){.operation = "IsNaN", .output = "missing", .inputs = {self->at}});
    onnx_add_node(&self->graph,
                  &(onnx_node){.operation = "Where", .output = "filled", .inputs = {"missing", "fill", self->at}});
    self->at = "filled";
}

/* Adds a constant of values (columns), NULL: zeros, less base (columns), unless that is NULL, as
 * floats. */
static void add_rounded(onnx_chain *self, const char *name, const double *values, const double *base, size_t columns) {
    float *rounded;
    if (!PROTOBUF_TRY(&self->graph, memory_take(&rounded, columns, sizeof *rounded, "a table", self->graph.err))) {
        return;
    }
    for (size_t j = 0; j < columns; j++) {
        rounded[j] = (float)((values == NULL ? 0.0 : values[j]) - (base == NULL ? 0.0 : base[j]));
    }
    onnx_add_floats(&self->graph, name, rounded, columns, 0);
    memory_free(rounded);
}

static void add_input(onnx_chain *self, const input_stage *input) {
    self->at = "X";
    onnx_add_input(&self->graph, "X", input->base != NULL ? ONNX_DOUBLE : ONNX_FLOAT, input->columns);
}

static void add_cast(onnx_chain *self) {
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Cast",
                                             .output = "rounded",
                                             .inputs = {self->at},
                                             .attributes = {{.name = "to", .integer = ONNX_FLOAT}}});
    self->at = "rounded";
}

/* Adds filling and centring in double, for a model with a base whose input is its rows. */
static void add_double_steps(onnx_chain *self, const input_stage *input) {
    if (input->fill != NULL) {
        onnx_add_doubles(&self->graph, "fill", input->fill, input->columns);
        add_fill(self);
    }
    if (input->offset != NULL) {
        onnx_add_doubles(&self->graph, "offset", input->offset, input->columns);
        onnx_follow(self, "Sub", "offset", "centred");
    }
    add_cast(self);
}

/* Adds filling and centring of floats from which `base` has been subtracted. */
static void add_float_steps(onnx_chain *self, const input_stage *input) {
    if (input->fill != NULL) {
        add_rounded(self, "fill", input->fill, input->base, input->columns);
        add_fill(self);
    }
    if (input->offset != NULL || input->base != NULL) {
        add_rounded(self, "offset", input->offset, input->base, input->columns);
        onnx_follow(self, "Sub", "offset", "centred");
    }
}

void onnx_add_columns(onnx_chain *self, const cnm_model *model) {
    const input_stage *input = &model->input;
    if (model->encoder != NULL) {
        onnx_add_typed_inputs(self, model);
        add_float_steps(self, input);
    } else {
        add_input(self, input);
        (input->base != NULL ? add_double_steps : add_float_steps)(self, input);
    }
    if (input->scale != NULL) {
        onnx_add_floats(&self->graph, "scale", input->scale, input->columns, 0);
        onnx_follow(self, "Mul", "scale", "scaled");
    }
    if (input->asinh) { /* infinity counts as the largest float: asinh_array */
        onnx_add_floats(&self->graph, "least", &(const float){-FLT_MAX}, 1, 0);
        onnx_add_floats(&self->graph, "largest", &(const float){FLT_MAX}, 1, 0);
        onnx_follow(self, "Max", "least", "above");
        onnx_follow(self, "Min", "largest", "within");
        onnx_follow(self, "Asinh", NULL, "bent");
    }
}
