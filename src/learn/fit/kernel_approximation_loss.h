/* The loss of a map whose features approximate a kernel, on a batch of rows: the mean of e^2, e =
 * K(x, x') - Z(x)^T Z(x'), over all ordered pairs but the diagonal. It is a loss on features for
 * the engine (engine/plan.h). With z the activations, and Z = s z,
 *
 *   d loss / d z_i = -(4 s^2 / pairs) sum_j e_ij z_j        (each unordered pair counts twice)
 *
 * and back-propagation through the map gives the gradients of theta and the phases. */
#ifndef CNM_LEARN_FIT_KERNEL_APPROXIMATION_LOSS_H
#define CNM_LEARN_FIT_KERNEL_APPROXIMATION_LOSS_H

#include "base/core/rows_view.h"
#include "map/map.h"

typedef struct pair_loss {
    map_kernel kernel;
    double gamma;
    float *kernels;             /* (rows, rows): K */
    float *errors;              /* (rows, rows): Z Z^T, then K - Z Z^T, 0 on the diagonal */
    double *row_error;          /* (rows): sums over the other rows of e^2 */
    double *row_kernel;         /* (rows): the same of K */
    double *row_kernel_squares; /* (rows): the same of K^2 */
    double *squares;            /* (rows): squared lengths */
    /* of the present batch: */
    const rows_view *u;
    const float *z;
    size_t features;
    double scale; /* s^2 */
    float *slope;
} pair_loss;

/* Creates the loss for batches of up to `rows` rows. After a failure, pair_loss_free frees the
 * rest. */
cnm_status pair_loss_create(pair_loss *self, map_kernel kernel, double gamma, size_t rows, cnm_error *err);
void pair_loss_free(pair_loss *self);

/* Evaluates the loss: evaluate() of a feature_loss whose context is a pair_loss. slope NULL: the
 * value alone. */
double pair_loss_evaluate(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                          thread_pool *threads, float *slope);

/* Returns the loss of the best constant in place of Z(x)^T Z(x'), the mean of K, for the `rows`
 * rows evaluated last. */
double pair_loss_constant(const pair_loss *self, size_t rows);

#endif
