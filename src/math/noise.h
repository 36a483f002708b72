/* Cheap noise that is near enough to normal for being added to training rows: the centred sum of four random bytes (mean 0,
 * deviation 1, never beyond 3.5), one 32-bit word a value. Element i is a function of (stream, first + i) alone.
 *
 * Not for drawing maps: variates.h has exact distributions. */
#ifndef CNM_MATH_NOISE_H
#define CNM_MATH_NOISE_H

#include "base/random.h"

/* out[i] += scale * noise number first + i of the stream; first must be a multiple of 4. */
void noise_add(random_stream stream, uint64_t first, size_t count, double scale, float *out);

#endif
