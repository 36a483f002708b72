/* Butterflies of radix 2, 3, 4, 5 and 7, one SIMD lane a row: vector arithmetic with scalar
 * twiddles. Part of simd_body.h.
 *
 * A forward pass (decimation in frequency) transforms radix numbers that lie length / radix apart,
 * then multiplies by the twiddles; an inverse pass multiplies by their conjugates, then transforms
 * back. Nothing is moved elsewhere. */
#ifndef CNM_MATH_SIMD_SIMD_BUTTERFLIES_H
#define CNM_MATH_SIMD_SIMD_BUTTERFLIES_H

#include "math/simd/simd_vector.h"

typedef struct complex_vector {
    vector re, im;
} complex_vector;

INLINE complex_vector add(complex_vector a, complex_vector b) { return (complex_vector){a.re + b.re, a.im + b.im}; }

INLINE complex_vector subtract(complex_vector a, complex_vector b) {
    return (complex_vector){a.re - b.re, a.im - b.im};
}

INLINE complex_vector scale(complex_vector a, float factor) { return (complex_vector){a.re * factor, a.im * factor}; }

INLINE complex_vector multiply(complex_vector a, float re, float im) {
    return (complex_vector){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* Return a - i b and a + i b. */
INLINE complex_vector minus_i(complex_vector a, complex_vector b) { return (complex_vector){a.re + b.im, a.im - b.re}; }

INLINE complex_vector plus_i(complex_vector a, complex_vector b) { return (complex_vector){a.re - b.im, a.im + b.re}; }

INLINE void butterfly_2(complex_vector *v) {
    const complex_vector sum = add(v[0], v[1]);
    v[1] = subtract(v[0], v[1]);
    v[0] = sum;
}

INLINE void butterfly_4(complex_vector *v, bool inverse) {
    const complex_vector even = add(v[0], v[2]), even_less = subtract(v[0], v[2]);
    const complex_vector odd = add(v[1], v[3]), odd_less = subtract(v[1], v[3]);
    v[0] = add(even, odd);
    v[2] = subtract(even, odd);
    v[1] = inverse ? plus_i(even_less, odd_less) : minus_i(even_less, odd_less);
    v[3] = inverse ? minus_i(even_less, odd_less) : plus_i(even_less, odd_less);
}

/* Puts outputs q and radix - q from their even part a and odd part b: a -+ i b. */
INLINE void put_pair(complex_vector *v, size_t q, size_t radix, complex_vector a, complex_vector b, bool inverse) {
    v[q] = inverse ? plus_i(a, b) : minus_i(a, b);
    v[radix - q] = inverse ? minus_i(a, b) : plus_i(a, b);
}

INLINE void butterfly_3(complex_vector *v, bool inverse) {
    const float sine = 0.866025404f; /* sin(2 pi / 3) */
    const complex_vector sum = add(v[1], v[2]), less = subtract(v[1], v[2]);
    const complex_vector a = subtract(v[0], scale(sum, 0.5f));
    v[0] = add(v[0], sum);
    put_pair(v, 1, 3, a, scale(less, sine), inverse);
}

INLINE void butterfly_5(complex_vector *v, bool inverse) {
    const float c1 = 0.309016994f, c2 = -0.809016994f; /* cos(2 pi / 5), cos(4 pi / 5) */
    const float s1 = 0.951056516f, s2 = 0.587785252f;  /* sines of the same */
    const complex_vector sum1 = add(v[1], v[4]), sum2 = add(v[2], v[3]);
    const complex_vector less1 = subtract(v[1], v[4]), less2 = subtract(v[2], v[3]);
    const complex_vector a1 = add(v[0], add(scale(sum1, c1), scale(sum2, c2)));
    const complex_vector a2 = add(v[0], add(scale(sum1, c2), scale(sum2, c1)));
    v[0] = add(v[0], add(sum1, sum2));
    put_pair(v, 1, 5, a1, add(scale(less1, s1), scale(less2, s2)), inverse);
    put_pair(v, 2, 5, a2, subtract(scale(less1, s2), scale(less2, s1)), inverse);
}

/* Returns c1 x + c2 y + c3 z. */
INLINE complex_vector mix(complex_vector x, float c1, complex_vector y, float c2, complex_vector z, float c3) {
    return add(add(scale(x, c1), scale(y, c2)), scale(z, c3));
}

INLINE void butterfly_7(complex_vector *v, bool inverse) {
    const float c1 = 0.623489802f, c2 = -0.222520934f, c3 = -0.900968868f; /* cos(2 pi q / 7) */
    const float s1 = 0.781831482f, s2 = 0.974927912f, s3 = 0.433883739f;   /* sin(2 pi q / 7) */
    const complex_vector sum1 = add(v[1], v[6]), sum2 = add(v[2], v[5]), sum3 = add(v[3], v[4]);
    const complex_vector less1 = subtract(v[1], v[6]), less2 = subtract(v[2], v[5]), less3 = subtract(v[3], v[4]);
    const complex_vector a1 = add(v[0], mix(sum1, c1, sum2, c2, sum3, c3));
    const complex_vector a2 = add(v[0], mix(sum1, c2, sum2, c3, sum3, c1));
    const complex_vector a3 = add(v[0], mix(sum1, c3, sum2, c1, sum3, c2));
    v[0] = add(v[0], add(add(sum1, sum2), sum3));
    put_pair(v, 1, 7, a1, mix(less1, s1, less2, s2, less3, s3), inverse);
    put_pair(v, 2, 7, a2, mix(less1, s2, less2, -s3, less3, -s1), inverse);
    put_pair(v, 3, 7, a3, mix(less1, s3, less2, -s1, less3, s2), inverse);
}

/* Computes one butterfly. The branches vanish: radix and inverse are constants wherever this is
 * inlined. */
INLINE void butterfly(complex_vector *v, size_t radix, bool inverse) {
    if (radix == 2) {
        butterfly_2(v);
    } else if (radix == 3) {
        butterfly_3(v, inverse);
    } else if (radix == 4) {
        butterfly_4(v, inverse);
    } else if (radix == 5) {
        butterfly_5(v, inverse);
    } else {
        butterfly_7(v, inverse);
    }
}

/* Computes one butterfly in a vector of lanes; `at` points at the first number, the others follow
 * at distances of `apart` floats. */
INLINE void butterfly_at(float *at, size_t apart, const float *twiddles, size_t radix, bool inverse, bool twiddled) {
    complex_vector v[7];
    for (size_t q = 0; q < radix; q++) {
        v[q] = (complex_vector){load(at + q * apart), load(at + q * apart + LANES)};
    }
    if (inverse && twiddled) {
        for (size_t q = 1; q < radix; q++) {
            v[q] = multiply(v[q], twiddles[2 * q - 2], -twiddles[2 * q - 1]);
        }
    }
    butterfly(v, radix, inverse);
    if (!inverse && twiddled) {
        for (size_t q = 1; q < radix; q++) {
            v[q] = multiply(v[q], twiddles[2 * q - 2], twiddles[2 * q - 1]);
        }
    }
    for (size_t q = 0; q < radix; q++) {
        store(at + q * apart, v[q].re);
        store(at + q * apart + LANES, v[q].im);
    }
}

INLINE void all_lanes(float *at, size_t apart, const float *twiddles, size_t radix, bool inverse, bool twiddled) {
    for (size_t lane = 0; lane < LANES; lane += VECTOR_FLOATS) {
        butterfly_at(at + lane, apart, twiddles, radix, inverse, twiddled);
    }
}

/* Computes a pass. The twiddles of j = 0 are 1: in the last stage there are no others. */
INLINE void pass(float *data, size_t length, size_t groups, const float *twiddles, size_t radix, bool inverse) {
    const size_t part = length / radix, apart = part * 2 * LANES;
    for (size_t group = 0; group < groups; group++) {
        float *at = data + group * length * 2 * LANES;
        all_lanes(at, apart, twiddles, radix, inverse, false);
        for (size_t j = 1; j < part; j++) {
            all_lanes(at + j * 2 * LANES, apart, twiddles + j * (radix - 1) * 2, radix, inverse, true);
        }
    }
}

#define PASS(name, radix, inverse)                                                                                     \
    static void name(float *data, size_t length, size_t groups, const float *twiddles) {                               \
        pass(data, length, groups, twiddles, radix, inverse);                                                          \
    }

PASS(forward_2, 2, false)
PASS(forward_3, 3, false)
PASS(forward_4, 4, false)
PASS(forward_5, 5, false)
PASS(forward_7, 7, false)
PASS(inverse_2, 2, true)
PASS(inverse_3, 3, true)
PASS(inverse_4, 4, true)
PASS(inverse_5, 5, true)
PASS(inverse_7, 7, true)

#undef PASS

#endif
