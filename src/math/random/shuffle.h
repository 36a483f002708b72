/* random_order (base/core/random.h) with many random numbers made side by side: the same order, in a third of the time. */
#ifndef CNM_MATH_RANDOM_SHUFFLE_H
#define CNM_MATH_RANDOM_SHUFFLE_H

#include "base/core/random.h"

/* out (count) = a random order of 0 .. count-1. */
void shuffle(random_stream stream, size_t count, size_t *out);

#endif
