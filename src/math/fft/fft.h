/* Complex Fourier transforms of LANES rows side by side, the spectrum in scrambled order: for the
 * convolution engine alone.
 *
 * data (n, 2, LANES): for each index LANES real parts, then LANES imaginary parts. Lanes are
 * independent. */
#ifndef CNM_MATH_FFT_FFT_H
#define CNM_MATH_FFT_FFT_H

#include "cnm/types.h"
#include "math/simd/simd_dispatch.h"

enum { FFT_STAGES = 64 };

/* One decimation step: transforms of `length` become `radix` transforms of length / radix. */
typedef struct fft_stage {
    size_t radix, length;
    /* (length / radix, radix - 1, 2): exp(-2 pi i j q / length) for q = 1 .. radix - 1 */
    const float *twiddles;
} fft_stage;

typedef struct fft_plan {
    size_t n, stage_count;
    fft_stage stages[FFT_STAGES];
    float *twiddles;
} fft_plan;

/* Returns the cheapest length >= minimum whose prime factors are 2, 3, 5 and 7, and even where
 * asked; 0 when there is none. */
size_t fft_length(size_t minimum, int even);
int fft_is_length(size_t n);

/* Creates a plan; n must satisfy fft_is_length. */
cnm_status fft_create(fft_plan *self, size_t n, cnm_error *err);
void fft_destroy(fft_plan *self);

/* Returns the frequency that the forward transform leaves at this place. */
size_t fft_frequency(const fft_plan *self, size_t place);

/* Transform in place: forward by decimation in frequency, inverse (times n) by decimation in time,
 * which undoes the scrambled order. */
void fft_forward(const fft_plan *self, float *data);
void fft_inverse(const fft_plan *self, float *data);

#endif
