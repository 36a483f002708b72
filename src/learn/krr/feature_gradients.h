/* The relevance of each column to a kernel model: the mean square, over the model's rows, of the
 * derivative of the scores along the column. Weights from it give each column a width. */
#ifndef CNM_LEARN_KRR_FEATURE_GRADIENTS_H
#define CNM_LEARN_KRR_FEATURE_GRADIENTS_H

#include "learn/krr/kernel_model.h"

/* Fills out (columns) with relevances, up to a factor. kernel (rows, rows): that of the model. */
cnm_status feature_gradients(const kernel_model *self, const float *kernel, thread_pool *pool, double *out,
                             cnm_error *err);

#endif
