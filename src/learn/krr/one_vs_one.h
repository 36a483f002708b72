/* Machines that tell classes apart two by two: for each pair one of the rows of these two classes alone. Where classes are many, none is torn
 * between one class and a crowd of others; each votes for one of its two, the more the surer it is. */
#ifndef CNM_LEARN_KRR_ONE_VS_ONE_H
#define CNM_LEARN_KRR_ONE_VS_ONE_H

#include "learn/krr/kernel_ridge.h"

/* Whether there is anything to gain: 3 classes or more, and not too many. */
bool pairs_are_possible(const problem *task);

/* Weights of all pairs for the kernel as it is, and left_out; *found is false where rounding leaves no factor. */
cnm_status pairs_solve(ridge *self, double penalty, bool *found, cnm_error *err);

#endif
