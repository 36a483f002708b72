/* One pass of a transform of a single row, its numbers side by side in a vector: re and im (length)
 * apart. Part of simd_body.h.
 *
 * The operations on a number are those of simd_butterflies.h, so that a row alone has the bits of a
 * row among others. Not in place: a last vector that sticks out begins earlier, and computes some
 * numbers again. */
#ifndef CNM_MATH_SIMD_SIMD_ACROSS_H
#define CNM_MATH_SIMD_SIMD_ACROSS_H

#include "math/simd/simd_butterflies.h"

/* Loads `count` numbers from `from` on, which are a whole vector unless `cut` is set. */
INLINE complex_vector load_numbers(const float *re, const float *im, size_t count, bool cut) {
    return cut ? (complex_vector){load_some(re, count), load_some(im, count)} : (complex_vector){load(re), load(im)};
}

INLINE void store_numbers(float *re, float *im, complex_vector value, size_t count, bool cut) {
    if (cut) {
        store_some(re, value.re, count);
        store_some(im, value.im, count);
    } else {
        store(re, value.re);
        store(im, value.im);
    }
}

INLINE complex_vector multiply_each(complex_vector a, vector re, vector im) {
    return (complex_vector){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* Multiplies number q by its twiddles, or by their conjugates; twiddles (radix - 1, 2, part). */
INLINE void turn_numbers(complex_vector *v, size_t radix, const float *twiddles, size_t part, size_t count, bool cut,
                         bool inverse) {
    for (size_t q = 1; q < radix; q++) {
        const float *re = twiddles + (2 * q - 2) * part, *im = re + part;
        const complex_vector w = load_numbers(re, im, count, cut);
        v[q] = multiply_each(v[q], w.re, inverse ? -w.im : w.im);
    }
}

/* Computes numbers j .. of each of the radix parts; twiddles NULL: they are 1. */
INLINE void across_at(const across_pass *p, size_t j, size_t count, bool cut, const float *twiddles, size_t radix,
                      bool inverse) {
    const size_t part = p->length / radix;
    complex_vector v[7];
    for (size_t q = 0; q < radix; q++) {
        v[q] = load_numbers(p->re + q * part + j, p->im + q * part + j, count, cut);
    }
    if (inverse && twiddles != NULL) {
        turn_numbers(v, radix, twiddles + j, part, count, cut, true);
    }
    butterfly(v, radix, inverse);
    if (!inverse && twiddles != NULL) {
        turn_numbers(v, radix, twiddles + j, part, count, cut, false);
    }
    for (size_t q = 0; q < radix; q++) {
        store_numbers(p->out_re + q * part + j, p->out_im + q * part + j, v[q], count, cut);
    }
}

/* Computes the pass. The twiddles of j = 0 are 1, and are not multiplied by: j = 0 is done last,
 * over what the vectors left there. */
INLINE void across(const across_pass *p, size_t radix, bool inverse) {
    const size_t part = p->length / radix;
    size_t j = 0;
    for (; j + VECTOR_FLOATS <= part; j += VECTOR_FLOATS) {
        across_at(p, j, VECTOR_FLOATS, false, p->twiddles, radix, inverse);
    }
    if (j < part && part >= VECTOR_FLOATS) {
        across_at(p, part - VECTOR_FLOATS, VECTOR_FLOATS, false, p->twiddles, radix, inverse);
    } else if (j < part) {
        across_at(p, j, part - j, true, p->twiddles, radix, inverse);
    }
    across_at(p, 0, 1, true, NULL, radix, inverse);
}

#define ACROSS(name, radix, inverse)                                                                                   \
    static void name(const across_pass *p) { across(p, radix, inverse); }

ACROSS(across_forward_2, 2, false)
ACROSS(across_forward_3, 3, false)
ACROSS(across_forward_4, 4, false)
ACROSS(across_forward_5, 5, false)
ACROSS(across_forward_7, 7, false)
ACROSS(across_inverse_2, 2, true)
ACROSS(across_inverse_3, 3, true)
ACROSS(across_inverse_4, 4, true)
ACROSS(across_inverse_5, 5, true)
ACROSS(across_inverse_7, 7, true)

#undef ACROSS

#endif
