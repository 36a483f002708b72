/* Circular convolution of many rows with a few filters: the engine behind circulant maps.
 *
 *   out[b * d + i] = sum_j r_b[(i - j) mod d] x[j]   for block b, i < d, as long as b * d + i < k.
 *
 * Blocks share the forward transform of x. Rows never influence each other (one SIMD lane each), so
 * NaN in one stays there, and a row's bits do not depend on its neighbours or its place. Any d >=
 * 1. */
#ifndef CNM_MATH_FFT_CONVOLVE_H
#define CNM_MATH_FFT_CONVOLVE_H

#include <stdbool.h>

#include "cnm/types.h"

enum { CONVOLVER_STAGES = 64 };

typedef struct convolver convolver; /* a plan: immutable, shared by any number of threads */

cnm_status convolver_create(convolver **out, size_t d, size_t k, cnm_error *err);
void convolver_destroy(convolver *self);

size_t convolver_blocks(const convolver *self); /* ceil(k / d) */
/* Return the floats that hold the transformed filters, and the scratch that one worker needs
 * (forward and gradient). */
size_t convolver_spectrum_size(const convolver *self);
size_t convolver_scratch_size(const convolver *self);

/* Transforms filters r (blocks, d) into spectrum. */
void convolver_transform_filters(const convolver *self, const float *r, float *spectrum, float *scratch);

/* Computes out (rows, k) with leading dimension ld_out, from x (rows, d) with leading dimension
 * ld_x. */
void convolver_forward(const convolver *self, const float *spectrum, const float *x, size_t ld_x, size_t rows,
                       float *out, size_t ld_out, float *scratch);

/* Rows x whose columns are multiplied by factor (d) as they are loaded, unless factor is NULL. */
typedef struct convolve_input {
    const float *x;
    size_t ld;
    const float *factor;
} convolve_input;

void convolver_forward_scaled(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows,
                              float *out, size_t ld_out, float *scratch);

/* Compute the gradient with respect to the filters, in two stages so that callers can split rows
 * over workers and add the partial sums in a fixed order: accumulate adds, to `sum`
 * (convolver_spectrum_size floats, zeroed by the caller), the transform of corr(x, g) over these
 * rows in order; finish turns the sum into gradient (blocks, d) (overwritten). gradient[b][m] = sum
 * over rows and i of g[b * d + i] x[(i - m) mod d]. */
void convolver_accumulate(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                          float *sum, float *scratch);
void convolver_finish(const convolver *self, const float *sum, float *gradient, float *scratch);

/* Describes how a convolution is carried out, for exported programs that do the same elsewhere. */
typedef struct convolver_shape {
    /* of the real convolution: d, or where d has other factors than 2, 3, 5 and 7, a length in
     * which d fits */
    size_t length;
    size_t transform;                     /* of the complex transforms: length, or half of it */
    bool one_filter;                      /* convolve_one_filter.c, else convolve_pairs.c */
    size_t radices[CONVOLVER_STAGES + 1]; /* of the stages in order; 0 behind the last */
} convolver_shape;

convolver_shape convolver_describe(const convolver *self);

/* Compute the same by definition, in O(d k) loops with double sums: references for the tests. */
void convolve_reference(size_t d, size_t k, const float *r, const float *x, size_t rows, float *out);
void correlate_reference(size_t d, size_t k, const float *x, const float *g, size_t rows, float *gradient);

#endif
