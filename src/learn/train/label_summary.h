/* Says what the label is understood to be, before anything is learned. */
#ifndef CNM_LEARN_TRAIN_LABEL_SUMMARY_H
#define CNM_LEARN_TRAIN_LABEL_SUMMARY_H

#include "learn/settings.h"
#include "learn/train/train.h"

/* Sends callbacks->info the label with its classes or its range, and the task with the reason where
 * it was guessed. Fails where classes are to be learned and all rows have the same one; origin (may
 * be NULL) names the column. */
cnm_status label_summarise(const label_column *labels, task_kind task, const settings *wanted,
                           const label_origin *origin, const cnm_callbacks *callbacks, cnm_error *err);

#endif
