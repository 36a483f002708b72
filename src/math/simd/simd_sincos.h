/* sin and cos on |x| <= SINCOS_LIMIT, branch-free so that the compiler turns the loop into vector
 * code. Part of simd_body.h; sincos.c has the method and its bound. */
#ifndef CNM_MATH_SIMD_SIMD_SINCOS_H
#define CNM_MATH_SIMD_SIMD_SINCOS_H

#include "math/simd/simd_vector.h"

/* Vectors of sin and cos that are computed side by side. */
enum { SINCOS_TURNS = 3 };

INLINE uint32_t float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

INLINE float bits_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Computes one element; `low` is what r lost by rounding: sin(r + low) = sin r + low cos r, cos(r +
 * low) = cos r - low sin r. */
INLINE void sincos_one(float x, float *sine, float *cosine) {
    /* 1.5 * 2^23: the last bits are now the integer q */
    const float biased = x * 0.636619772f + 12582912.0f;
    const uint32_t q = float_bits(biased);
    const float n = biased - 12582912.0f;
    const float part = (x - n * 0x1.92p+0f) - n * 0x1.fbp-12f, third = n * 0x1.5110b4p-22f;
    const float r = part - third, low = (part - r) - third;
    const float z = r * r, half = 0.5f * z, one_less = 1.0f - half;
    const float s = r + (r * z * ((-0x1.98d89p-13f * z + 0x1.1105aep-7f) * z - 0x1.55554p-3f) + low * one_less);
    const float c = one_less + (((1.0f - one_less) - half) +
                                (z * z * ((0x1.9a00cep-16f * z - 0x1.6c0c86p-10f) * z + 0x1.55554ap-5f) - r * low));
    const uint32_t odd = 0u - (q & 1u), s_bits = float_bits(s), c_bits = float_bits(c);
    *sine = bits_float(((s_bits & ~odd) | (c_bits & odd)) ^ ((q & 2u) << 30));
    *cosine = bits_float(((c_bits & ~odd) | (s_bits & odd)) ^ (((q + 1u) & 2u) << 30));
}

static bool sincos_both(const float *restrict x, size_t count, float *restrict sine, float *restrict cosine) {
    const uint32_t limit = float_bits((float)SINCOS_LIMIT);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        beyond |= (float_bits(x[i]) & 0x7fffffffu) > limit;
        sincos_one(x[i], &sine[i], &cosine[i]);
    }
    return beyond == 0;
}

static bool cosine_only(const float *restrict x, size_t count, float *restrict cosine) {
    const uint32_t limit = float_bits((float)SINCOS_LIMIT);
    uint32_t beyond = 0;
    for (size_t i = 0; i < count; i++) {
        float unused;
        beyond |= (float_bits(x[i]) & 0x7fffffffu) > limit;
        sincos_one(x[i], &unused, &cosine[i]);
    }
    return beyond == 0;
}

/* Does sincos_one for `count` (a constant) vectors, with -sin instead of sin. Vectors alternate:
 * each operation waits for the one before it, and the others' work fills the time. Products that
 * are exact, n times the first two parts of pi/2 and 0.5 z, are fused with what follows: the bits
 * are the same. */
INLINE void sincos_vectors(size_t count, const vector *x, vector *slope, vector *cosine) {
    vector r[SINCOS_TURNS], low[SINCOS_TURNS], z[SINCOS_TURNS], less[SINCOS_TURNS], lost[SINCOS_TURNS];
    vector s[SINCOS_TURNS], c[SINCOS_TURNS];
    bit_words q[SINCOS_TURNS];
    UNROLL for (size_t v = 0; v < count; v++) {
        const vector biased = x[v] * 0.636619772f + 12582912.0f, n = biased - 12582912.0f;
        const vector first = VECTOR_MULTIPLY_ADD(n, VECTOR_OF(-0x1.92p+0f), x[v]);
        const vector part = VECTOR_MULTIPLY_ADD(n, VECTOR_OF(-0x1.fbp-12f), first), third = n * 0x1.5110b4p-22f;
        q[v] = bits_of(biased);
        r[v] = part - third;
        low[v] = (part - r[v]) - third;
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        z[v] = r[v] * r[v];
        less[v] = VECTOR_MULTIPLY_ADD(z[v], VECTOR_OF(-0.5f), VECTOR_OF(1.0f));
        lost[v] = VECTOR_MULTIPLY_ADD(z[v], VECTOR_OF(-0.5f), 1.0f - less[v]);
        s[v] = (-0x1.98d89p-13f * z[v] + 0x1.1105aep-7f) * z[v] - 0x1.55554p-3f;
        c[v] = (0x1.9a00cep-16f * z[v] - 0x1.6c0c86p-10f) * z[v] + 0x1.55554ap-5f;
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        s[v] = r[v] + (r[v] * z[v] * s[v] + low[v] * less[v]);
        c[v] = less[v] + (lost[v] + (z[v] * z[v] * c[v] - r[v] * low[v]));
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        const bit_words top = q[v] << 31, odd = 0u - (top >> 31), s_bits = bits_of(s[v]), c_bits = bits_of(c[v]);
        const bit_words turned = ((s_bits ^ c_bits) & odd) ^ ((q[v] << 30) & 0x80000000u);
        slope[v] = vector_of(s_bits ^ turned ^ 0x80000000u);
        cosine[v] = vector_of(c_bits ^ turned ^ top);
    }
}

