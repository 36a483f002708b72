/* Estimates the kernel's bandwidth from the rows: sigma = the mean distance to the 50th nearest
 * neighbour among 1,000 sampled rows.
 *
 *            gaussian        laplacian   cauchy
 *   knn      1 / (2 sigma^2) 1 / sigma1  1 / (sqrt(2) sigma)     reproduces the paper's figures
 *   paper    2 / sigma^2     as knn      as knn                  as printed
 *
 * sigma1 is the same with 1-norm distances. Near 0, Cauchy's with gamma is the Gaussian
 * with gamma^2. */
#ifndef CNM_LEARN_DATASET_BANDWIDTH_H
#define CNM_LEARN_DATASET_BANDWIDTH_H

#include "model/preprocess.h"

typedef struct bandwidth {
    double sigma; /* in the norm that the kernel uses */
    double knn, paper;
} bandwidth;

/* Fills `out` from prepared rows; depends on the seed, not on the number of threads. Where
 * duplicate rows make sigma 0, it is the mean distance, or 1 if that is 0, too. */
cnm_status bandwidth_estimate(bandwidth *out, const input_source *rows, map_kernel kernel, uint64_t seed,
                              size_t threads, cnm_error *err);

#endif
