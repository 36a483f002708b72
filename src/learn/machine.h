/* A kernel machine: the Gaussian kernel itself in place of features that stand for it. Where rows are few it is cheap to find, and hundreds of
 * random features are still a poor likeness of it; but it keeps all its rows, so it is no model to ship: see imitate.h. */
#ifndef CNM_LEARN_MACHINE_H
#define CNM_LEARN_MACHINE_H

#include "base/threads.h"
#include "learn/training.h"

/* s(x) = offset + sum over rows i of weights_i exp(-gamma |x - centre_i|^2) */
typedef struct kernel_machine {
    size_t rows, columns, outputs;
    double gamma;
    float *centres; /* (rows, columns), scaled */
    float *squares; /* (rows) of their lengths */
    float *weights; /* (rows, outputs) */
    float *offset;  /* (outputs) */
} kernel_machine;

/* One with these rows of the training as its centres, and weights of zero. */
cnm_status machine_create(kernel_machine *out, const training *self, const size_t *positions, size_t rows, double gamma,
                          cnm_error *err);
/* kernel (rows, rows): exp(-gamma |c - c'|^2) of its centres. */
void machine_kernel(const kernel_machine *self, thread_pool *pool, float *kernel);
void machine_free(kernel_machine *self);

/* scores (count, outputs) of scaled rows (count, columns). */
cnm_status machine_scores(const kernel_machine *self, const float *rows, size_t count, size_t threads, float *scores,
                          cnm_error *err);

#endif
