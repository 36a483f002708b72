/* The course of the training that made a model: losses and validation scores at fixed steps,
 * whatever the clock says. Kept with a model in memory; a model file does not have it. */
#ifndef CNM_MODEL_HISTORY_H
#define CNM_MODEL_HISTORY_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct history_point {
    const char *phase;    /* the stage, as in cnm_progress; static */
    uint64_t step, total; /* of the phase */
    double loss;          /* mean over the latest steps */
    double validation;    /* score on validation rows after this step; NaN: not evaluated here */
} history_point;

typedef struct history {
    history_point *points;
    size_t count, capacity;
} history;

/* Appends a point, or replaces the last one where that is of the same step of the same phase. */
cnm_status history_add(history *self, const history_point *point, cnm_error *err);
/* Returns whether a point of this step is due: about 20 points are kept of a phase, more where a
 * phase has few steps. */
bool history_is_due(const history *self, const char *phase, uint64_t step, uint64_t total);
/* Returns the number of steps between two points of a phase of `total` steps. */
uint64_t history_interval(uint64_t total);
void history_free(history *self);

#endif
