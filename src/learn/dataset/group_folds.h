/* Groups of rows that stay together: their numbers, and dealing them out.
 *
 * Not here: which rows of a training are held (split_groups.h). */
#ifndef CNM_LEARN_DATASET_GROUP_FOLDS_H
#define CNM_LEARN_DATASET_GROUP_FOLDS_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct row_groups {
    size_t count;
    size_t *starts;  /* (count + 1): group g has members[starts[g] .. starts[g + 1]) */
    size_t *members; /* (rows): positions, ascending in a group; groups in the order of their first rows */
} row_groups;

/* keys (rows): rows of the same key are a group. */
cnm_status groups_create(row_groups *out, const uint64_t *keys, size_t rows, cnm_error *err);
void groups_free(row_groups *self);

/* part (rows) = numbers below parts, the same for all rows of a group, so that each part has about as many rows of each class: groups
 * are dealt out from the largest on, each to the part that has least of its classes. codes (rows) are numbers of classes, or NULL
 * where there is one. */
cnm_status groups_parts(const row_groups *self, const int32_t *codes, size_t classes, size_t parts, size_t *part,
                        cnm_error *err);

/* held (groups) = which groups to hold back, so that about `fraction` of the rows of each class are: the last groups in the order of
 * their first rows that bring it nearer. At least one group is, where there are two. */
cnm_status groups_hold(const row_groups *self, const int32_t *codes, size_t classes, double fraction, bool *held,
                       cnm_error *err);

#endif
