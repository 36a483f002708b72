/* Trainings as the command wants them: one that was stopped is a failure, which decides the exit
 * status, whether or not there is a model. */
#ifndef CNM_CLI_LIBRARY_CALLS_H
#define CNM_CLI_LIBRARY_CALLS_H

#include "cnm/cnm.h"

/* Trains as cnm_train does. Fails with CNM_CANCELLED where a signal stopped the training; *out is
 * then the model so far, which the caller owns, or NULL where there is none yet. */
cnm_status library_train(cnm_model **out, const cnm_data *data, const cnm_options *options,
                         const cnm_callbacks *callbacks, cnm_error *error);

/* Continues the training of a model as cnm_train_continue does. Fails as library_train. */
cnm_status library_continue(cnm_model **out, const cnm_model *model, const cnm_data *data, const cnm_options *options,
                            const cnm_callbacks *callbacks, cnm_error *error);

#endif
