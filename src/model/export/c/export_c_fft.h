/* The circular convolution of an exported program. Inside the model module. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_FFT_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_FFT_H

#include "math/fft/convolve.h"
#include "model/export/c/c_writer.h"

/* What the functions are written for. */
typedef struct fft_text {
    convolver_shape shape;
    size_t columns, width; /* d, and the outputs that the first block keeps */
    bool together;         /* two blocks share the real and imaginary parts of a transform */
} fft_text;

/* Plans a convolution of d columns with k outputs. Fails with CNM_UNSUPPORTED for a radix that has
 * no text here. */
cnm_status fft_plan(fft_text *out, size_t d, size_t k, cnm_error *err);

/* Writes tables and functions. They call these, which the caller writes before:
 *     float entry(const float *x, size_t block, size_t m)   element m < LENGTH of what is convolved
 *     float filter(size_t block, size_t m)                  element m < LENGTH of the filter
 * and they are, for arrays of COUNT numbers,
 *     void load(const float *x, size_t block, number *row)
 *     void convolve(const number *row, size_t block, number *work, float *p)
 * where p (FEATURES) gets the outputs of the block, or of two blocks. Two such arrays are added to
 * out->stack. */
void emit_fft(c_writer *out, const fft_text *plan);

/* Writes typedef number, and enum { LENGTH, COUNT }: for what the caller writes before. */
void emit_fft_types(c_writer *out, const fft_text *plan);

#endif
