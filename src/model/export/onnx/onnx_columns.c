/* Writes the preprocessing of a model: fill, offset, scale, asinh or knots. */
#include "model/export/onnx/onnx_columns.h"

#include <float.h>

#include "base/core/memory.h"
#include "base/core/try.h"

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

/* Lines between knots, (columns, width) each: t = (x - at) / apart, from 0 to 1, times rise. A
 * column with fewer of them has some that rise by 0. */
typedef struct knot_parts {
    size_t width;
    float *at, *apart, *rise; /* (columns, width) */
    float *first;             /* (columns): values at the first knots */
} knot_parts;

static cnm_status make_parts(knot_parts *out, const knot_table *knots, cnm_error *err) {
    const size_t d = knots->columns;
    size_t cells;
    *out = (knot_parts){.width = 1};
    for (size_t j = 0; j < d; j++) {
        const size_t parts = knots->starts[j + 1] - knots->starts[j] - 1;
        out->width = parts > out->width ? parts : out->width;
    }
    if (!size_multiply(d, out->width, &cells)) {
        cells = SIZE_MAX;
    }
    const memory_want wants[] = {{&out->at, cells, sizeof *out->at, "knots"},
                                 {&out->apart, cells, sizeof *out->apart, "knots"},
                                 {&out->rise, cells, sizeof *out->rise, "knots"},
                                 {&out->first, d, sizeof *out->first, "knots"}};
    TRY(memory_take_all(err, wants, 4));
    for (size_t j = 0; j < d; j++) {
        const size_t start = knots->starts[j], parts = knots->starts[j + 1] - start - 1;
        out->first[j] = knots->value[start];
        for (size_t i = 0; i < out->width; i++) {
            const float *at = knots->at + start + i, *value = knots->value + start + i;
            const size_t to = j * out->width + i;
            out->at[to] = i < parts ? at[0] : 0.0F;
            out->apart[to] = i < parts ? at[1] - at[0] : 1.0F;
            out->rise[to] = i < parts ? value[1] - value[0] : 0.0F;
        }
    }
    return CNM_OK;
}

/* Adds the functions through knots, each as the sum of what its lines rise up to t: nothing cancels
 * in that, and cells beyond the knots come out at their ends. */
static void add_knots(onnx_chain *self, const knot_table *knots) {
    knot_parts parts;
    const int64_t axis = 2;
    if (!PROTOBUF_TRY(&self->graph, make_parts(&parts, knots, self->graph.err))) {
        return;
    }
    onnx_add_floats(&self->graph, "knot_at", parts.at, knots->columns, parts.width);
    onnx_add_floats(&self->graph, "knot_apart", parts.apart, knots->columns, parts.width);
    onnx_add_floats(&self->graph, "knot_rise", parts.rise, knots->columns, parts.width);
    onnx_add_floats(&self->graph, "knot_first", parts.first, knots->columns, 0);
    onnx_add_floats(&self->graph, "part_none", &(const float){0.0F}, 1, 0);
    onnx_add_floats(&self->graph, "part_all", &(const float){1.0F}, 1, 0);
    onnx_add_integers(&self->graph, "knot_axis", &axis, 1);
    onnx_follow(self, "Unsqueeze", "knot_axis", "knot_column");
    onnx_follow(self, "Sub", "knot_at", "knot_beyond");
    onnx_follow(self, "Div", "knot_apart", "knot_share");
    onnx_follow(self, "Max", "part_none", "knot_begun");
    onnx_follow(self, "Min", "part_all", "knot_part");
    onnx_follow(self, "Mul", "knot_rise", "knot_risen");
    onnx_add_node(&self->graph, &(onnx_node){.operation = "ReduceSum",
                                             .output = "knot_sum",
                                             .inputs = {self->at, "knot_axis"},
                                             .attributes = {{.name = "keepdims", .integer = 0}}});
    self->at = "knot_sum";
    onnx_follow(self, "Add", "knot_first", "scored");
    memory_free(parts.at);
    memory_free(parts.apart);
    memory_free(parts.rise);
    memory_free(parts.first);
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
    if (input->knots != NULL) {
        add_knots(self, input->knots);
    }
}
