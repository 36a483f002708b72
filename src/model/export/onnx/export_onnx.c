/* A model as an ONNX graph of standard operators, in float: what onnxruntime runs everywhere.
 *
 *   X (N, columns) → fill, shift, scale, asinh → Gemm with theta and phase → Cos, Sigmoid or Relu → Gemm with the head → scores
 *   classes: label (N) and probabilities (N, classes), as scikit-learn's exporters name and shape them; numbers: variable (N, 1);
 *   a map alone: features (N, features)
 *
 * X is float; double where columns lie so far from zero that the model has a base. Circulant projections leave as the matrix they
 * stand for. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "model/export/export.h"
#include "model/export/onnx/onnx_graph.h"
#include "model/probability.h"

static const double BYTES_MOST = 2e9; /* of a file of this kind: its readers count in 32 bits */

/* The graph, and the name of what the latest node gave. */
typedef struct chain {
    message graph;
    const char *at;
} chain;

/* One more node behind the latest, with one more input unless other is NULL. */
static void follow(chain *self, const char *operation, const char *other, const char *output) {
    graph_add_node(&self->graph, &(graph_node){.operation = operation, .output = output, .inputs = {self->at, other}});
    self->at = output;
}

/* ---- Columns ---- */

/* Missing cells: NaN. In the type of X. */
static void add_fill(chain *self, const input_stage *input) {
    if (input->fill == NULL) {
        return;
    }
    graph_add_node(&self->graph, &(graph_node){.operation = "IsNaN", .output = "missing", .inputs = {self->at}});
    graph_add_node(&self->graph,
                   &(graph_node){.operation = "Where", .output = "filled", .inputs = {"missing", "fill", self->at}});
    self->at = "filled";
}

/* fill and offset as floats, or as the doubles they are where X has them. */
static void add_column_constant(chain *self, const char *name, const double *values, const input_stage *input) {
    float *rounded;
    if (values == NULL || self->graph.status != CNM_OK) {
        return;
    }
    if (input->base != NULL) {
        graph_add_doubles(&self->graph, name, values, input->columns);
        return;
    }
    self->graph.status = memory_take(&rounded, input->columns, sizeof *rounded, "a table", self->graph.err);
    if (self->graph.status == CNM_OK) {
        for (size_t j = 0; j < input->columns; j++) {
            rounded[j] = (float)values[j];
        }
        graph_add_floats(&self->graph, name, rounded, input->columns, 0);
        memory_free(rounded);
    }
}

static void add_columns(chain *self, const input_stage *input) {
    self->at = "X";
    graph_add_input(&self->graph, "X", input->base != NULL ? GRAPH_DOUBLE : GRAPH_FLOAT, input->columns);
    add_column_constant(self, "fill", input->fill, input);
    add_fill(self, input);
    add_column_constant(self, "offset", input->offset, input);
    if (input->offset != NULL) {
        follow(self, "Sub", "offset", "shifted");
    }
    if (input->base != NULL) {
        graph_add_node(&self->graph, &(graph_node){.operation = "Cast",
                                                   .output = "rounded",
                                                   .inputs = {self->at},
                                                   .attributes = {{"to", GRAPH_FLOAT}}});
        self->at = "rounded";
    }
    if (input->scale != NULL) {
        graph_add_floats(&self->graph, "scale", input->scale, input->columns, 0);
        follow(self, "Mul", "scale", "scaled");
    }
    if (input->asinh) { /* infinity counts as the largest float: asinh_array */
        graph_add_floats(&self->graph, "least", &(const float){-FLT_MAX}, 1, 0);
        graph_add_floats(&self->graph, "largest", &(const float){FLT_MAX}, 1, 0);
        follow(self, "Max", "least", "above");
        follow(self, "Min", "largest", "within");
        follow(self, "Asinh", NULL, "bent");
    }
}

/* ---- Features ---- */

/* activation's name and operator; NULL: none is needed. */
static const char *const ACTIVATIONS[][2] = {
    {"cos", "Cos"}, {"sigmoid", "Sigmoid"}, {"relu", "Relu"}, {"identity", NULL}};

