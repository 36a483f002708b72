/* How far a map's features are from a kernel on a batch of rows: the mean of e^2, e = K(x, x') - Z(x)^T Z(x'), over all ordered pairs
 * but the diagonal. A loss on features for the engine (engine/plan.h). With z the activations, Z = s z:
 *
 *   d loss / d z_i = -(4 s^2 / pairs) sum_j e_ij z_j        (each unordered pair counts twice)
 *
 * which the map's own gradient carries on to theta and the phases. */
#ifndef CNM_LEARN_FIT_KERNEL_APPROXIMATION_LOSS_H
#define CNM_LEARN_FIT_KERNEL_APPROXIMATION_LOSS_H

#include "base/core/rows_view.h"
#include "map/map.h"

typedef struct pair_loss {
    map_kernel kernel;
    double gamma;
    float *kernels;                          /* (rows, rows): K */
    float *errors;                           /* (rows, rows): Z Z^T, then K - Z Z^T, 0 on the diagonal */
    double *row_error;                       /* (rows): sums over the other rows of e^2, ... */
    double *row_kernel, *row_kernel_squares; /* ... K and K^2 */
    double *squares;                         /* (rows): squared lengths */
    /* of the batch at hand: */
    const rows_view *u;
    const float *z;
    size_t features;
    double scale; /* s^2 */
    float *slope;
} pair_loss;

/* For batches of up to `rows` rows. On failure pair_loss_free may be called all the same. */
cnm_status pair_loss_create(pair_loss *self, map_kernel kernel, double gamma, size_t rows, cnm_error *err);
void pair_loss_free(pair_loss *self);

/* evaluate of a feature_loss, whose context is a pair_loss. slope NULL: the value alone. */
double pair_loss_evaluate(void *context, const rows_view *u, const float *z, size_t features, double feature_scale,
                          thread_pool *threads, float *slope);

/* The same mean for the best constant in place of Z(x)^T Z(x'), the mean of K; for the `rows` rows evaluated last. */
double pair_loss_constant(const pair_loss *self, size_t rows);

#endif
