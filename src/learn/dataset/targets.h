/* Regression targets, centred and scaled. */
#ifndef CNM_LEARN_DATASET_TARGETS_H
#define CNM_LEARN_DATASET_TARGETS_H

#include "learn/dataset/dataset.h"

/* The mean and deviation that targets are standardised with, after clipping to [least, most]. */
typedef struct target_range {
    double least, most;
    double mean, deviation;
} target_range;

/* Takes and fills the targets of a data set: centred and divided by their deviation, so that rates
 * and penalties mean the same in any unit. Fails where one is not finite, or too large. */
cnm_status targets_take(dataset *self, cnm_error *err);

/* Sets mean and deviation to those of the labels, clipped to the range (Welford 1962). */
void target_range_measure(target_range *self, const label_column *labels);
/* Fills the targets, already taken: clipped and standardised by the range. */
void targets_scale(dataset *self, const target_range *range);

#endif
