/* One-vs-one classification: a kernel ridge model for each pair of classes, on the rows of these
 * two classes alone. Each votes for one of its classes, in proportion to its score. */
#ifndef CNM_LEARN_KRR_ONE_VS_ONE_H
#define CNM_LEARN_KRR_ONE_VS_ONE_H

#include "learn/krr/kernel_ridge.h"

/* Returns whether there are 3 classes or more, and not too many. */
bool one_vs_one_applies(const dataset *data);

/* Fits the models of all pairs for gamma = width / spread, and fills left_out. *found is false
 * where rounding leaves no factor. */
cnm_status one_vs_one_fit(kernel_ridge *self, krr_kernel kind, double width, double penalty, bool *found,
                          cnm_error *err);

#endif
