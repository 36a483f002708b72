/* sin and cos on |x| <= SINCOS_LIMIT, branch-free so that the compiler turns the loop into vector code. Part of
 * kernels_body.h; sincos.c has the method and its bound. */
#ifndef CNM_MATH_KERNELS_SINCOS_H
#define CNM_MATH_KERNELS_SINCOS_H

#include "math/kernels_vector.h"

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

/* One element; `low` is what r lost by rounding: sin(r + low) = sin r + low cos r, cos(r + low) = cos r - low sin r. */
INLINE void sincos_one(float x, float *sine, float *cosine) {
    const float shifted = x * 0.636619772f + 12582912.0f; /* 1.5 * 2^23: the last bits are now the integer q */
    const uint32_t q = float_bits(shifted);
    const float n = shifted - 12582912.0f;
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

/* sincos_one for `count` (a constant) vectors, with -sin instead of sin. They take turns: each operation waits for the one before
 * it, and the others' work fills the time. */
INLINE void sincos_vectors(size_t count, const vector *x, vector *slope, vector *cosine) {
    vector r[SINCOS_TURNS], low[SINCOS_TURNS], z[SINCOS_TURNS], half[SINCOS_TURNS], less[SINCOS_TURNS];
    vector s[SINCOS_TURNS], c[SINCOS_TURNS];
    bit_words q[SINCOS_TURNS];
    UNROLL for (size_t v = 0; v < count; v++) {
        const vector shifted = x[v] * 0.636619772f + 12582912.0f, n = shifted - 12582912.0f;
        const vector part = (x[v] - n * 0x1.92p+0f) - n * 0x1.fbp-12f, third = n * 0x1.5110b4p-22f;
        q[v] = bits_of(shifted);
        r[v] = part - third;
        low[v] = (part - r[v]) - third;
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        z[v] = r[v] * r[v];
        half[v] = 0.5f * z[v];
        less[v] = 1.0f - half[v];
        s[v] = (-0x1.98d89p-13f * z[v] + 0x1.1105aep-7f) * z[v] - 0x1.55554p-3f;
        c[v] = (0x1.9a00cep-16f * z[v] - 0x1.6c0c86p-10f) * z[v] + 0x1.55554ap-5f;
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        s[v] = r[v] + (r[v] * z[v] * s[v] + low[v] * less[v]);
        c[v] = less[v] + (((1.0f - less[v]) - half[v]) + (z[v] * z[v] * c[v] - r[v] * low[v]));
    }
    UNROLL for (size_t v = 0; v < count; v++) {
        const bit_words top = q[v] << 31, odd = 0u - (top >> 31), s_bits = bits_of(s[v]), c_bits = bits_of(c[v]);
        const bit_words turned = ((s_bits ^ c_bits) & odd) ^ ((q[v] << 30) & 0x80000000u);
        slope[v] = vector_of(s_bits ^ turned ^ 0x80000000u);
        cosine[v] = vector_of(c_bits ^ turned ^ top);
    }
}

/* Whether all |p + phase| of a row are within SINCOS_LIMIT. */
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

INLINE void cosine_turns(size_t count, const float *phase, float *p, float *slope) {
    vector x[SINCOS_TURNS], minus_sine[SINCOS_TURNS], cosine[SINCOS_TURNS];
    UNROLL for (size_t v = 0; v < count; v++) { x[v] = load(p + v * VECTOR_FLOATS) + load(phase + v * VECTOR_FLOATS); }
    sincos_vectors(count, x, minus_sine, cosine);
    UNROLL for (size_t v = 0; v < count; v++) {
        store(p + v * VECTOR_FLOATS, cosine[v]);
        store(slope + v * VECTOR_FLOATS, minus_sine[v]);
    }
}

/* Row by row p := cos(p + phase), slope := -sin(p + phase), columns <= SINCOS_COLUMNS. Stops before a row with a value beyond
 * SINCOS_LIMIT, which stays as it was, and returns how many rows are done. */
INLINE size_t some_cosine_rows(size_t rows, size_t columns, const float *restrict phase, float *restrict p,
                               float *restrict slope) {
    for (size_t row = 0; row < rows; row++, p += columns, slope += columns) {
        size_t i = 0;
        if (!row_is_near(columns, phase, p)) {
            return row;
        }
        for (; i + SINCOS_TURNS * VECTOR_FLOATS <= columns; i += SINCOS_TURNS * VECTOR_FLOATS) {
            cosine_turns(SINCOS_TURNS, phase + i, p + i, slope + i);
        }
        if (i + 2 * VECTOR_FLOATS <= columns) {
            cosine_turns(2, phase + i, p + i, slope + i);
            i += 2 * VECTOR_FLOATS;
        }
        if (i + VECTOR_FLOATS <= columns) {
            cosine_turns(1, phase + i, p + i, slope + i);
            i += VECTOR_FLOATS;
        }
        if (i < columns) {
            vector minus_sine, cosine;
            const vector x = load_some(p + i, columns - i) + load_some(phase + i, columns - i);
            sincos_vectors(1, &x, &minus_sine, &cosine);
            store_some(p + i, cosine, columns - i);
            store_some(slope + i, minus_sine, columns - i);
        }
    }
    return rows;
}

/* With the usual widths known to the compiler. */
static size_t cosine_rows_run(size_t rows, size_t columns, const float *phase, float *p, float *slope) {
    switch (columns) {
    case 32:
        return some_cosine_rows(rows, 32, phase, p, slope);
    case 48:
        return some_cosine_rows(rows, 48, phase, p, slope);
    default:
        return some_cosine_rows(rows, columns, phase, p, slope);
    }
}

/* Row by row p := scale cos(p + phase), rows `stride` floats apart; otherwise like cosine_rows. */
INLINE size_t some_cosine_tile(size_t rows, size_t columns, const float *restrict phase, float scale, float *restrict p,
                               size_t stride) {
    const uint32_t limit = float_bits((float)SINCOS_LIMIT);
    for (size_t row = 0; row < rows; row++, p += stride) {
        float kept[SINCOS_COLUMNS];
        uint32_t beyond = 0;
        for (size_t i = 0; i < columns; i++) {
            float sine, cosine;
            const float x = p[i] + phase[i];
            kept[i] = p[i];
            beyond |= (float_bits(x) & 0x7fffffffu) > limit;
            sincos_one(x, &sine, &cosine);
            p[i] = scale * cosine;
        }
        if (beyond != 0) {
            memcpy(p, kept, columns * sizeof *p);
            return row;
        }
    }
    return rows;
}

static size_t cosine_tile_run(size_t rows, size_t columns, const float *phase, float scale, float *p, size_t stride) {
    switch (columns) {
    case 32:
        return some_cosine_tile(rows, 32, phase, scale, p, stride);
    case 48:
        return some_cosine_tile(rows, 48, phase, scale, p, stride);
    default:
        return some_cosine_tile(rows, columns, phase, scale, p, stride);
    }
}

static bool sincos_run(const float *x, size_t count, float *sine, float *cosine) {
    return sine == NULL ? cosine_only(x, count, cosine) : sincos_both(x, count, sine, cosine);
}

#endif