static cnm_status find_activation(const char *name, const char **operation, cnm_error *err) {
    for (size_t i = 0; i < sizeof ACTIVATIONS / sizeof ACTIVATIONS[0]; i++) {
        if (strcmp(ACTIVATIONS[i][0], name) == 0) {
            *operation = ACTIVATIONS[i][1];
            return CNM_OK;
        }
    }
    return error_set(err, CNM_UNSUPPORTED, "a model with the activation %s cannot be exported as ONNX", name);
}

static cnm_status add_theta(chain *self, const map *own, cnm_error *err) {
    float *theta;
    size_t cells;
    if (!size_multiply(own->columns, own->features, &cells) || (double)cells * sizeof(float) > BYTES_MOST) {
        return error_set(err, CNM_UNSUPPORTED,
                         "as ONNX the map would be a matrix of %zu times %zu numbers, over the limit of 2 GB: export C",
                         own->columns, own->features);
    }
    cnm_status status = memory_take(&theta, cells, sizeof *theta, "a matrix", err);
    if (status == CNM_OK) {
        status = own->projection->to_dense(own, theta, err);
        graph_add_floats(&self->graph, "theta", theta, own->columns, own->features);
        memory_free(theta);
    }
    return status;
}

static cnm_status add_features(chain *self, const map *own, cnm_error *err) {
    const char *operation = NULL;
    cnm_status status = find_activation(own->activation->name, &operation, err);
    if (status == CNM_OK && own->tensor_count > 0) { /* without tensors columns pass through */
        status = add_theta(self, own, err);
        graph_add_node(&self->graph, &(graph_node){.operation = "Gemm",
                                                   .output = "projected",
                                                   .inputs = {self->at, "theta", own->phase != NULL ? "phase" : NULL}});
        self->at = "projected";
        if (own->phase != NULL) {
            graph_add_floats(&self->graph, "phase", own->phase, own->features, 0);
        }
    } else if (status == CNM_OK && own->phase != NULL) {
        graph_add_floats(&self->graph, "phase", own->phase, own->features, 0);
        follow(self, "Add", "phase", "projected");
    }
    if (status == CNM_OK && operation != NULL) {
        follow(self, operation, NULL, "activated");
    }
    return status;
}

/* ---- Answers ---- */

static bool whole_labels(const class_set *classes, int64_t *out) {
    for (size_t i = 0; i < classes->count; i++) {
        const char *text = classes->labels[i];
        double value;
        if (!classes->numeric || !text_is_double(text, text + strlen(text), &value) || value != floor(value) ||
            fabs(value) > 9e15) {
            return false;
        }
        out[i] = (int64_t)value;
    }
    return true;
}

/* label (N) = labels[index]: whole numbers as such, other labels as texts. */
static cnm_status add_labels(chain *self, const class_set *classes, const char *index, cnm_error *err) {
    int64_t *numbers;
    const cnm_status status = memory_take(&numbers, classes->count, sizeof *numbers, "labels", err);
    if (status != CNM_OK) {
        return status;
    }
    const bool whole = whole_labels(classes, numbers);
    if (whole) {
        graph_add_integers(&self->graph, "labels", numbers, classes->count);
    } else {
        graph_add_texts(&self->graph, "labels", classes->labels, classes->count);
    }
    memory_free(numbers);
    graph_add_node(&self->graph, &(graph_node){.operation = "Gather",
                                               .output = "label",
                                               .inputs = {"labels", index},
                                               .attributes = {{"axis", 0}}});
    graph_add_output(&self->graph, "label", whole ? GRAPH_INT64 : GRAPH_STRING, 0);
    return CNM_OK;
}

/* The class of the largest score, or of one score's sign. */
static void add_index(chain *self, size_t outputs) {
    const float zero = 0.0F;
    const int64_t axis = 1;
    if (outputs > 1) {
        graph_add_node(&self->graph, &(graph_node){.operation = "ArgMax",
                                                   .output = "index",
                                                   .inputs = {"scores"},
                                                   .attributes = {{"axis", 1}, {"keepdims", 0}}});
        return;
    }
    graph_add_floats(&self->graph, "zero", &zero, 1, 0);
    graph_add_integers(&self->graph, "axes", &axis, 1);
    graph_add_node(&self->graph,
                   &(graph_node){.operation = "Greater", .output = "positive", .inputs = {"scores", "zero"}});
    graph_add_node(&self->graph, &(graph_node){.operation = "Cast",
                                               .output = "column",
                                               .inputs = {"positive"},
                                               .attributes = {{"to", GRAPH_INT64}}});
    graph_add_node(&self->graph,
                   &(graph_node){.operation = "Squeeze", .output = "index", .inputs = {"column", "axes"}});
}

