/* The stage `search`: budgeted hyperparameter search for what a joint training leaves open, on the
 * training rows alone. */
#ifndef CNM_LEARN_SEARCH_BUDGETED_SEARCH_H
#define CNM_LEARN_SEARCH_BUDGETED_SEARCH_H

#include "learn/detect/facts.h"
#include "learn/search/trial.h"

typedef struct search_result {
    double loss;           /* of the hyperparameters on validation rows; 0: not known, or they resemble training rows */
    bool linear_is_enough; /* on validation rows the learned map is no better than a linear model */
} search_result;

/* Searches where options leave hyperparameters open and --effort allows. The session's data set,
 * map specification and default hyperparameters must be ready; its hyperparameters and features are
 * changed, and its state where the caller asked to stop. distill_may_follow: see
 * distill_ensemble.h. */
cnm_status budgeted_search(fit_session *self, const facts *known, bool distill_may_follow, const trial_ops *ops,
                           search_result *out, cnm_error *err);

#endif
