/* Circular convolution and correlation by their definitions, with double sums: the reference of the
 * tests. Not fast: O(d k) a row. */
#include "math/fft/convolve.h"

void convolve_reference(size_t d, size_t k, const float *r, const float *x, size_t rows, float *out) {
    for (size_t row = 0; row < rows; row++) {
        for (size_t o = 0; o < k; o++) {
            const float *filter = r + o / d * d;
            const size_t i = o % d;
            double sum = 0;
            for (size_t j = 0; j < d; j++) {
                sum += (double)filter[(i + d - j) % d] * (double)x[row * d + j];
            }
            out[row * k + o] = (float)sum;
        }
    }
}

void correlate_reference(size_t d, size_t k, const float *x, const float *g, size_t rows, float *gradient) {
    const size_t blocks = (k + d - 1) / d;
    for (size_t b = 0; b < blocks; b++) {
        const size_t width = k - b * d < d ? k - b * d : d;
        for (size_t m = 0; m < d; m++) {
            double sum = 0;
            for (size_t row = 0; row < rows; row++) {
                for (size_t i = 0; i < width; i++) {
                    sum += (double)g[row * k + b * d + i] * (double)x[row * d + (i + d - m) % d];
                }
            }
            gradient[b * d + m] = (float)sum;
        }
    }
}
