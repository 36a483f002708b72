/* Shared by the parts of the convolution engine: the plan, and the two methods of computing it. */
#ifndef CNM_MATH_FFT_CONVOLVE_PLAN_H
#define CNM_MATH_FFT_CONVOLVE_PLAN_H

#include <stdbool.h>

#include "math/fft/convolve.h"
#include "math/fft/convolve_row.h"
#include "math/fft/fft.h"

/* One method: the four operations of convolve.h, the two in the middle on one group of at most
 * LANES rows; and the forward one on a single row, with the same bits. */
typedef struct convolve_method {
    cnm_status (*prepare)(convolver *self, cnm_error *err);
    void (*transform_filters)(const convolver *self, const float *r, float *spectrum, float *scratch);
    void (*forward)(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows, float *out,
                    size_t ld_out, float *scratch);
    void (*forward_row)(const convolver *self, const float *spectrum, const convolve_input *input, float *out,
                        float *scratch);
    void (*accumulate)(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                       float *sum, float *scratch);
    void (*finish)(const convolver *self, const float *sum, float *gradient, float *scratch);
} convolve_method;

extern const convolve_method CONVOLVE_PAIRS, CONVOLVE_ONE_FILTER;

struct convolver {
    const convolve_method *method;
    size_t d, k, blocks, pairs;
    size_t n;       /* length of the real convolution */
    fft_plan shape; /* of length n (pairs) or n / 2 (one filter) */
    row_plan row;
    size_t *partner; /* one filter: the place of frequency -f, for the place of f */
    float *turns;    /* one filter: (n / 2, 2): exp(-2 pi i f / (n / 2)) for the place of f */
};

/* Returns the outputs of block b. */
size_t convolver_width(const convolver *self, size_t b);

/* Returns element m < n of the filter of length n that is equivalent to r (d): see convolve.c. */
float convolver_filter_element(const convolver *self, const float *r, size_t m);

/* Returns element m < d of the gradient, from the correlation (n elements, `step` floats apart) in
 * length n. */
float convolver_gradient_element(const convolver *self, const float *correlation, size_t step, size_t m);

/* Returns the floats of one buffer of lanes (shape.n, 2, LANES); scratch is two of them. */
size_t convolver_buffer_size(const convolver *self);

#endif
