/* The head of a map that stays as it was drawn: found exactly, instead of by many small steps. Wide kernels make features that are
 * nearly alike, and what tells rows apart there are small differences of large weights: small steps never get to them. */
#ifndef CNM_LEARN_FIT_FROZEN_MAP_H
#define CNM_LEARN_FIT_FROZEN_MAP_H

#include "learn/fit/fit_session.h"

/* The loss is smooth, and rows and features are so few that their features fit in memory and a solution takes a second or two. */
bool head_can_be_solved(const training *self);
/* ... and the recipe leaves the map as it is. Its plan then has one step, which changes nothing. */
bool head_is_solved(const training *self);

/* How many steps of a joint training of the same map cost as much as a solution on one fold does, at most; in products. */
double solve_steps(const training *self);

/* Where head_is_solved(): the head becomes the one with the least mean loss + (plan->lambda / 2) |W|^2 over the training rows of the split, or nearly so. */
cnm_status solve_head(training *self, const train_plan *plan, cnm_error *err);

#endif
