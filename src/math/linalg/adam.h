/* One step of Adam (Kingma and Ba 2015) on arrays of floats, with penalties and decay. Rates and
 * schedules are chosen in src/learn. */
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

/* Prepares step number t (from 1) with this rate; values will be multiplied by the factor keep. */
adam_step adam_prepare(uint64_t t, double rate, double keep, double l1, double l2);

/* Updates all arrays (count), none overlapping another; mean and square are Adam's moments, zero at
 * the start. An element's result depends on that element alone. */
void adam_array(const adam_step *step, size_t count, float *values, const float *gradient, float *mean, float *square);

#endif