/* Returns whether all |p + phase| of a row are within SINCOS_LIMIT. */
INLINE bool row_is_near(size_t columns, const float *phase, const float *p) {
    const uint32_t limit = float_bits((float)SINCOS_LIMIT);
    bit_words beyond = {0};
    size_t i = 0;
    for (; i + VECTOR_FLOATS <= columns; i += VECTOR_FLOATS) {
        beyond |= limit - (bits_of(load(p + i) + load(phase + i)) & 0x7fffffffu);
    }
    if (i < columns) {
        beyond |= limit - (bits_of(load_some(p + i, columns - i) + load_some(phase + i, columns - i)) & 0x7fffffffu);
    }
    return !any_top(beyond);
}

/* Computes `count` (a constant) vectors of p := scale cos(p + phase); slope := -sin(p + phase),
 * unless that is NULL. */
INLINE void cosine_turns(size_t count, const float *phase, float scale, float *p, float *slope) {
    vector x[SINCOS_TURNS], minus_sine[SINCOS_TURNS], cosine[SINCOS_TURNS];
    UNROLL for (size_t v = 0; v < count; v++) { x[v] = load(p + v * VECTOR_FLOATS) + load(phase + v * VECTOR_FLOATS); }
    sincos_vectors(count, x, minus_sine, cosine);
    UNROLL for (size_t v = 0; v < count; v++) {
        store(p + v * VECTOR_FLOATS, scale * cosine[v]);
        if (slope != NULL) {
            store(slope + v * VECTOR_FLOATS, minus_sine[v]);
        }
    }
}

/* Does cosine_turns for fewer floats than a vector has. */
INLINE void cosine_rest(size_t count, const float *phase, float scale, float *p, float *slope) {
    const vector x = load_some(p, count) + load_some(phase, count);
    vector minus_sine, cosine;
    sincos_vectors(1, &x, &minus_sine, &cosine);
    store_some(p, scale * cosine, count);
    if (slope != NULL) {
        store_some(slope, minus_sine, count);
    }
}

INLINE void cosine_row(size_t columns, const float *phase, float scale, float *p, float *slope) {
    size_t i = 0;
    for (; i + SINCOS_TURNS * VECTOR_FLOATS <= columns; i += SINCOS_TURNS * VECTOR_FLOATS) {
        cosine_turns(SINCOS_TURNS, phase + i, scale, p + i, slope == NULL ? NULL : slope + i);
    }
    if (i + 2 * VECTOR_FLOATS <= columns) {
        cosine_turns(2, phase + i, scale, p + i, slope == NULL ? NULL : slope + i);
        i += 2 * VECTOR_FLOATS;
    }
    if (i + VECTOR_FLOATS <= columns) {
        cosine_turns(1, phase + i, scale, p + i, slope == NULL ? NULL : slope + i);
        i += VECTOR_FLOATS;
    }
    if (i < columns) {
        cosine_rest(columns - i, phase + i, scale, p + i, slope == NULL ? NULL : slope + i);
    }
}

/* Works row by row, rows of p `stride` floats apart, those of slope `columns`; columns <=
 * SINCOS_COLUMNS. Stops before a row with a value beyond SINCOS_LIMIT, which stays as it was, and
 * returns how many rows are done. */
INLINE size_t cosine_some(size_t rows, size_t columns, const float *restrict phase, float scale, float *restrict p,
                          size_t stride, float *restrict slope) {
    for (size_t row = 0; row < rows; row++, p += stride) {
        if (!row_is_near(columns, phase, p)) {
            return row;
        }
        cosine_row(columns, phase, scale, p, slope == NULL ? NULL : slope + row * columns);
    }
    return rows;
}

/* Sets p := cos(p + phase), slope := -sin(p + phase). The usual widths are constants for the
 * compiler, here and below. */
static size_t cosine_rows_run(size_t rows, size_t columns, const float *phase, float *p, float *slope) {
    switch (columns) {
    case 32:
        return cosine_some(rows, 32, phase, 1.0f, p, 32, slope);
    case 48:
        return cosine_some(rows, 48, phase, 1.0f, p, 48, slope);
    default:
        return cosine_some(rows, columns, phase, 1.0f, p, columns, slope);
    }
}

/* Sets p := scale cos(p + phase), rows `stride` floats apart. */
static size_t cosine_tile_run(size_t rows, size_t columns, const float *phase, float scale, float *p, size_t stride) {
    switch (columns) {
    case 32:
        return cosine_some(rows, 32, phase, scale, p, stride, NULL);
    case 48:
        return cosine_some(rows, 48, phase, scale, p, stride, NULL);
    default:
        return cosine_some(rows, columns, phase, scale, p, stride, NULL);
    }
}

static bool sincos_run(const float *x, size_t count, float *sine, float *cosine) {
    return sine == NULL ? cosine_only(x, count, cosine) : sincos_both(x, count, sine, cosine);
}

#endif
