/* Scores of rows that a model was not trained on, to fit temperature and decision thresholds after
 * the training. Those of trials will not do: their maps have fewer features and steps. */
#ifndef CNM_LEARN_CALIBRATE_HELDOUT_SCORES_H
#define CNM_LEARN_CALIBRATE_HELDOUT_SCORES_H

#include "learn/fit/fit_session.h"

typedef struct heldout_scores {
    float *scores;    /* (count, outputs) */
    int32_t *classes; /* (count) */
    float *weights;   /* (count) */
    size_t count, outputs;
} heldout_scores;

/* Takes the rows that --validation held out; or a fifth of the rows, which a second, shorter
 * training leaves out: of the head alone where the map does not depend on labels, else of both,
 * from `start` (may be NULL) as in the first training. There are none (count 0) where the training
 * was stopped, rows are too few, or a second training would break a time limit. */
cnm_status heldout_scores_find(heldout_scores *out, fit_session *self, const cnm_model *start, cnm_error *err);
void heldout_scores_free(heldout_scores *self);

#endif
