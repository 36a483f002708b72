/* The cross-entropy of scores with probabilities that are wanted, for losses that learn from another model. */
#ifndef CNM_LEARN_DISTILL_SOFT_LABELS_H
#define CNM_LEARN_DISTILL_SOFT_LABELS_H

#include <stddef.h>

/* weight * CE(wanted, softmax(scores / temperature)) of one row, whose wanted (outputs) sums to 1; its derivatives are added to slope (outputs). */
double entropy_row(const float *scores, const float *wanted, size_t outputs, double temperature, double weight,
                   float *slope);

/* values (outputs) become softmax(values), or its logarithm. */
void entropy_probabilities(float *values, size_t outputs);
void entropy_logarithms(float *values, size_t outputs);

#endif
