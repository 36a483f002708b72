/* A linear head for given features, by limited-memory BFGS (Liu and Nocedal 1989). */
#ifndef CNM_LEARN_FIT_LBFGS_HEAD_H
#define CNM_LEARN_FIT_LBFGS_HEAD_H

#include "learn/fit/fit_session.h"

enum { LBFGS_HEAD_ITERATIONS = 30 }; /* at most */

/* Fills weights (features + 1, outputs) with those of the least mean of plan->loss (or its hint) +
 * (plan->lambda / 2) |W|^2 over the training rows of the split. z (training rows, features + 1):
 * their features, with a 1 as the last, whose weights are the intercept and have no penalty. */
cnm_status lbfgs_head_fit(const fit_session *of, const train_plan *plan, const float *z, size_t features,
                          float *weights, cnm_error *err);

#endif
