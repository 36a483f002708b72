/* From scores to probabilities of the classes. Inside the model room and above. */
#ifndef CNM_MODEL_PROBABILITY_H
#define CNM_MODEL_PROBABILITY_H

#include "model/model.h"

/* The record's entry that holds the temperature of a model with a margin loss. */
#define RECORD_TEMPERATURE "temperature"

/* How a model's scores become probabilities. */
typedef struct probability_rule {
    size_t outputs, classes;
    double temperature; /* scores are divided by it */
    bool separate;      /* one against all: each score has a sigmoid of its own */
    const float *shift; /* (outputs), the model's: subtracted from scores first; or NULL */
} probability_rule;

/* What the model's record says: CNM_BAD_ARGUMENT for a model without classes, CNM_BAD_FORMAT for a temperature that is none. */
cnm_status probability_rule_create(probability_rule *out, const cnm_model *model, cnm_error *err);

/* probabilities (classes) of one row of scores (outputs). They add up to 1. Their order is that of the scores,
 * but for a model with a shift. */
void probability_row(const probability_rule *rule, const float *scores, double *probabilities);

#endif
