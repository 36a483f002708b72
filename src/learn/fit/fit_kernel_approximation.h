/* Learns a map that approximates a kernel, without labels; then a head. */
#ifndef CNM_LEARN_FIT_FIT_KERNEL_APPROXIMATION_H
#define CNM_LEARN_FIT_FIT_KERNEL_APPROXIMATION_H

#include "learn/fit/fit_session.h"

/* Fits the map for the kernel, then the head where the task has one. */
cnm_status fit_kernel_approximation(fit_session *self, cnm_error *err);

#endif
