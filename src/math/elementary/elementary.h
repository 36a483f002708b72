/* Elementary functions in double, the library's own so that their bits do not depend on the
 * platform's libm (no fused multiply-add). Error below 2 units in the last place over the stated
 * domains; the .c file gives the bounds, the tests hold them. */
#ifndef CNM_MATH_ELEMENTARY_ELEMENTARY_H
#define CNM_MATH_ELEMENTARY_ELEMENTARY_H

/* Returns log x for x > 0, finite. */
double elementary_log(double x);
/* Returns exp x for any x; overflows to infinity, underflows to 0. */
double elementary_exp(double x);
/* Computes sin and cos of 2 pi turns, 0 <= turns <= 1. */
void elementary_sincos_turns(double turns, double *s, double *c);
/* Returns asinh x for any finite x. */
double elementary_asinh(double x);

#endif
