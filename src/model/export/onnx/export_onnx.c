/* Writes a model as an ONNX graph of standard operators, in float.
 *
 *   columns → fill, offset, scale, asinh or knots
 *           → Gemm with theta and phase → Cos, Sigmoid or Relu, for each layer → Gemm with the head
 *           → scores
 *
 *   classes       label (N) and probabilities (N, classes), named and shaped as by scikit-learn's
 *                 exporters
 *   regression    variable (N, 1)
 *   a map alone   features (N, features)
 *
 * Columns are one input X (N, columns), or with an encoder an input each; floats, and doubles where
 * columns lie so far from zero that the model has a base. Circulant projections leave as the matrix
 * they stand for. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "model/export/export.h"
#include "model/export/onnx/onnx_columns.h"
#include "model/export/onnx/onnx_layers.h"
#include "model/probability.h"

/* ---- Predictions ---- */

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

/* Adds label (N) = labels[index]: whole numbers as such, other labels as texts. */
static cnm_status add_labels(onnx_chain *self, const class_set *classes, const char *index, cnm_error *err) {
    int64_t *numbers;
    TRY(memory_take(&numbers, classes->count, sizeof *numbers, "labels", err));
    const bool whole = whole_labels(classes, numbers);
    if (whole) {
        onnx_add_integers(&self->graph, "labels", numbers, classes->count);
    } else {
        onnx_add_texts(&self->graph, "labels", classes->labels, classes->count);
    }
    memory_free(numbers);
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Gather",
                                             .output = "label",
                                             .inputs = {"labels", index},
                                             .attributes = {{.name = "axis", .integer = 0}}});
    onnx_add_output(&self->graph, "label", whole ? ONNX_INT64 : ONNX_STRING, 0);
    return CNM_OK;
}

/* Adds the class of the largest score, or of one score's sign. */
static void add_index(onnx_chain *self, size_t outputs) {
    const float zero = 0.0F;
    const int64_t axis = 1;
    if (outputs > 1) {
        onnx_add_node(&self->graph,
                      &(onnx_node){.operation = "ArgMax",
                                   .output = "index",
                                   .inputs = {"scores"},
                                   .attributes = {{.name = "axis", .integer = 1}, {.name = "keepdims", .integer = 0}}});
        return;
    }
    onnx_add_floats(&self->graph, "zero", &zero, 1, 0);
    onnx_add_integers(&self->graph, "axes", &axis, 1);
    onnx_add_node(&self->graph,
                  &(onnx_node){.operation = "Greater", .output = "positive", .inputs = {"scores", "zero"}});
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Cast",
                                             .output = "column",
                                             .inputs = {"positive"},
                                             .attributes = {{.name = "to", .integer = ONNX_INT64}}});
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Squeeze", .output = "index", .inputs = {"column", "axes"}});
}

/* Adds the probabilities of model/probability.c: softmax; of the logarithms of sigmoids for one
 * against the rest; a sigmoid for two classes. */
static void add_probabilities(onnx_chain *self, const probability_rule *rule) {
    const float factor = (float)(1.0 / rule->temperature);
    self->at = "scores";
    if (rule->decision_offset != NULL) {
        onnx_add_floats(&self->graph, "decision_offset", rule->decision_offset, rule->outputs, 0);
        onnx_follow(self, "Sub", "decision_offset", "log_odds");
    }
    if (rule->temperature != 1.0 && !rule->one_vs_rest) {
        onnx_add_floats(&self->graph, "inverse_temperature", &factor, 1, 0);
        onnx_follow(self, "Mul", "inverse_temperature", "tempered");
    }
    if (rule->outputs == 1) {
        const char *score = self->at;
        onnx_follow(self, "Neg", NULL, "opposite");
        onnx_add_node(&self->graph, &(onnx_node){.operation = "Concat",
                                                 .output = "both",
                                                 .inputs = {"opposite", score},
                                                 .attributes = {{.name = "axis", .integer = 1}}});
        self->at = "both";
        onnx_follow(self, "Sigmoid", NULL, "probabilities");
        return;
    }
    if (rule->one_vs_rest) {
        onnx_follow(self, "Neg", NULL, "opposite");
        onnx_follow(self, "Softplus", NULL, "softplus");
        onnx_follow(self, "Neg", NULL, "logarithms");
    }
    onnx_add_node(&self->graph, &(onnx_node){.operation = "Softmax",
                                             .output = "probabilities",
                                             .inputs = {self->at},
                                             .attributes = {{.name = "axis", .integer = 1}}});
}

static cnm_status add_classes(onnx_chain *self, const cnm_model *model, cnm_error *err) {
    probability_rule rule;
    TRY(probability_rule_create(&rule, model, err));
    add_index(self, model->outputs);
    TRY(add_labels(self, &model->classes, "index", err));
    add_probabilities(self, &rule);
    onnx_add_output(&self->graph, "probabilities", ONNX_FLOAT, model->classes.count);
    return CNM_OK;
}

static cnm_status add_predictions(onnx_chain *self, const cnm_model *model, cnm_error *err) {
    const map *own = model->map;
    if (model->outputs == 0) {
        onnx_add_floats(&self->graph, "unit", &own->scale, 1, 0);
        onnx_follow(self, "Mul", "unit", "features");
        onnx_add_output(&self->graph, "features", ONNX_FLOAT, own->features);
        return CNM_OK;
    }
    const char *scores = model->task == TASK_REGRESS ? "variable" : "scores";
    onnx_add_floats(&self->graph, "head", model->weights, own->features, model->outputs);
    onnx_add_floats(&self->graph, "bias", model->bias, model->outputs, 0);
    onnx_add_node(&self->graph,
                  &(onnx_node){.operation = "Gemm", .output = scores, .inputs = {self->at, "head", "bias"}});
    if (model->task == TASK_REGRESS) {
        onnx_add_output(&self->graph, scores, ONNX_FLOAT, model->outputs);
        return CNM_OK;
    }
    return add_classes(self, model, err);
}

cnm_status export_onnx(text_buffer *out, const cnm_model *model, cnm_error *err) {
    onnx_chain self = {.graph = {.err = err}};
    protobuf_writer file = {.err = err};
    onnx_layer_names names[MAP_LAYERS];
    *out = (text_buffer){0};
    cnm_status status = CNM_OK;
    cnm_model filled;
    double *fill = NULL;
    TRY_DONE(export_fill(&filled, &fill, model, err));
    onnx_add_columns(&self, &filled);
    TRY_DONE(onnx_add_map(&self, model->map, names, err));
    TRY_DONE(add_predictions(&self, model, err));
    onnx_finish(&file, &self.graph, "cnm", model->encoder != NULL);
    TRY_DONE(file.status);
    memory_free(fill);
    *out = file.bytes;
    return CNM_OK;
done:
    memory_free(fill);
    protobuf_free(&self.graph);
    protobuf_free(&file);
    return status;
}
