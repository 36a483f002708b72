/* The head of a frozen random map, fitted by L-BFGS instead of by many small steps. The features of
 * wide kernels are nearly collinear: the head needs large weights of opposite signs, which small
 * steps do not reach. */
#ifndef CNM_LEARN_FIT_FROZEN_MAP_H
#define CNM_LEARN_FIT_FROZEN_MAP_H

#include "learn/fit/fit_session.h"

/* Returns whether the head can be solved for: the loss is smooth, and rows and features are so few
 * that all features fit in memory and a solution takes a second or two. */
bool head_can_be_solved(const fit_session *self);
/* Returns whether the head is solved for: it can be, and the map is frozen. The plan then has one
 * step, which changes nothing. */
bool head_is_solved(const fit_session *self);

/* Returns how many steps of a joint training of the same map take as many multiply-adds as a
 * solution on one fold, at most. */
double solve_steps(const fit_session *self);

/* Where head_is_solved(): fits the head to the least mean loss + (plan->lambda / 2) |W|^2 over the
 * training rows of the split. */
cnm_status solve_head(fit_session *self, const train_plan *plan, cnm_error *err);

#endif
