/* Cheap noise that is near enough to normal for being added to training rows: the centred sum of
 * four hexadecimal digits of a random word (mean 0, deviation 1, kurtosis 2.7, never beyond 3.3),
 * two values a 32-bit word. Element i is a function of (stream, first + i) alone.
 *
 * Not for the parameters of random maps: variates.h has exact distributions. */
#ifndef CNM_MATH_RANDOM_CHEAP_NORMAL_H
#define CNM_MATH_RANDOM_CHEAP_NORMAL_H

#include "base/core/random.h"

/* Values that are made together: `first` must be a multiple. */
enum { CHEAP_NORMAL_GROUP = 64 };

/* Sets out[i] = x[i] + scale * noise number first + i of the stream; x is out or lies apart. */
void cheap_normal_add(random_stream stream, uint64_t first, size_t count, double scale, const float *x, float *out);

#endif
