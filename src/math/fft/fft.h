/* Complex Fourier transforms of LANES rows side by side, the spectrum in scrambled order: for convolve.c alone.
 *
 * data (n, 2, LANES): for each index LANES real parts, then LANES imaginary parts. A lane never meets another. */
#ifndef CNM_MATH_FFT_FFT_H
#define CNM_MATH_FFT_FFT_H

#include "cnm/types.h"
#include "math/simd/simd_dispatch.h"

enum { TRANSFORM_STAGES = 64 };

/* One decimation step: transforms of `length` become `radix` transforms of length / radix. */
typedef struct transform_stage {
    size_t radix, length;
    const float *twiddles; /* (length / radix, radix - 1, 2): exp(-2 pi i j q / length) for q = 1 .. radix - 1 */
} transform_stage;

typedef struct transform {
    size_t n, stage_count;
    transform_stage stages[TRANSFORM_STAGES];
    float *twiddles;
} transform;

/* The cheapest length >= minimum whose prime factors are 2, 3, 5 and 7, and even where asked; 0 when there is none. */
size_t transform_length(size_t minimum, int even);
int transform_is_length(size_t n);

/* n must satisfy transform_is_length. */
cnm_status transform_create(transform *self, size_t n, cnm_error *err);
void transform_destroy(transform *self);

/* The frequency that the forward transform leaves at this place. */
size_t transform_frequency(const transform *self, size_t place);

/* In place: forward by decimation in frequency, its inverse (times n) by decimation in time, which undoes the order. */
void transform_forward(const transform *self, float *data);
void transform_inverse(const transform *self, float *data);

#endif
