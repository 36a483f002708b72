/* The kernel's width from the rows: sigma = mean distance to the 50th nearest neighbour among 1,000 sampled rows.
 *
 *            gaussian        laplacian   cauchy
 *   knn      1 / (2 sigma^2) 1 / sigma1  1 / (sqrt(2) sigma)     the reading that matches the paper's figures
 *   paper    2 / sigma^2     as knn      as knn                  as printed
 *
 * sigma1 is the same with 1-norm distances. The Cauchy kernel with gamma is near zero like the Gaussian with gamma^2. */
#ifndef CNM_LEARN_DATASET_BANDWIDTH_H
#define CNM_LEARN_DATASET_BANDWIDTH_H

#include "model/preprocess.h"

typedef struct bandwidth {
    double sigma; /* of the norm that the kernel uses */
    double knn, paper;
} bandwidth;

/* From prepared rows; deterministic for a seed, the same for any number of threads. Duplicate rows that leave sigma 0 give the mean
 * distance instead, and 1 where that is 0 too. */
cnm_status bandwidth_estimate(bandwidth *out, const input_source *rows, map_kernel kernel, uint64_t seed,
                              size_t threads, cnm_error *err);

#endif
