/* Rows held back from training, and the best parameters seen on them. */
#ifndef CNM_LEARN_DATASET_SPLIT_H
#define CNM_LEARN_DATASET_SPLIT_H

#include "engine/engine.h"
#include "learn/dataset/dataset.h"

/* The last `fraction` of each class in file order (of all rows for regression) is held back: where rows come in time, the later
 * ones judge. At least one row of each class stays for training. Rows that have groups are held by whole groups: see groups.h. */
typedef struct row_split {
    size_t *train, *held; /* positions, ascending */
    size_t train_count, held_count;
} row_split;

cnm_status split_create(row_split *out, const problem *task, double fraction, cnm_error *err);
/* Holds back a fifth of the rows for choices: the last tenth, and twenty blocks of a two-hundredth spread over the rest. Rows that come in time
 * are judged by later ones and by other times alike; neighbours, which resemble each other there, mostly stay on one side. Where the
 * classes do not come mixed, the same is done class by class. Of five folds, 0 is that; the others start a fifth of the rows
 * further on each. With groups, the folds are the parts of groups.h. */
cnm_status split_create_spread(row_split *out, const problem *task, size_t fold, cnm_error *err);
/* Keeps `most` held rows, evenly spread, so that every time and class keeps its share. */
void split_thin(row_split *self, size_t most);
void split_free(row_split *self);

/* The best map and head on the held rows: by what --metric names (judge.h); else by score, which is accuracy, or R2 for regression, equal
 * scores told apart by loss. */
typedef struct best_so_far {
    double score, loss;
    map *map;
    float *weights; /* the head's */
    bool any;
} best_so_far;

/* Scores the engine's present parameters on the held rows and keeps a copy where they are the best. *improved tells. */
cnm_status best_consider(best_so_far *self, engine *runner, const train_plan *plan, const problem *task,
                         const row_split *split, const map *present, const linear_head *head, bool *improved,
                         cnm_error *err);
/* Puts the best back into map and head (and refreshes the map); nothing where none was kept. */
void best_restore(const best_so_far *self, map *target, linear_head *head);
void best_free(best_so_far *self);

#endif
