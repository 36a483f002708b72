/* Adam:   g = gradient + l2 w + l1 sign(w)
 *         m = first m + (1 - first) g,   s = second s + (1 - second) g^2
 *         w = keep w - rate (m / (1 - first^t)) / (sqrt(s / (1 - second^t)) + 1e-8)
 *
 * Means decay by a constant factor where no gradient comes, into denormal numbers, which many CPUs compute a hundred times
 * slower. So g and m below ADAM_DUST = 2^-50, s and w below its square, become 0: at such a size a step moves a value by
 * less than rate * 2^-50 / 1e-8 < 1e-7 rate. No product of what is left is denormal. */
#include "math/contraction.h"

#include "math/adam.h"

#include <math.h>

#include "math/elementary.h"
#include "math/kernels.h"

/* base^exponent, without the platform's pow. */
static double power(double base, double exponent) { return elementary_exp(exponent * elementary_log(base)); }

adam_step adam_prepare(double t, double rate, double keep, double l1, double l2) {
    return (adam_step){.l1 = (float)l1,
                       .l2 = (float)l2,
                       .rate = (float)(rate / (1.0 - power(ADAM_FIRST, t))),
                       .root = (float)(1.0 / sqrt(1.0 - power(ADAM_SECOND, t))),
                       .keep = (float)keep};
}

void adam_array(const adam_step *step, size_t count, float *values, const float *gradient, float *mean, float *square) {
    kernels_here()->adam(step, count, values, gradient, mean, square);
}
