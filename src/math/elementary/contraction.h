/* Included first where a*b + c must round twice, so that results keep their bits on machines with a
 * fused multiply-add. clang obeys the pragma; gcc does not know it and takes -ffp-contract=off
 * (implied by -std=c11). */
#ifndef CNM_MATH_ELEMENTARY_CONTRACTION_H
#define CNM_MATH_ELEMENTARY_CONTRACTION_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#endif
