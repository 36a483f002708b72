/* Starting from a model instead of from random numbers: to go on with new rows, or to grow. */
#ifndef CNM_LEARN_TRAIN_WARM_START_H
#define CNM_LEARN_TRAIN_WARM_START_H

#include "learn/fit/fit_session.h"

/* Settings for going on from a model: its method, projection, activation, kernel, gamma and scaling; at least its features. A model
 * without a learned map or a head is refused with a sentence. */
cnm_status start_settings(settings *out, const cnm_model *model, const settings *wanted, cnm_error *err);

/* Gives the problem the model's offsets, base and fill. Before the rows are bound to a map. */
cnm_status start_problem(problem *self, const cnm_model *model, cnm_error *err);

/* Puts the model's map and head into the training's, which are drawn and zero; what they have more stays so. */
cnm_status start_parameters(training *self, const cnm_model *model, cnm_error *err);

#endif
