/* What happens to LANES rows around their transforms: moving them into lanes and back, and the
 * products of spectra. Part of simd_body.h. Sums over lanes follow one binary tree, so that their
 * bits do not depend on the width of vectors. */
#ifndef CNM_MATH_SIMD_SIMD_SPECTRUM_H
#define CNM_MATH_SIMD_SIMD_SPECTRUM_H

#include "math/simd/simd_butterflies.h"
#include "math/simd/simd_transpose.h"

/* Loads LANES rows, each column times its factor. */
static void load_scaled(const float *x, size_t ld, size_t count, size_t step, const float *factor, float *data) {
    size_t done = 0;
#if defined(HAS_LARGE_SQUARES)
    done = transpose_lines_read(x, ld, LANES, count, factor, data, step);
#endif
    transpose(x + done, ld, LANES, count - done, data + done * step, step);
    for (size_t e = done; e < count; e++) {
        for (size_t lane = 0; lane < LANES; lane++) {
            data[e * step + lane] *= factor[e];
        }
    }
}

/* Sets data[e * step + lane] = x[lane * ld + e], times factor[e] unless that is NULL, for e < count
 * and lane < rows; 0 for other lanes and for e < total. */
static void load_lanes(const float *x, size_t ld, size_t rows, size_t count, size_t total, size_t step,
                       const float *factor, float *data) {
    if (rows == LANES && factor == NULL) {
        transpose(x, ld, LANES, count, data, step);
    } else if (rows == LANES) {
        load_scaled(x, ld, count, step, factor, data);
    } else {
        for (size_t e = 0; e < count; e++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                data[e * step + lane] = lane < rows ? x[lane * ld + e] * (factor == NULL ? 1.0f : factor[e]) : 0.0f;
            }
        }
    }
    for (size_t e = count; e < total; e++) {
        memset(data + e * step, 0, LANES * sizeof *data);
    }
}

/* Sets out[lane * ld + e] = data[e * step + lane] for e < count and lane < rows. */
static void store_lanes(const float *data, size_t step, size_t rows, size_t count, float *out, size_t ld) {
    transpose(data, step, count, rows, out, ld);
}

/* Sets out (n, 2, LANES) = x (n, 2, LANES) * spectrum (n, 2), complex. */
static void multiply_spectrum(size_t n, const float *x, const float *spectrum, float *out) {
    for (size_t p = 0; p < n; p++) {
        for (size_t lane = 0; lane < LANES; lane += VECTOR_FLOATS) {
            const float *from = x + 2 * p * LANES + lane;
            const complex_vector z = {load(from), load(from + LANES)};
            const complex_vector y = multiply(z, spectrum[2 * p], spectrum[2 * p + 1]);
            store(out + 2 * p * LANES + lane, y.re);
            store(out + (2 * p + 1) * LANES + lane, y.im);
        }
    }
}

/* Returns numbers p and partner[p] of z (h, 2, LANES), the second conjugated. */
INLINE complex_vector number(const float *z, size_t p, size_t lane) {
    return (complex_vector){load(z + 2 * p * LANES + lane), load(z + (2 * p + 1) * LANES + lane)};
}

INLINE complex_vector conjugate(complex_vector a) { return (complex_vector){a.re, -a.im}; }

/* Sets out (h, 2, LANES) = A z + B conj(z at the partner), spectrum (h, 4) holding A and B. */
static void multiply_one_filter(size_t h, const float *z, const size_t *partner, const float *spectrum, float *out) {
    for (size_t p = 0; p < h; p++) {
        const float *factor = spectrum + 4 * p;
        for (size_t lane = 0; lane < LANES; lane += VECTOR_FLOATS) {
            const complex_vector here = multiply(number(z, p, lane), factor[0], factor[1]);
            const complex_vector there = multiply(conjugate(number(z, partner[p], lane)), factor[2], factor[3]);
            const complex_vector y = add(here, there);
            store(out + 2 * p * LANES + lane, y.re);
            store(out + (2 * p + 1) * LANES + lane, y.im);
        }
    }
}

/* Returns conj(a) b, lane by lane. */
INLINE complex_vector conjugate_product(complex_vector a, complex_vector b) {
    return (complex_vector){a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re};
}

INLINE float sum_of_lanes(float *lanes) {
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            lanes[lane] += lanes[lane + half];
        }
    }
    return lanes[0];
}

/* Adds sum (n, 2) += sum over lanes of conj(x) g. */
static void correlate(size_t n, const float *x, const float *g, float *sum) {
    for (size_t p = 0; p < n; p++) {
        float re[LANES], im[LANES];
        for (size_t lane = 0; lane < LANES; lane += VECTOR_FLOATS) {
            const complex_vector y = conjugate_product(number(x, p, lane), number(g, p, lane));
            store(re + lane, y.re);
            store(im + lane, y.im);
        }
        sum[2 * p] += sum_of_lanes(re);
        sum[2 * p + 1] += sum_of_lanes(im);
    }
}

/* Adds sum (h, 4) += sum over lanes of 4 E and 4 O, for the earlier place of each two frequencies:
 * see convolve_one_filter.c. */
static void correlate_one_filter(size_t h, const float *x, const float *g, const size_t *partner, const float *turns,
                                 float *sum) {
    for (size_t p = 0; p < h; p++) {
        const size_t q = partner[p];
        float parts[4][LANES];
        if (q < p) {
            continue;
        }
        for (size_t lane = 0; lane < LANES; lane += VECTOR_FLOATS) {
            const complex_vector x_here = number(x, p, lane), x_there = conjugate(number(x, q, lane));
            const complex_vector g_here = number(g, p, lane), g_there = conjugate(number(g, q, lane));
            /* 2 Xe, 2 i Xo */
            const complex_vector x_even = add(x_here, x_there), x_odd = subtract(x_here, x_there);
            const complex_vector g_even = add(g_here, g_there), g_odd = subtract(g_here, g_there);
            const complex_vector even = add(conjugate_product(x_even, g_even), conjugate_product(x_odd, g_odd));
            /* conj(2 Xe) 2 Go = -i conj(x_even) g_odd; conj(2 Xo) 2 Ge = i conj(x_odd) g_even */
            const complex_vector a = conjugate_product(x_even, g_odd);
            const complex_vector b = multiply(conjugate_product(x_odd, g_even), turns[2 * p], -turns[2 * p + 1]);
            store(parts[0] + lane, even.re);
            store(parts[1] + lane, even.im);
            store(parts[2] + lane, a.im - b.im);
            store(parts[3] + lane, b.re - a.re);
        }
        for (size_t part = 0; part < 4; part++) {
            sum[4 * p + part] += sum_of_lanes(parts[part]);
        }
    }
}

#endif
