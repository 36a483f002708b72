/* Fits the linear head of a map that is not learned from labels. */
#ifndef CNM_LEARN_FIT_FIT_LINEAR_HEAD_H
#define CNM_LEARN_FIT_FIT_LINEAR_HEAD_H

#include "learn/fit/fit_session.h"

/* Fits the head: by Pegasos for the hinge loss, by Adam for the other losses. */
cnm_status fit_linear_head(fit_session *self, cnm_error *err);
/* Returns the plan of that fit. */
train_plan head_plan(fit_session *self);

#endif
