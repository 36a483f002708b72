/* Warm start: trains a model further with new rows, or with more features. */
#ifndef CNM_LEARN_FIT_WARM_START_H
#define CNM_LEARN_FIT_WARM_START_H

#include "learn/fit/fit_session.h"

/* Fills the settings to train a model further: its method, projection, activation, kernel, gamma
 * and scaling; at least its features. Fails with the reason where the model has no learned map or
 * no head. */
cnm_status warm_start_settings(settings *out, const cnm_model *model, const settings *wanted, cnm_error *err);

/* Gives the preprocessing stage the model's offsets, base and fill. Call it before rows are bound
 * to a map. */
cnm_status warm_start_scaling(scaled_rows *self, const cnm_model *model, cnm_error *err);

/* Copies the model's map and head into those of the session, a random map and a head of zeros;
 * features beyond the model's stay. */
cnm_status warm_start_parameters(fit_session *self, const cnm_model *model, cnm_error *err);

#endif
