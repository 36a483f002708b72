/* Elementary functions in double, our own so that their bits do not depend on the platform's libm (no fused multiply-add).
 * Error below 2 units in the last place over the stated domains; stated and tested in the .c file. */
#ifndef CNM_MATH_ELEMENTARY_ELEMENTARY_H
#define CNM_MATH_ELEMENTARY_ELEMENTARY_H

double elementary_log(double x);                                  /* x > 0, finite */
double elementary_exp(double x);                                  /* any; overflows to infinity, underflows to 0 */
void elementary_sincos_turns(double turns, double *s, double *c); /* sin and cos of 2 pi turns, 0 <= turns <= 1 */
double elementary_asinh(double x);                                /* any finite */

#endif
