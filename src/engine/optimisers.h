/* Optimisers and learning rate schedules: what the ids of a plan stand for, as it runs on the
 * host. */
#ifndef CNM_ENGINE_OPTIMISERS_H
#define CNM_ENGINE_OPTIMISERS_H

#include "engine/plan.h"

/* The row of an id, plan->host_update for UPDATE_HOST, NULL for UPDATE_NONE.
 *
 *   UPDATE_PEGASOS   w <- (1 - rate lambda) w - rate g, then into the ball of radius
 *                    1 / sqrt(lambda), a column (with its intercept) at a time; for the head only
 *   UPDATE_SGD       p <- p - rate (g + penalties)
 *   UPDATE_ADAM      Adam with 0.9, 0.99, 1e-8; the head's lambda and the tensors' penalties join
 *                    the gradient, tensor_decay is decoupled */
const update_ops *update_find(const train_plan *plan, update_id id);

/* The rate of plan->rate for a call of which all but `rate` is filled in. T is plan->steps, t the
 * step, r the plan's rate for that kind of array, s its step_scale.
 *
 *   RATE_PEGASOS   1 / (lambda t)
 *   RATE_COSINE    r rate_scale (1 + cos(pi (t - 1) / T)) / 2
 *   RATE_LINEAR    head_rate s (1 - (t - 1) / T), for tensors times tensor_rate
 *   RATE_CAPPED    min(head_rate s, 1 / (lambda t)), for tensors times tensor_rate */
double update_rate(const update_call *call);

#endif
