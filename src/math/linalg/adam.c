/* Adam (Kingma and Ba 2015):
 *
 *   g = gradient + l2 w + l1 sign(w)
 *   m = first m + (1 - first) g,   s = second s + (1 - second) g^2
 *   w = keep w - rate (m / (1 - first^t)) / (sqrt(s / (1 - second^t)) + 1e-8)
 *
 * Where no gradient comes, m, s and w decay by constant factors, in the end into denormal numbers,
 * which many CPUs compute a hundred times slower: to be called between denormals_flush_begin and
 * denormals_flush_end (denormals.h). */
#include "math/elementary/contraction.h"

#include "math/linalg/adam.h"

#include <math.h>

#include "math/simd/simd_dispatch.h"

/* Returns base^exponent by squaring. */
static double power(double base, uint64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent /= 2) {
        result *= exponent % 2 == 1 ? base : 1.0;
        base *= base;
    }
    return result;
}

/* Returns 1 - base^t. Beyond `most`, base^t is below 2^-54 and lost in the difference: parts of
 * arrays call this many times a step. */
static double shortfall(double base, uint64_t t, uint64_t most) { return t > most ? 1.0 : 1.0 - power(base, t); }

adam_step adam_prepare(uint64_t t, double rate, double keep, double l1, double l2) {
    return (adam_step){.l1 = (float)l1,
                       .l2 = (float)l2,
                       .rate = (float)(rate / shortfall(ADAM_FIRST, t, 512)),
                       .root = (float)(1.0 / sqrt(shortfall(ADAM_SECOND, t, 4096))),
                       .keep = (float)keep};
}

void adam_array(const adam_step *step, size_t count, float *values, const float *gradient, float *mean, float *square) {
    simd_active()->adam(step, count, values, gradient, mean, square);
}
