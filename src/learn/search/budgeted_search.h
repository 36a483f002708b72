/* The stage `search`: budgeted hyperparameter search for what a joint training leaves open, on the
 * training rows alone. */
#ifndef CNM_LEARN_SEARCH_BUDGETED_SEARCH_H
#define CNM_LEARN_SEARCH_BUDGETED_SEARCH_H

#include "learn/detect/facts.h"
#include "learn/search/trial.h"

/* Searches where options leave hyperparameters open and --effort allows. The session's data set,
 * map specification and default hyperparameters must be ready; its hyperparameters and features are
 * changed, and its state where the caller asked to stop. distill_may_follow: see
 * distill_ensemble.h. *loss becomes the validation loss of the hyperparameters that were found; 0:
 * not known, or the validation rows resemble those that train. */
cnm_status budgeted_search(fit_session *self, const facts *known, bool distill_may_follow, const trial_ops *ops,
                           double *loss, cnm_error *err);

#endif
