/* The temperature that makes probabilities of a margin loss's scores, and what a metric adds to the scores of any loss. */
#ifndef CNM_LEARN_CALIBRATE_TEMPERATURE_H
#define CNM_LEARN_CALIBRATE_TEMPERATURE_H

#include "learn/fit/fit_session.h"

/* Sets self->temperature where the loss is a margin loss or the metric asks for a shift (shift.h), from rows that were not trained on
 * (held_scores.h); 0, for none, elsewhere and where there are no such rows. Then self->shift, where it is asked for: without such rows that
 * of balanced takes the temperature 1, and there is none of F1, which a notice says. `start` (may be NULL): what the training began
 * with. */
cnm_status calibrate(training *self, const cnm_model *start, cnm_error *err);

#endif
