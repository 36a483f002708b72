/* Rows of a training held back by whole groups. */
#ifndef CNM_LEARN_DATASET_SPLIT_GROUPS_H
#define CNM_LEARN_DATASET_SPLIT_GROUPS_H

#include "learn/dataset/split.h"

/* About `fraction` of each class, the last groups; a group that has all rows of a class stays for training. An error where none can be
 * held. */
cnm_status split_groups(row_split *out, const problem *task, double fraction, cnm_error *err);
/* One of five parts, or of as many as there are groups. None is held where that would leave no row of a class to train. */
cnm_status split_groups_fold(row_split *out, const problem *task, size_t fold, cnm_error *err);

#endif
