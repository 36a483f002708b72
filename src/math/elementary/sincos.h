/* sin and cos of arrays from one range reduction, the same bits on every platform with IEEE
 * arithmetic (no fused multiply-add is used). The .c file gives the bound: at most a few 1e-8
 * absolute for |x| <= 1e4 (float32 input); right to float32 rounding beyond it; NaN for infinities
 * and NaN. Elements do not influence each other. */
#ifndef CNM_MATH_ELEMENTARY_SINCOS_H
#define CNM_MATH_ELEMENTARY_SINCOS_H

#include <stddef.h>

/* Computes sine[i], cosine[i] of x[i]; any output may be x itself. */
void sincos_array(const float *x, size_t count, float *sine, float *cosine);
void cos_array(const float *x, size_t count, float *cosine);

/* Sets p := cos(p + phase), slope := -sin(p + phase) for p (rows, columns), phase (columns), with
 * the bits of sincos_array. */
void cosine_rows(size_t rows, size_t columns, const float *phase, float *p, float *slope);

/* Sets p := scale * cos(p + phase) for p (rows, columns) with `stride` floats from row to row,
 * phase (columns), with the bits of cos_array. */
void cosine_tile(size_t rows, size_t columns, const float *phase, float scale, float *p, size_t stride);

#endif
