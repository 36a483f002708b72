/* The rows. */
#include "learn/train/methods.h"

#include "learn/fit/fit_alternating.h"
#include "learn/fit/fit_joint.h"
#include "learn/fit/fit_kernel_approximation.h"
#include "learn/fit/fit_linear_head.h"

static cnm_status fit_learned(fit_session *self, cnm_error *err) {
    return self->data->settings->recipe == RECIPE_JOINT ? fit_joint(self, err) : fit_alternating(self, 0, err);
}

static const method_ops METHODS[] = {
    {"cnm", NULL, NULL, fit_learned, false},
    {"rff", NULL, NULL, fit_linear_head, false},
    {"kernel-approximation", NULL, NULL, fit_kernel_approximation, true},
    {"linear", "identity", "identity", fit_linear_head, false},
};

const method_ops *method_table(size_t *count) {
    *count = sizeof METHODS / sizeof METHODS[0];
    return METHODS;
}

bool method_is_joint(const settings *wanted) {
    return wanted->method == METHOD_CNM && wanted->recipe == RECIPE_JOINT && wanted->task != WANT_MAP;
}
