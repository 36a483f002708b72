/* Softmax, and the cross-entropy of scores with the soft labels of another model. */
#ifndef CNM_LEARN_DISTILL_SOFT_LABELS_H
#define CNM_LEARN_DISTILL_SOFT_LABELS_H

#include <stddef.h>

/* Returns weight * CE(wanted, softmax(scores / temperature)) of one row, and adds its derivatives
 * to slope (outputs). wanted (outputs) are probabilities that sum to 1. */
double soft_cross_entropy(const float *scores, const float *wanted, size_t outputs, double temperature, double weight,
                          float *slope);

/* Replace values (outputs) by softmax(values), or by its logarithm. */
void softmax(float *values, size_t outputs);
void log_softmax(float *values, size_t outputs);

#endif
