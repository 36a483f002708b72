/* Groups of rows that stay together: assigns groups to folds, and chooses groups to hold out. The
 * split of a data set is in split.h. */
#ifndef CNM_LEARN_DATASET_GROUP_FOLDS_H
#define CNM_LEARN_DATASET_GROUP_FOLDS_H

#include <stdbool.h>

#include "base/core/random.h"

typedef struct row_groups {
    size_t count;
    size_t *starts;  /* (count + 1): group g has members[starts[g] .. starts[g + 1]) */
    size_t *members; /* (rows) positions, ascending in a group; groups by their first rows */
} row_groups;

/* Fills `out` with the groups of rows that have the same key; keys (rows). */
cnm_status groups_create(row_groups *out, const uint64_t *keys, size_t rows, cnm_error *err);
void groups_free(row_groups *self);

/* Puts the groups into a random order. */
cnm_status groups_shuffle(row_groups *self, random_stream stream, cnm_error *err);

/* Fills fold (rows) with fold numbers below `folds`, the same for all rows of a group, so that each
 * fold has about as many rows of each class: assigns groups from the largest to the smallest, each
 * to the fold with fewest rows of the group's classes. codes (rows) may be NULL: one class. */
cnm_status groups_assign_folds(const row_groups *self, const int32_t *codes, size_t classes, size_t folds, size_t *fold,
                               cnm_error *err);

/* Fills held (groups) with whether to hold a group out, so that about `fraction` of the rows of
 * each class are held out: goes through the groups from last to first (by their first rows), and
 * holds out those that bring the fractions nearer. Holds out at least one of two or more. */
cnm_status groups_hold_out(const row_groups *self, const int32_t *codes, size_t classes, double fraction, bool *held,
                           cnm_error *err);

#endif
