/* Copies of rows that judge must not train: known by heart, they would speak for less decay and noise than other rows want. */
#ifndef CNM_LEARN_DATASET_DEDUPLICATE_H
#define CNM_LEARN_DATASET_DEDUPLICATE_H

#include "learn/dataset/split.h"

/* Takes rows equal to a held one in every column out of those that train; not where a class, or less than half of the rows, would be
 * left, as where columns are few and hold few values. */
cnm_status split_drop_copies(row_split *split, const problem *task, cnm_error *err);

/* Those of `count` positions whose row is no copy of an earlier one's, in their order; out (count). With `targets`, a row with another number to be
 * predicted is no copy. */
cnm_status positions_without_copies(const problem *task, const size_t *positions, size_t count, bool targets,
                                    size_t *out, size_t *kept, cnm_error *err);

#endif
