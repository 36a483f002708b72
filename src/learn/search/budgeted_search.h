/* Chooses what a joint training leaves open (learn/hyperparameters.h), from the training rows alone and with a bounded amount of arithmetic. */
#ifndef CNM_LEARN_SEARCH_BUDGETED_SEARCH_H
#define CNM_LEARN_SEARCH_BUDGETED_SEARCH_H

#include "learn/fit/fit_session.h"

/* Looks for something better than the usual where options leave it open and --effort allows, and scales the problem's rows as was
 * chosen. The problem and the spec must be ready; map, head and split are not used. */
cnm_status choose_recipe(training *self, cnm_error *err);

#endif
