/* Random variates whose bits do not depend on the platform's libm: log, sin and cos in double are
 * the library's own. Element i of a stream is a function of (stream, first + i) alone. */
#ifndef CNM_MATH_RANDOM_VARIATES_H
#define CNM_MATH_RANDOM_VARIATES_H

#include "base/core/random.h"

/* Set out[i] for i < count to scale * variate number first + i of the stream. */
void variates_normal(random_stream stream, uint64_t first, size_t count, double scale, float *out);
void variates_cauchy(random_stream stream, uint64_t first, size_t count, double scale, float *out);
void variates_laplace(random_stream stream, uint64_t first, size_t count, double scale, float *out);
/* Makes variates that are uniform in [0, scale). */
void variates_uniform(random_stream stream, uint64_t first, size_t count, double scale, float *out);

#endif
