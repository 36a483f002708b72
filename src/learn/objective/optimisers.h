/* How parameters follow gradients: the table of optimisers, and the rates that go with them. */
#ifndef CNM_LEARN_OBJECTIVE_OPTIMISERS_H
#define CNM_LEARN_OBJECTIVE_OPTIMISERS_H

#include "engine/plan.h"

/* Head only: w <- (1 - rate lambda) w - rate g, then into the ball of radius 1 / sqrt(lambda), a column (with its intercept)
 * at a time. */
extern const update_ops UPDATE_PEGASOS;
/* p <- p - rate (g + penalties). */
extern const update_ops UPDATE_SGD;
/* Adam with 0.9, 0.99, 1e-8; the head's lambda and the tensors' penalties join the gradient, tensor_decay is decoupled. */
extern const update_ops UPDATE_ADAM;

/* 1 / (lambda step), for Pegasos. */
double rate_pegasos(const update_call *call);
/* The plan's rate of that kind times rate_scale (1 + cos(pi (step - 1) / steps)) / 2: the first step has it all. */
double rate_cosine(const update_call *call);

#endif
