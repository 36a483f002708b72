/* Transforms of a single row, for the parts of the convolution engine. Rows among others run side
 * by side in lanes; a row alone runs with its own numbers side by side. The bits are the same.
 *
 * The first stages run across the numbers of a row, which then falls into `groups` independent
 * transforms of `length`; those lie side by side in lanes, as rows do otherwise. */
#ifndef CNM_MATH_FFT_CONVOLVE_ROW_H
#define CNM_MATH_FFT_CONVOLVE_ROW_H

#include "math/fft/fft.h"

typedef struct row_plan {
    size_t across;         /* stages that run across; 0: this length has no path for single rows */
    size_t groups, length; /* groups * length = n */
    size_t blocks;         /* of LANES groups */
    size_t rows;           /* up to so many rows are cheaper one by one than side by side */
    float *twiddles;       /* of the stages across, each (radix - 1, 2, part) */
    /* (n): position in the lanes of the real part of a frequency; the imaginary part is LANES
     * further */
    size_t *place;
} row_plan;

/* One row's arrays, cut from the convolver's scratch. */
typedef struct row_arrays {
    float *re, *im; /* the row's numbers: n, with room for whole blocks of groups */
    float *next_re, *next_im;
    float *lanes, *product; /* (blocks, length, 2, LANES) each */
} row_arrays;

cnm_status row_plan_create(row_plan *self, const fft_plan *shape, size_t scratch, cnm_error *err);
void row_plan_destroy(row_plan *self);

row_arrays row_cut_scratch(const row_plan *self, float *scratch);

/* Transform re, im into a spectrum in lanes; and product back into numbers in re, im. */
void row_forward(const row_plan *self, const fft_plan *shape, row_arrays *arrays);
void row_inverse(const row_plan *self, const fft_plan *shape, row_arrays *arrays);

#endif
