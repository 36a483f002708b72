/* exp and log of arrays of doubles, for losses, and asinh of arrays of floats, for scaling. The
 * same bits on every platform with IEEE arithmetic; elements do not influence each other, and NaN
 * stays NaN. For single numbers of any size: elementary.h. */
#ifndef CNM_MATH_ELEMENTARY_EXP_LOG_H
#define CNM_MATH_ELEMENTARY_EXP_LOG_H

#include <stddef.h>

/* Sets out[i] = exp(x[i]) for x[i] <= 700, and 0 where x[i] is below `least` >= -700; NaN for
 * infinities. out and x lie apart. */
void exp_array(const double *x, size_t count, double least, double *out);

/* Sets out[i] = log(x[i]) for x[i] >= sqrt(1/2); NaN for infinity. out and x lie apart. */
void log_array(const double *x, size_t count, double *out);

/* Sets values[i] = asinh(values[i]), elementary_asinh rounded to float; infinity counts as the
 * largest float, NaN stays NaN. */
void asinh_array(float *values, size_t count);

#endif
