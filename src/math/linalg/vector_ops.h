/* Small loops over arrays of floats: the same bits at every level of instructions. */
#ifndef CNM_MATH_LINALG_VECTOR_OPS_H
#define CNM_MATH_LINALG_VECTOR_OPS_H

#include <stddef.h>

/* out[i] *= factor * by[i]; the two lie apart. */
void array_scale_product(size_t count, float factor, const float *by, float *out);

/* out[i] += factor * (a[i] - b[i]); out lies apart. */
void array_add_difference(size_t count, float factor, const float *a, const float *b, float *out);

/* out[i] = (x[i] - shift[i]) * scale[i]; shift NULL: 0, scale NULL: 1. x is out or lies apart. */
void array_shift_scale(size_t count, const float *x, const float *shift, const float *scale, float *out);

/* out (count) = the sum, in order, of `arrays` >= 1 arrays that lie `step` floats apart, x the first. */
void array_sum(size_t arrays, size_t step, size_t count, const float *x, float *out);

/* to (count) = from, for readers on other cores: written past the caches, because a line that another core has read is dear to
 * write. `to` must be aligned to 64 bytes, as memory from base/core/memory.h is. Others may read it after array_publish_end, which
 * waits for all that this thread has published. */
void array_publish(size_t count, const float *from, float *to);
void array_publish_end(void);

/* out (columns) = sums over the rows of x (rows, columns), in order, in double. */
void array_column_sums(size_t rows, size_t columns, const float *x, float *out);

/* array_scale_product for out and by (rows, columns); adds out's new columns to sums (columns), in order. */
void array_scale_columns(size_t rows, size_t columns, float factor, const float *by, float *out, double *sums);

#endif
