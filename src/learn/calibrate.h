/* The temperature that makes probabilities of a margin loss's scores, and what a metric adds to the scores of any loss. */
#ifndef CNM_LEARN_CALIBRATE_H
#define CNM_LEARN_CALIBRATE_H

#include "learn/training.h"

/* Sets self->temperature where the loss is a margin loss or the metric asks for a shift (shift.h), from rows that were not trained on: those held back, or a fifth that a
 * second, shorter training leaves out: of the head alone where labels play no part in the map, else of both, from `start` (may be
 * NULL) as the first. 0, for none, elsewhere, where the training was
 * stopped or rows are too few, and where that second training would not keep a time limit. Then self->shift, where it is asked for:
 * without a temperature, that of balanced counts on 1, and there is none of F1, which a notice says. */
cnm_status calibrate(training *self, const cnm_model *start, cnm_error *err);

/* T for which softmax(scores / T) fits best: scores (count, outputs), a single score standing for the second of two classes;
 * classes and weights (may be NULL) by row. */
double calibrate_temperature(const float *scores, size_t count, size_t outputs, const int32_t *classes,
                             const float *weights);

#endif
