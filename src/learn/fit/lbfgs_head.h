/* Weights of given features: those with the least mean loss and a penalty, or nearly so. */
#ifndef CNM_LEARN_FIT_LBFGS_HEAD_H
#define CNM_LEARN_FIT_LBFGS_HEAD_H

#include "learn/fit/fit_session.h"

enum { SOLVER_ROUNDS = 30 }; /* at most */

/* weights (features + 1, outputs) become those with the least mean of plan->loss (or its hint) + (plan->lambda / 2) |W|^2 over the training
 * rows of the split, whose features are z (rows of the split, features + 1), the last of each 1; the last row of weights, for that one, has no penalty. */
cnm_status solver_run(const training *of, const train_plan *plan, const float *z, size_t features, float *weights,
                      cnm_error *err);

#endif
