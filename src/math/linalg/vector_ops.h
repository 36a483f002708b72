/* Small loops over arrays of floats: the same bits at every level of instructions. */
#ifndef CNM_MATH_LINALG_VECTOR_OPS_H
#define CNM_MATH_LINALG_VECTOR_OPS_H

#include <stddef.h>

/* Sets out[i] *= factor * by[i]; out and by lie apart. */
void vector_scale_product(size_t count, float factor, const float *by, float *out);

/* Adds out[i] += factor * (a[i] - b[i]); out lies apart. */
void vector_add_difference(size_t count, float factor, const float *a, const float *b, float *out);

/* Sets out[i] = (x[i] - offset[i]) * scale[i]; offset NULL: 0, scale NULL: 1. x is out or lies
 * apart. */
void vector_translate_scale(size_t count, const float *x, const float *offset, const float *scale, float *out);

/* Sets out (count) to the sum, in order, of `arrays` >= 1 arrays that lie `step` floats apart, x
 * the first. */
void vector_sum(size_t arrays, size_t step, size_t count, const float *x, float *out);

/* Copies to (count) = from, for readers on other cores: written past the caches, because a line
 * that another core has read is expensive to write. `to` must be aligned to 64 bytes, as memory
 * from base/core/memory.h is. Others may read it after vector_publish_end, which waits for all that
 * this thread has published. */
void vector_publish(size_t count, const float *from, float *to);
void vector_publish_end(void);

/* Sets out (columns) to the sums over the rows of x (rows, columns), in order, in double. */
void vector_column_sums(size_t rows, size_t columns, const float *x, float *out);

/* Applies vector_scale_product to out and by (rows, columns); adds out's new columns to sums
 * (columns), in order. */
void vector_scale_columns(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums);

#endif
