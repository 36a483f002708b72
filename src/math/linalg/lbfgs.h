/* Descent directions for a smooth function (limited-memory BFGS; Nocedal 1980): from the last few
 * steps and the changes of the gradient over them. */
#ifndef CNM_MATH_LINALG_LBFGS_H
#define CNM_MATH_LINALG_LBFGS_H

#include "cnm/types.h"

enum { LBFGS_PAIRS = 10 };

typedef struct lbfgs {
    size_t count;              /* of variables */
    size_t kept, next;         /* pairs, and where the next one goes */
    double *steps, *changes;   /* (LBFGS_PAIRS, count) differences of variables and of gradients */
    double inner[LBFGS_PAIRS]; /* of a step and its change: above 0 */
} lbfgs;

cnm_status lbfgs_create(lbfgs *out, size_t count, cnm_error *err);
void lbfgs_free(lbfgs *self);

/* Sets direction (count) to minus the inverse curvature, as far as it is known, times gradient. */
void lbfgs_direction(const lbfgs *self, const double *gradient, double *direction);

/* Adds a pair: the last step was `length` times direction, and led from gradient `before` to
 * `after`. A step over which the function did not curve upwards is not kept. */
void lbfgs_update(lbfgs *self, const double *direction, double length, const double *before, const double *after);

#endif
