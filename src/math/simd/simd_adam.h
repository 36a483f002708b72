/* One step of Adam over an array; adam.c has the formulas. Part of simd_body.h.
 *
 * Plain loops that the compiler turns into vector code; + - * / and sqrt alone, so every level
 * gives the same bits. */
#ifndef CNM_MATH_SIMD_SIMD_ADAM_H
#define CNM_MATH_SIMD_SIMD_ADAM_H

#include <math.h>

#include "math/linalg/adam.h"
#include "math/simd/simd_sincos.h"
#include "math/simd/simd_vector.h"

/* Returns -1, 0 or 1, by bits: compilers vectorise that at every level. */
INLINE float sign_of(float x) {
    const uint32_t bits = float_bits(x);
    return bits_float(((bits & 0x80000000u) | 0x3f800000u) & (0u - ((bits & 0x7fffffffu) != 0)));
}

static void adam_run(const adam_step *step, size_t count, float *restrict values, const float *restrict gradient,
                     float *restrict mean, float *restrict square) {
    const float l1 = step->l1, l2 = step->l2, rate = step->rate, root = step->root, keep = step->keep;
    const float first = (float)ADAM_FIRST, first_rest = (float)(1.0 - ADAM_FIRST);
    const float second = (float)ADAM_SECOND, second_rest = (float)(1.0 - ADAM_SECOND);
    for (size_t i = 0; i < count; i++) {
        const float value = values[i];
        const float g = gradient[i] + l2 * value + l1 * sign_of(value);
        const float m = first * mean[i] + first_rest * g, s = second * square[i] + second_rest * g * g;
        mean[i] = m;
        square[i] = s;
        values[i] = keep * value - rate * m / (sqrtf(s) * root + 1e-8f);
    }
}

#endif
