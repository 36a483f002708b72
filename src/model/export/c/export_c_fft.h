/* The circular convolution of an exported program. Inside the model module. */
#ifndef CNM_MODEL_EXPORT_C_EXPORT_C_FFT_H
#define CNM_MODEL_EXPORT_C_EXPORT_C_FFT_H

#include "math/fft/convolve.h"
#include "model/export/c/c_writer.h"

/* How a layer is convolved. */
typedef struct fft_text {
    convolver_shape shape;
    size_t columns, width; /* d, and the outputs that the first block keeps */
    bool together;         /* two blocks share the real and imaginary parts of a transform */
} fft_text;

/* Plans a convolution of d columns with k outputs. Fails with CNM_UNSUPPORTED for a radix that has
 * no text here. */
cnm_status fft_plan(fft_text *out, size_t d, size_t k, cnm_error *err);

/* Writes typedef number, and the tables turns_COUNT and radices_COUNT for each count (of complex
 * numbers in a transform) that plans (count) have. */
void emit_fft_tables(c_writer *out, const fft_text *plans, size_t count);

/* Writes the members of circulant_layer that are said here, with names and comments; and those of
 * one layer, with values. */
void emit_fft_members(c_writer *out);
void emit_fft_values(c_writer *out, const fft_text *plan);

/* Writes the functions, for all plans alike. They call these, which the caller writes before:
 *     float entry(const circulant_layer *self, const float *x, size_t block, size_t m)
 *         element m < self->length of what is convolved
 *     float filter(const circulant_layer *self, size_t block, size_t m)
 *         element m < self->length of the filter
 * and a function that the caller writes calls these, for arrays of self->count numbers,
 *     void LOAD(const circulant_layer *self, const float *x, size_t block, number *row)
 *     void CONVOLVE(const circulant_layer *self, const number *row, size_t block, number *work,
 *                   float *p)
 * where p (self->features) gets the outputs of the block, or of two blocks where self->step is 2.
 * Two arrays of the largest count are added to out->stack. */
void emit_fft(c_writer *out, const fft_text *plans, size_t count);

/* Fills in LOAD and CONVOLVE, expressions. */
typedef struct fft_calls {
    const char *load, *convolve;
} fft_calls;

fft_calls fft_calls_of(const fft_text *plans, size_t count);
/* Returns the largest count of the plans. */
size_t fft_numbers(const fft_text *plans, size_t count);

#endif