/* model/probability.c: softmax; of the logarithms of sigmoids where each class has its own; two classes are a sigmoid. */
static void add_probabilities(chain *self, const probability_rule *rule) {
    const float sharpness = (float)(1.0 / rule->temperature);
    self->at = "scores";
    if (rule->shift != NULL) {
        graph_add_floats(&self->graph, "shift", rule->shift, rule->outputs, 0);
        follow(self, "Sub", "shift", "unshifted");
    }
    if (rule->temperature != 1.0 && !rule->separate) {
        graph_add_floats(&self->graph, "sharpness", &sharpness, 1, 0);
        follow(self, "Mul", "sharpness", "sharpened");
    }
    if (rule->outputs == 1) {
        const char *score = self->at;
        follow(self, "Neg", NULL, "opposite");
        graph_add_node(&self->graph, &(graph_node){.operation = "Concat",
                                                   .output = "both",
                                                   .inputs = {"opposite", score},
                                                   .attributes = {{"axis", 1}}});
        self->at = "both";
        follow(self, "Sigmoid", NULL, "probabilities");
        return;
    }
    if (rule->separate) {
        follow(self, "Neg", NULL, "opposite");
        follow(self, "Softplus", NULL, "softplus");
        follow(self, "Neg", NULL, "logarithms");
    }
    graph_add_node(&self->graph, &(graph_node){.operation = "Softmax",
                                               .output = "probabilities",
                                               .inputs = {self->at},
                                               .attributes = {{"axis", 1}}});
}

static cnm_status add_classes(chain *self, const cnm_model *model, cnm_error *err) {
    probability_rule rule;
    cnm_status status = probability_rule_create(&rule, model, err);
    if (status == CNM_OK) {
        add_index(self, model->outputs);
        status = add_labels(self, &model->classes, "index", err);
    }
    if (status == CNM_OK) {
        add_probabilities(self, &rule);
        graph_add_output(&self->graph, "probabilities", GRAPH_FLOAT, model->classes.count);
    }
    return status;
}

static cnm_status add_answers(chain *self, const cnm_model *model, cnm_error *err) {
    const map *own = model->map;
    if (model->outputs == 0) {
        graph_add_floats(&self->graph, "unit", &own->scale, 1, 0);
        follow(self, "Mul", "unit", "features");
        graph_add_output(&self->graph, "features", GRAPH_FLOAT, own->features);
        return CNM_OK;
    }
    const char *scores = model->task == TASK_REGRESS ? "variable" : "scores";
    graph_add_floats(&self->graph, "head", model->weights, own->features, model->outputs);
    graph_add_floats(&self->graph, "bias", model->bias, model->outputs, 0);
    graph_add_node(&self->graph,
                   &(graph_node){.operation = "Gemm", .output = scores, .inputs = {self->at, "head", "bias"}});
    if (model->task == TASK_REGRESS) {
        graph_add_output(&self->graph, scores, GRAPH_FLOAT, model->outputs);
        return CNM_OK;
    }
    return add_classes(self, model, err);
}

cnm_status export_onnx(text_buffer *out, const cnm_model *model, cnm_error *err) {
    chain self = {.graph = {.err = err}};
    message file = {.err = err};
    *out = (text_buffer){0};
    add_columns(&self, &model->input);
    cnm_status status = add_features(&self, model->map, err);
    if (status == CNM_OK) {
        status = add_answers(&self, model, err);
    }
    if (status != CNM_OK) {
        message_free(&self.graph);
        return status;
    }
    graph_finish(&file, &self.graph, "cnm");
    if (file.status != CNM_OK) {
        message_free(&file);
        return file.status;
    }
    *out = file.bytes;
    return CNM_OK;
}
