/* Splits of a data set into training rows and held-out rows. */
#ifndef CNM_LEARN_DATASET_SPLIT_H
#define CNM_LEARN_DATASET_SPLIT_H

#include "learn/dataset/dataset.h"

typedef struct row_split {
    size_t *train, *held; /* positions, ascending */
    size_t train_count, held_count;
} row_split;

/* Takes the arrays, each with room for `rows` positions. On failure `out` owns nothing. */
cnm_status split_allocate(row_split *out, size_t rows, cnm_error *err);
void split_free(row_split *self);

/* Holds out the rows of the table that only validate, where there are some; otherwise the last
 * `fraction` of each class in file order (of all rows for regression): where
 * rows come in time, the later ones validate. At least one row of each class stays for training.
 * Rows that have groups are held out by whole groups. */
cnm_status split_create(row_split *out, const dataset *data, double fraction, cnm_error *err);
/* Holds out a fifth of the rows to choose hyperparameters: the last tenth, and twenty blocks of a
 * two-hundredth, spread over the rest. In time series that validates on later and on other times
 * alike, while neighbouring rows, which resemble each other, mostly stay on one side. Where classes
 * are not mixed in the file, splits class by class. `fold` is 0 to 4; each starts a fifth of the
 * rows after the one before. With groups, the folds are those of group_folds.h. */
cnm_status split_create_spread(row_split *out, const dataset *data, size_t fold, cnm_error *err);

/* Holds out a random `fraction` of each class (of all rows for regression), rounded; at least one
 * row of each class stays for training. Whole groups where rows have groups. Fails where no row can
 * be held out. The same seed gives the same rows. */
cnm_status split_create_random(row_split *out, const dataset *data, double fraction, uint64_t seed, cnm_error *err);

/* Holds out about `fraction` of each class, from the last groups; a group that has all rows of a
 * class stays for training. Fails where no group can be held out. */
cnm_status split_groups(row_split *out, const dataset *data, double fraction, cnm_error *err);
/* The same in a random order of the groups. */
cnm_status split_groups_random(row_split *out, const dataset *data, double fraction, uint64_t seed, cnm_error *err);
/* Holds out one of five folds, or of as many as there are groups; less of it, even nothing, where a
 * class would have no training row left. */
cnm_status split_groups_fold(row_split *out, const dataset *data, size_t fold, cnm_error *err);

/* Keeps `most` of the held-out rows, evenly spread, so times and classes keep their shares. */
void split_thin(row_split *self, size_t most);

#endif
