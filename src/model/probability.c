/* Probabilities of classes from scores s, by the loss that the model was trained with:
 *
 *   softmax                        p_j = exp(s_j) / sum over i of exp(s_i)
 *   logistic, one against the rest p_j = f(s_j) / sum over i of f(s_i),   f(s) = 1 / (1 + exp(-s))
 *   margins: hinge and its kin     p = softmax(s / T), T fitted on held-out rows
 *
 * Two classes have one score, against 0: all three are f(s / T). A model without a T has T = 1.
 * Because T is one number for all classes, the most probable class is the one with the largest
 * score. Unless the model has a decision offset: that part of the scores says which mistakes matter
 * more, not which class is likely, and is subtracted first. */
#include "model/probability.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "math/elementary/elementary.h"

static const char *const NAMES[] = {NULL, "softmax", "one-vs-rest"};

const char *probability_name(probability_kind kind) { return NAMES[kind]; }

/* Finds the kind that the model's record names. */
static cnm_status probability_find(const cnm_model *model, probability_kind *out, cnm_error *err) {
    const char *name = record_get(&model->record, RECORD_PROBABILITY);
    *out = PROBABILITY_SOFTMAX;
    if (name == NULL) {
        return CNM_OK;
    }
    for (size_t i = PROBABILITY_SOFTMAX; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            *out = (probability_kind)i;
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_FORMAT, "the model's kind of probabilities \"%.40s\" is unknown", name);
}

cnm_status probability_rule_create(probability_rule *out, const cnm_model *model, cnm_error *err) {
    const char *text = record_get(&model->record, RECORD_TEMPERATURE);
    probability_kind kind;
    *out = (probability_rule){model->outputs, model->classes.count, 1.0, false, model->decision_offset};
    if (model->task != TASK_CLASSIFY) {
        return error_set(err, CNM_BAD_ARGUMENT, "this model does not tell classes apart: it has no probabilities");
    }
    TRY(probability_find(model, &kind, err));
    out->one_vs_rest = kind == PROBABILITY_ONE_VS_REST && model->outputs > 1;
    if (text != NULL && (!text_is_double(text, text + strlen(text), &out->temperature) || !(out->temperature > 0.0) ||
                         !isfinite(out->temperature))) {
        return error_set(err, CNM_BAD_FORMAT, "the model's temperature \"%.40s\" is not a number above 0", text);
    }
    return CNM_OK;
}

/* Returns log(1 / (1 + exp(-s))), without overflow. */
static double log_sigmoid(double s) {
    return s >= 0.0 ? -elementary_log(1.0 + elementary_exp(-s)) : s - elementary_log(1.0 + elementary_exp(s));
}

/* Returns the logarithm of class j's share, but for what all classes have in common. */
static double exponent(const probability_rule *rule, const float *scores, size_t j) {
    if (rule->outputs == 1 && j == 0) {
        return 0.0;
    }
    const size_t at = rule->outputs == 1 ? 0 : j;
    const double score = (double)scores[at] - (rule->decision_offset == NULL ? 0.0 : (double)rule->decision_offset[at]);
    return rule->one_vs_rest ? log_sigmoid(score) : score / rule->temperature;
}

void probability_row(const probability_rule *rule, const float *scores, double *probabilities) {
    double largest = -INFINITY, sum = 0.0;
    for (size_t j = 0; j < rule->classes; j++) {
        probabilities[j] = exponent(rule, scores, j);
        largest = fmax(largest, probabilities[j]);
    }
    for (size_t j = 0; j < rule->classes; j++) {
        probabilities[j] = elementary_exp(probabilities[j] - largest);
        sum += probabilities[j];
    }
    for (size_t j = 0; j < rule->classes; j++) {
        probabilities[j] /= sum;
    }
}
