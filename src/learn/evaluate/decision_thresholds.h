/* What --metric balanced and f1 add to the scores of a classifier whose training is over, so that the largest score decides for
 * what the metric asks. Not the training, which knows no metric, and not probabilities, which leave the shift out. */
#ifndef CNM_LEARN_EVALUATE_DECISION_THRESHOLDS_H
#define CNM_LEARN_EVALUATE_DECISION_THRESHOLDS_H

#include "learn/dataset/dataset.h"

/* --metric asks for one, and no --class-weight was given: who gives weights says by them how to decide. Not for balanced and a margin
 * loss, whose scores hardly tell how rare classes are ... */
bool shift_wanted(const problem *task);
/* ... there classes weigh alike in training, and the shift is what that has done to scores. */
bool shift_is_learned(const problem *task);
/* shift (outputs) in scores of such a training, of this temperature: for probabilities to leave out. */
cnm_status shift_learned(const problem *task, double temperature, double *shift, cnm_error *err);

/* shift (outputs): each class counts alike, whatever the weight of its rows. temperature: that of the scores (calibrate.h). */
void shift_balanced(const problem *task, double temperature, double *shift);

/* shift (outputs) that makes the mean F1 over classes best, as softmax(scores / temperature) of rows that were not trained on
 * expect it: scores (count, outputs), weights (count) may be NULL. */
cnm_status shift_f1(const float *scores, size_t count, size_t outputs, const float *weights, double temperature,
                    double *shift, cnm_error *err);

#endif
