/* The linear head while it is trained: weights (features + 1, outputs), the last row is the
 * intercept. */
#ifndef CNM_ENGINE_LINEAR_HEAD_H
#define CNM_ENGINE_LINEAR_HEAD_H

#include "cnm/types.h"

typedef struct linear_head {
    size_t features, outputs;
    float *weights;
} linear_head;

/* Makes a head of zeros. */
cnm_status head_create(linear_head *out, size_t features, size_t outputs, cnm_error *err);
void head_free(linear_head *self);

#endif
