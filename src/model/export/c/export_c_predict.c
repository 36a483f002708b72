/* What an exported program makes of its scores: a number, or a class with its label and the probabilities of all. */
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

static void emit_labels(emitter *out, const class_set *classes) {
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

static void emit_two(emitter *out, const probability_rule *rule) {
    emit(out, "    float score;\n"
              "    @_scores(x, &score);\n");
    if (rule->shift != NULL) {
        emit(out, "    score -= ");
        emit_float(out, rule->shift[0]);
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

/* What a class counts beside the one with the largest score. Of one against all: sigmoids; where all scores are below 0, without
 * what they have in common. */
static void emit_weight(emitter *out, const probability_rule *rule) {
    if (rule->separate) {
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

static void emit_many(emitter *out, const probability_rule *rule) {
    emit(out, "    float largest, sum = 0.0f;\n"
              "    @_scores(x, probabilities);\n");
    if (rule->shift != NULL) {
        emit(out, "    for (size_t i = 0; i < OUTPUTS; i++) {\n"
                  "        probabilities[i] -= shift[i];\n"
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

static void emit_probabilities(emitter *out, const cnm_model *model) {
    probability_rule rule;
    if (out->status == CNM_OK) {
        out->status = probability_rule_create(&rule, model, out->err);
    }
    if (out->status != CNM_OK) {
        return;
    }
    if (rule.outputs > 1 && rule.shift != NULL) {
        emit_floats(out, "shift", rule.shift, rule.outputs);
    }
    emit(out, "\nvoid @_probabilities(const float *x, float *probabilities) {\n");
    if (rule.outputs == 1) {
        emit_two(out, &rule);
    } else {
        emit_many(out, &rule);
    }
    emit(out, "}\n");
}

void emit_answers(emitter *out, const cnm_model *model) {
    if (model->task == TASK_REGRESS) {
        emit(out, VALUE);
        return;
    }
    emit(out, model->outputs == 1 ? PREDICT_TWO : PREDICT_MANY);
    emit_probabilities(out, model);
    emit_labels(out, &model->classes);
}
