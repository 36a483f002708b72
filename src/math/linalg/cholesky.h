/* The Cholesky factor of a symmetric positive definite matrix, and its solutions. In double;
 * matrices of up to some thousand rows. The same bits for any number of threads. */
#ifndef CNM_MATH_LINALG_CHOLESKY_H
#define CNM_MATH_LINALG_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/threads/threads.h"

/* Replaces the lower half of a (n, n) by L, L L^T = a; the upper half stays. Returns false, with a
 * spoilt, where a is not positive definite within rounding. */
bool cholesky_factor(double *a, size_t n, thread_pool *pool);

/* Replace x (n, columns) by L^-1 x, or L^-T x. */
void cholesky_solve_lower(const double *l, size_t n, double *x, size_t columns);
void cholesky_solve_upper(const double *l, size_t n, double *x, size_t columns);

/* Sets out (n) to the diagonal of (L L^T)^-1. */
cnm_status cholesky_inverse_diagonal(const double *l, size_t n, thread_pool *pool, double *out, cnm_error *err);

#endif
