/* Early stopping: the parameters with the best score on validation rows. */
#ifndef CNM_LEARN_FIT_EARLY_STOPPING_H
#define CNM_LEARN_FIT_EARLY_STOPPING_H

#include "engine/engine.h"
#include "learn/dataset/split.h"

/* The best map and head so far: those with the least loss of --metric (evaluate/metrics.h) where it
 * names one; else those with the best score, which is accuracy, or R2 in regression, and of equal
 * scores those with the least loss. */
typedef struct early_stopping {
    double score, loss;
    map *map;
    float *weights; /* of the head */
    uint64_t step;  /* after which they were found; set by the caller */
    bool any;       /* parameters were kept */
} early_stopping;

/* Evaluates the engine's present parameters on the held-out rows of a split, and keeps a copy where
 * they are the best, which sets *improved. *score = their score. */
cnm_status early_stopping_update(early_stopping *self, engine *runner, const train_plan *plan, const dataset *data,
                                 const row_split *split, const map *present, const linear_head *head, bool *improved,
                                 double *score, cnm_error *err);
/* Puts the best parameters back into map and head, and refreshes the map. Does nothing where none
 * were kept. */
void early_stopping_restore(const early_stopping *self, map *target, linear_head *head);
void early_stopping_free(early_stopping *self);

#endif
