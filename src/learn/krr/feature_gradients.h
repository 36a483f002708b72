/* How much each column matters to a kernel machine: the mean square, over its rows, of the slope of its scores along the column. A machine takes all
 * columns alike; one that is told which of them matter is often the better one. */
#ifndef CNM_LEARN_KRR_FEATURE_GRADIENTS_H
#define CNM_LEARN_KRR_FEATURE_GRADIENTS_H

#include "learn/krr/kernel_model.h"

/* out (columns), up to one common factor. kernel (rows, rows): the machine's, between its rows. */
cnm_status machine_relevance(const kernel_machine *self, const float *kernel, thread_pool *pool, double *out,
                             cnm_error *err);

#endif
