/* The three translation-invariant kernels and the densities of theta whose Fourier transforms they
 * are (paper, section 1).
 *
 *     Gaussian   exp(-gamma |z|_2^2)              theta ~ N(0, 2 gamma)
 *     Laplacian  exp(-gamma |z|_1)                theta ~ Cauchy, scale gamma
 *     Cauchy     prod_j 1 / (1 + gamma^2 z_j^2)   theta ~ Laplace, scale gamma
 *
 * Not here: how gamma is chosen (learn). */
#include "math/elementary/contraction.h"

#include "map/kernels.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/text/text.h"
#include "math/elementary/elementary.h"
#include "math/linalg/reduce.h"
#include "math/random/variates.h"

static double gaussian_spread(double gamma) { return sqrt(2 * gamma); }

static double plain_spread(double gamma) { return gamma; }

static double gaussian_value(double gamma, const float *x, const float *y, size_t columns) {
    return elementary_exp(-gamma * reduce_distance(x, y, columns));
}

static double laplacian_value(double gamma, const float *x, const float *y, size_t columns) {
    double sum = 0;
    for (size_t j = 0; j < columns; j++) {
        sum += fabs((double)x[j] - (double)y[j]);
    }
    return elementary_exp(-gamma * sum);
}

static double cauchy_value(double gamma, const float *x, const float *y, size_t columns) {
    double product = 1;
    for (size_t j = 0; j < columns; j++) {
        const double z = gamma * ((double)x[j] - (double)y[j]);
        product *= 1 + z * z;
    }
    return 1 / product; /* an overflowing product is infinite, and the kernel 0 */
}

/* In the order of map_kernel. */
static const kernel_ops KERNELS[] = {
    {"gaussian", variates_normal, gaussian_spread, gaussian_value},
    {"laplacian", variates_cauchy, plain_spread, laplacian_value},
    {"cauchy", variates_laplace, plain_spread, cauchy_value},
};
enum { KERNEL_COUNT = sizeof KERNELS / sizeof *KERNELS };

const kernel_ops *kernel_table(size_t *count) {
    *count = KERNEL_COUNT;
    return KERNELS;
}

/* A Cauchy variate made from 53 random bits stays below 1e16, so scales within this range keep
 * theta finite in float32. */
static const double GAMMA_LEAST = 1e-20, GAMMA_MOST = 1e20;

cnm_status kernel_check(map_kernel kernel, double gamma, cnm_error *err) {
    if ((size_t)kernel >= KERNEL_COUNT) {
        return error_set(err, CNM_BAD_ARGUMENT, "unknown kernel number %d", (int)kernel);
    }
    if (!(gamma >= GAMMA_LEAST && gamma <= GAMMA_MOST)) {
        char text[TEXT_DOUBLE_SIZE];
        text_from_double(text, gamma);
        return error_set(err, CNM_BAD_ARGUMENT, "gamma must be between 1e-20 and 1e20, not %s", text);
    }
    return CNM_OK;
}

void kernel_draw(map_kernel kernel, double gamma, random_stream stream, uint64_t first, size_t count, float *out) {
    const kernel_ops *ops = &KERNELS[kernel];
    ops->variates(stream, first, count, ops->spread(gamma), out);
}

double kernel_value(map_kernel kernel, double gamma, const float *x, const float *y, size_t columns) {
    return KERNELS[kernel].value(gamma, x, y, columns);
}

const char *kernel_name(map_kernel kernel) { return (size_t)kernel < KERNEL_COUNT ? KERNELS[kernel].name : NULL; }

bool kernel_find(const char *name, map_kernel *kernel) {
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(KERNELS[i].name, name) == 0) {
            *kernel = (map_kernel)i;
            return true;
        }
    }
    return false;
}
