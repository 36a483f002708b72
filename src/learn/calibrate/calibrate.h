/* The stage `calibrate`: the temperature that makes probabilities of a margin loss's scores, and
 * the decision offsets that --metric balanced and f1 add to the scores of any loss. */
#ifndef CNM_LEARN_CALIBRATE_CALIBRATE_H
#define CNM_LEARN_CALIBRATE_CALIBRATE_H

#include "learn/fit/fit_session.h"

typedef struct calibration {
    double temperature; /* of the scores; 0: none */
    double *offsets;    /* (outputs) added to the scores (decision_thresholds.h); or NULL */
} calibration;

/* Fits both where the loss or the metric needs them, from rows that were not trained on
 * (heldout_scores.h). Without such rows the temperature is 0, the offsets of balanced take the
 * temperature 1, and f1 has no offsets, with a notice. `start` (may be NULL): the model of a warm
 * start. */
cnm_status calibrate_run(calibration *out, fit_session *self, const cnm_model *start, cnm_error *err);
void calibration_free(calibration *self);

#endif
