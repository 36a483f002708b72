/* Writes what an exported program makes of its scores: a value, or a class with its label and the
 * probabilities of all classes. */
#include <string.h>

#include "model/export/c/export_c.h"
#include "model/probability.h"

static const char VALUE[] = "\nfloat @_value(const float *x) {\n"
                            "    float score;\n"
                            "    @_scores(x, &score);\n"
                            "    return score;\n"
                            "}\n";

/* ---- Classes: model_decide ---- */

static const char PREDICT_TWO[] = "\nint @_predict(const float *x) {\n"
                                  "    float score;\n"
                                  "    @_scores(x, &score);\n"
                                  "    return score > 0.0f;\n"
                                  "}\n";

static const char PREDICT_MANY[] = "\nint @_predict(const float *x) {\n"
                                   "    float scores[OUTPUTS];\n"
                                   "    int best = 0;\n"
                                   "    @_scores(x, scores);\n"
                                   "    for (int i = 1; i < OUTPUTS; i++) {\n"
                                   "        best = scores[i] > scores[best] ? i : best;\n"
                                   "    }\n"
                                   "    return best;\n"
                                   "}\n";

static void emit_labels(c_writer *out, const class_set *classes) {
    emit(out, "\nconst char *const @_labels[$_CLASSES] = {\n");
    for (size_t i = 0; i < classes->count; i++) {
        emit(out, "    ");
        emit_quoted(out, classes->labels[i]);
        emit(out, ",\n");
        out->flash += 4 + strlen(classes->labels[i]) + 1;
    }
    emit(out, "};\n");
}

/* ---- Probabilities: model/probability.c in float ---- */

static void emit_two(c_writer *out, const probability_rule *rule) {
    emit(out, "    float score;\n"
              "    @_scores(x, &score);\n");
    if (rule->decision_offset != NULL) {
        emit(out, "    score -= ");
        emit_float(out, rule->decision_offset[0]);
        emit(out, ";\n");
    }
    if (rule->temperature != 1.0) {
        emit(out, "    score *= ");
        emit_float(out, (float)(1.0 / rule->temperature));
        emit(out, ";\n");
    }
    emit(out, "    probabilities[0] = sigmoid(-score);\n"
              "    probabilities[1] = sigmoid(score);\n");
    out->pieces |= PIECE_SIGMOID;
}

/* Writes the weight of a class relative to the class with the largest score. One against the rest:
 * sigmoids; where all scores are below 0, without their common factor. */
static void emit_weight(c_writer *out, const probability_rule *rule) {
    if (rule->one_vs_rest) {
        emit(out, "largest < 0.0f ? decay(score - largest) / (1.0f + decay(score)) : sigmoid(score)");
        out->pieces |= PIECE_SIGMOID;
        return;
    }
    emit(out, "decay(");
    out->pieces |= PIECE_DECAY;
    if (rule->temperature == 1.0) {
        emit(out, "score - largest)");
        return;
    }
    emit(out, "(score - largest) * ");
    emit_float(out, (float)(1.0 / rule->temperature));
    emit(out, ")");
}

static void emit_many(c_writer *out, const probability_rule *rule) {
    emit(out, "    float largest, sum = 0.0f;\n"
              "    @_scores(x, probabilities);\n");
    if (rule->decision_offset != NULL) {
        emit(out, "    for (size_t i = 0; i < OUTPUTS; i++) {\n"
                  "        probabilities[i] -= decision_offset[i];\n"
                  "    }\n");
    }
    emit(out, "    largest = probabilities[0];\n"
              "    for (size_t i = 1; i < OUTPUTS; i++) {\n"
              "        largest = probabilities[i] > largest ? probabilities[i] : largest;\n"
              "    }\n"
              "    for (size_t i = 0; i < OUTPUTS; i++) {\n"
              "        const float score = probabilities[i];\n"
              "        probabilities[i] = ");
    emit_weight(out, rule);
    emit(out, ";\n"
              "        sum += probabilities[i];\n"
              "    }\n"
              "    for (size_t i = 0; i < OUTPUTS; i++) {\n"
              "        probabilities[i] /= sum;\n"
              "    }\n");
}

static void emit_probabilities(c_writer *out, const cnm_model *model) {
    probability_rule rule;
    if (!EMIT_TRY(out, probability_rule_create(&rule, model, out->err))) {
        return;
    }
    if (rule.outputs > 1 && rule.decision_offset != NULL) {
        emit_floats(out, "decision_offset", rule.decision_offset, rule.outputs);
    }
    emit(out, "\nvoid @_probabilities(const float *x, float *probabilities) {\n");
    if (rule.outputs == 1) {
        emit_two(out, &rule);
    } else {
        emit_many(out, &rule);
    }
    emit(out, "}\n");
}

void emit_predictions(c_writer *out, const cnm_model *model) {
    if (model->task == TASK_REGRESS) {
        emit(out, VALUE);
        return;
    }
    emit(out, model->outputs == 1 ? PREDICT_TWO : PREDICT_MANY);
    emit_probabilities(out, model);
    emit_labels(out, &model->classes);
}
