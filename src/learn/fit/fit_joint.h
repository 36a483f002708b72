/* Joint training: map and head together, by back-propagation. */
#ifndef CNM_LEARN_FIT_FIT_JOINT_H
#define CNM_LEARN_FIT_FIT_JOINT_H

#include "learn/fit/fit_session.h"

/* Fits map and head of a session with a random map and a head of zeros. */
cnm_status fit_joint(fit_session *self, cnm_error *err);

/* Returns the plan of joint training, for a session with an initial map. */
train_plan joint_plan(fit_session *self);
/* Runs a plan from its first step to its last, with progress, validation and checkpoints, within
 * the time that --time-limit leaves. */
cnm_status joint_run(fit_session *self, engine *runner, train_plan *plan, cnm_error *err);

#endif
