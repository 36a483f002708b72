/* From scores to probabilities of the classes. For the model module and those above it. */
#ifndef CNM_MODEL_PROBABILITY_H
#define CNM_MODEL_PROBABILITY_H

#include "model/model.h"

/* How scores become probabilities of classes; probability.c has the formulas. */
typedef enum probability_kind { PROBABILITY_NONE, PROBABILITY_SOFTMAX, PROBABILITY_ONE_VS_REST } probability_kind;

/* Returns the word of a kind in a model's record; NULL for PROBABILITY_NONE. */
const char *probability_name(probability_kind kind);

/* The record's entry with the word of a probability_kind; a model without the entry has softmax. */
#define RECORD_PROBABILITY "probability"
/* The record's entry that holds the temperature of a model with a margin loss. */
#define RECORD_TEMPERATURE "temperature"

/* How a model's scores become probabilities. */
typedef struct probability_rule {
    size_t outputs, classes;
    double temperature;           /* scores are divided by it */
    bool one_vs_rest;             /* each score has a sigmoid of its own */
    const float *decision_offset; /* (outputs), of the model: subtracted first; or NULL */
} probability_rule;

/* Fills the rule that the model's record describes. Fails with CNM_BAD_ARGUMENT for a model without
 * classes, with CNM_BAD_FORMAT for a temperature that is none. */
cnm_status probability_rule_create(probability_rule *out, const cnm_model *model, cnm_error *err);

/* Fills probabilities (classes) of one row of scores (outputs). They add up to 1. Their order is
 * that of the scores, but for a model with a decision offset. */
void probability_row(const probability_rule *rule, const float *scores, double *probabilities);

#endif
