/* The order of random_order (base/core/random.h) in a third of the time: many random numbers are
 * made side by side. */
#ifndef CNM_MATH_RANDOM_SHUFFLE_H
#define CNM_MATH_RANDOM_SHUFFLE_H

#include "base/core/random.h"

/* Fills out (count) with a random order of 0 .. count-1. */
void shuffle(random_stream stream, size_t count, size_t *out);

#endif
