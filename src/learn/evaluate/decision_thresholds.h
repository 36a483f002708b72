/* Decision offsets for --metric balanced and f1: what is added to the scores of a trained
 * classifier so that the largest score decides for what the metric measures (a decision threshold,
 * for two classes). Neither training nor probabilities use the offsets. */
#ifndef CNM_LEARN_EVALUATE_DECISION_THRESHOLDS_H
#define CNM_LEARN_EVALUATE_DECISION_THRESHOLDS_H

#include "learn/dataset/dataset.h"

/* Returns whether decision offsets are fitted after training: --metric asks for them, and there is
 * no --class-weight, which states how to decide. Not for balanced with a margin loss, whose scores
 * depend little on how frequent classes are. */
bool thresholds_wanted(const dataset *data);
/* Returns whether training with balanced class weights has put the offsets into the scores: for
 * balanced with a margin loss. */
bool thresholds_are_learned(const dataset *data);
/* Fills offsets (outputs) with those in the scores of such a training, for probabilities to leave
 * out. temperature: that of the scores (calibrate.h). */
cnm_status thresholds_learned(const dataset *data, double temperature, double *offsets, cnm_error *err);

/* Fills offsets (outputs) that give all classes the same total weight. */
void thresholds_balanced(const dataset *data, double temperature, double *offsets);

/* Fills offsets (outputs) that maximise the mean F1 over classes, as expected by softmax(scores /
 * temperature) of held-out rows: scores (count, outputs), weights (count) may be NULL. */
cnm_status thresholds_f1(const float *scores, size_t count, size_t outputs, const float *weights, double temperature,
                         double *offsets, cnm_error *err);

#endif
