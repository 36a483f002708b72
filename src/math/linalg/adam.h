/* One step of Adam (Kingma and Ba) on arrays of floats, with penalties and decay. Which rates and schedules it gets is the
 * business of learn. */
#ifndef CNM_MATH_LINALG_ADAM_H
#define CNM_MATH_LINALG_ADAM_H

#include <stddef.h>
#include <stdint.h>

#define ADAM_FIRST 0.9
#define ADAM_SECOND 0.99

typedef struct adam_step {
    float l1, l2; /* penalties that join the gradient */
    float rate;   /* / (1 - first^t) */
    float root;   /* 1 / sqrt(1 - second^t) */
    float keep;   /* 1 - decay */
} adam_step;

/* The step number t (from 1) with this rate, and values shrunk by the factor keep. */
adam_step adam_prepare(uint64_t t, double rate, double keep, double l1, double l2);

/* All arrays (count), none overlapping another; mean and square are what Adam remembers, zero at the start. An element's result
 * depends on that element alone. */
void adam_array(const adam_step *step, size_t count, float *values, const float *gradient, float *mean, float *square);

#endif
