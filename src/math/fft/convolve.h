/* Circular convolution of many rows with a few filters: the engine behind circulant maps.
 *
 * out[b * d + i] = sum_j r_b[(i - j) mod d] x[j]   for block b, i < d, as long as b * d + i < k.
 * Blocks share the forward transform of x. Rows never influence each other (one SIMD lane each), so NaN in one stays there,
 * and a row's bits do not depend on its neighbours or place. Any d >= 1. */
#ifndef CNM_MATH_FFT_CONVOLVE_H
#define CNM_MATH_FFT_CONVOLVE_H

#include <stdbool.h>

#include "cnm/types.h"

enum { CONVOLVER_STAGES = 64 };

typedef struct convolver convolver; /* a plan: immutable, shared by any number of threads */

cnm_status convolver_create(convolver **out, size_t d, size_t k, cnm_error *err);
void convolver_destroy(convolver *self);

size_t convolver_blocks(const convolver *self); /* ceil(k / d) */
/* Floats that hold the transformed filters, and the scratch one worker needs (forward and gradient). */
size_t convolver_spectrum_size(const convolver *self);
size_t convolver_scratch_size(const convolver *self);

/* spectrum from filters r (blocks, d). */
void convolver_transform_filters(const convolver *self, const float *r, float *spectrum, float *scratch);

/* out (rows, k) with leading dimension ld_out, from x (rows, d) with leading dimension ld_x. */
void convolver_forward(const convolver *self, const float *spectrum, const float *x, size_t ld_x, size_t rows,
                       float *out, size_t ld_out, float *scratch);

/* The same from rows whose columns are multiplied by factor (d) on the way in, unless that is NULL. */
typedef struct convolve_input {
    const float *x;
    size_t ld;
    const float *factor;
} convolve_input;

void convolver_forward_scaled(const convolver *self, const float *spectrum, const convolve_input *input, size_t rows,
                              float *out, size_t ld_out, float *scratch);

/* Gradient with respect to the filters, in two stages so that callers can split rows over workers and add the partial
 * sums in a fixed order: accumulate adds, to `sum` (convolver_spectrum_size floats, zeroed by the caller), the transform of
 * corr(x, g) over these rows in order; finish turns the sum into gradient (blocks, d) (overwritten).
 * gradient[b][m] = sum over rows and i of g[b * d + i] x[(i - m) mod d]. */
void convolver_accumulate(const convolver *self, const float *x, size_t ld_x, const float *g, size_t ld_g, size_t rows,
                          float *sum, float *scratch);
void convolver_finish(const convolver *self, const float *sum, float *gradient, float *scratch);

/* How it is carried out, for programs that are to do the same elsewhere. */
typedef struct convolver_shape {
    size_t
        length; /* of the real convolution: d, or where d has other factors than 2, 3, 5 and 7, a length it fits in */
    size_t transform;                     /* of the complex transforms: length, or half of it */
    bool half;                            /* convolve_half.c, else convolve_pairs.c */
    size_t radices[CONVOLVER_STAGES + 1]; /* of the transform's stages in order; 0 behind the last */
} convolver_shape;

convolver_shape convolver_describe(const convolver *self);

/* The same three operations in plain O(d k) loops with double sums, as the reference that the above is tested against. */
void convolve_plain(size_t d, size_t k, const float *r, const float *x, size_t rows, float *out);
void correlate_plain(size_t d, size_t k, const float *x, const float *g, size_t rows, float *gradient);

#endif
