/* Scores of rows that were not trained on, for what is settled when a training is over: temperature and shift. Not the judgement of
 * pilots (pilot.h), which have fewer features and steps. */
#ifndef CNM_LEARN_CALIBRATE_HELDOUT_SCORES_H
#define CNM_LEARN_CALIBRATE_HELDOUT_SCORES_H

#include "learn/fit/fit_session.h"

typedef struct held_scores {
    float *scores;    /* (count, outputs) */
    int32_t *classes; /* (count) */
    float *weights;   /* (count) */
    size_t count, outputs;
} held_scores;

/* Of the rows that --validation held back; or of a fifth that a second, shorter training leaves out: of the head alone where labels
 * play no part in the map, else of both, from `start` (may be NULL) as the first. None (count 0) where the training was stopped, rows are
 * too few, or a second training would not keep a time limit. */
cnm_status held_scores_find(held_scores *out, training *self, const cnm_model *start, cnm_error *err);
void held_scores_free(held_scores *self);

#endif
