/* Removes duplicate rows. A validation row with a copy among the training rows is memorised:
 * validation would then favour less weight decay and noise than unseen rows need. */
#ifndef CNM_LEARN_DATASET_DEDUPLICATE_H
#define CNM_LEARN_DATASET_DEDUPLICATE_H

#include "learn/dataset/split.h"

/* Removes from the training rows those that equal a held-out row in every column; does nothing
 * where a class would have no training row, or less than half of the training rows would be left,
 * as where columns are few and have few values. */
cnm_status split_deduplicate(row_split *split, const dataset *data, cnm_error *err);

/* Fills out (count) with the positions whose row is no copy of the row at an earlier position, in
 * the same order. With `targets`, rows with different regression targets are no copies. */
cnm_status positions_deduplicate(const dataset *data, const size_t *positions, size_t count, bool targets, size_t *out,
                                 size_t *kept, cnm_error *err);

#endif
