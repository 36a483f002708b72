/* A kernel machine: the Gaussian kernel itself in place of features that stand for it. Where rows are few it is cheap to find, and hundreds of
 * random features are still a poor likeness of it; but it keeps all its rows, so it is no model to ship: see imitate.h. */
#ifndef CNM_LEARN_MACHINE_H
#define CNM_LEARN_MACHINE_H

#include "learn/training.h"

/* s(x) = offset + JOINT_GAIN^2 sum over rows i of weights_i exp(-gamma |x - centre_i|^2) */
typedef struct kernel_machine {
    size_t rows, columns, outputs;
    double gamma;
    float *centres; /* (rows, columns), scaled */
    float *squares; /* (rows) of their lengths */
    float *weights; /* (rows, outputs) */
    float *offset;  /* (outputs) */
} kernel_machine;

/* The kernel is one that a machine can have, the rows are dense and so few that it takes a second or two. */
bool machine_can_be_found(const training *self);

/* How many steps of a joint training cost as much as finding one on one fold does, at most; in products. */
double machine_steps(const training *self);

/* The one with the least mean loss and penalty over the training rows of the split; plan->lambda means what it does for features. */
cnm_status machine_find(kernel_machine *out, const training *self, double gamma, const train_plan *plan,
                        cnm_error *err);
void machine_free(kernel_machine *self);

/* scores (count, outputs) of scaled rows (count, columns). */
cnm_status machine_scores(const kernel_machine *self, const float *rows, size_t count, size_t threads, float *scores,
                          cnm_error *err);

/* The same of the rows at these positions of the training's source. */
cnm_status machine_scores_at(const kernel_machine *self, const training *of, const size_t *positions, size_t count,
                             float *scores, cnm_error *err);

#endif
