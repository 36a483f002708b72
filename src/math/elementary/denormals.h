/* Treats denormal floats as 0, in operands and results, for the calling thread and the threads it
 * starts. Training makes denormal numbers wherever something decays, no result is worse for losing
 * numbers below 1.2e-38, and many CPUs compute them a hundred times slower. Does nothing on a CPU
 * that it does not know. */
#ifndef CNM_MATH_ELEMENTARY_DENORMALS_H
#define CNM_MATH_ELEMENTARY_DENORMALS_H

#include <stdint.h>

/* Begins, and returns the state before: for denormals_flush_end, which must follow on the same
 * thread. */
uint64_t denormals_flush_begin(void);
void denormals_flush_end(uint64_t before);

#endif
