/* The factor of a symmetric positive definite matrix, and what is solved with it. In double, one thread: matrices of a few hundred rows. */
#ifndef CNM_MATH_CHOLESKY_H
#define CNM_MATH_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

/* The lower half of a (n, n) becomes L, L L^T = a; the upper half is left alone. False, and a spoilt, where a is not positive definite
 * within what rounding leaves of it. */
bool cholesky_factor(double *a, size_t n);

/* x (n, columns) becomes L^-1 x, or L^-T x. */
void cholesky_solve_lower(const double *l, size_t n, double *x, size_t columns);
void cholesky_solve_upper(const double *l, size_t n, double *x, size_t columns);

#endif
