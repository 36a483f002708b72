/* Directions for a smooth function to fall in (limited-memory BFGS; Nocedal 1980): from the last few steps and how the gradient changed
 * over them. */
#ifndef CNM_MATH_LINALG_LBFGS_H
#define CNM_MATH_LINALG_LBFGS_H

#include "cnm/types.h"

enum { DESCENT_PAIRS = 10 };

typedef struct descent {
    size_t count;                /* of variables */
    size_t kept, next;           /* pairs, and where the next one goes */
    double *steps, *turns;       /* (DESCENT_PAIRS, count) differences of variables and of gradients */
    double inner[DESCENT_PAIRS]; /* of a step and its turn: above 0 */
} descent;

cnm_status descent_create(descent *out, size_t count, cnm_error *err);
void descent_free(descent *self);

/* direction (count) = minus the inverse curvature, as far as it is known, times gradient. */
void descent_direction(const descent *self, const double *gradient, double *direction);

/* The last step was `length` times direction, and led from gradient `before` to `after`. A step over which the function did not curve
 * upwards is not kept. */
void descent_note(descent *self, const double *direction, double length, const double *before, const double *after);

#endif
