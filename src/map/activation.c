/* The activations: what a map does to each projected value. Branch-free loops that the compiler can
 * vectorise; elements do not influence each other, and NaN stays NaN. */
#include "math/elementary/contraction.h"

#include <math.h>
#include <string.h>

#include "map/layer.h"
#include "math/elementary/sincos.h"

/* Computes cos: random Fourier features (Rahimi & Recht 2007); the expectation of 2/k sum cos cos
 * is the kernel, hence the scale sqrt(2/k). */
static void cos_value(const float *p, size_t count, float *z) { cos_array(p, count, z); }

static void cos_value_and_slope(const float *p, size_t count, float *z, float *slope) {
    sincos_array(p, count, slope, z);
    for (size_t i = 0; i < count; i++) {
        slope[i] = -slope[i];
    }
}

/* Returns exp(-|p|) in float, at least exp(-87) so that it is never denormal. n = the integer
 * nearest -|p| / ln 2 comes from the low bits of a sum with 1.5 * 2^23; r = -|p| - n ln 2 in two
 * parts, |r| <= 0.35; exp(r) by its Taylor series to the sixth power (error below 1.3e-7 relative);
 * 2^n through the exponent bits. In all below 3e-7 relative. */
static inline float decay(float p) {
    const float rounder = 12582912.0f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
    const float magnitude = fabsf(p);
    const float x = magnitude > 87.0f ? -87.0f : -magnitude;
    const float rounded = x * 1.44269504f + rounder;
    const float n = rounded - rounder;
    const float r = (x - n * ln2_high) - n * ln2_low;
    float power = 1.0f / 720;
    power = power * r + 1.0f / 120;
    power = power * r + 1.0f / 24;
    power = power * r + 1.0f / 6;
    power = power * r + 0.5f;
    power = power * r + 1.0f;
    power = power * r + 1.0f;
    uint32_t bits;
    float two_to_n;
    memcpy(&bits, &rounded, sizeof bits);
    bits = (bits + 127u) << 23;
    memcpy(&two_to_n, &bits, sizeof two_to_n);
    return power * two_to_n;
}

/* Computes the sigmoid 1 / (1 + exp(-p)) from e = exp(-|p|), which keeps the digits of values near
 * 0 and near 1; slope = e / (1 + e)^2. */
static void sigmoid_value(const float *p, size_t count, float *z) {
    for (size_t i = 0; i < count; i++) {
        const float e = decay(p[i]);
        z[i] = (p[i] < 0 ? e : 1.0f) / (1.0f + e);
    }
}

static void sigmoid_value_and_slope(const float *p, size_t count, float *z, float *slope) {
    for (size_t i = 0; i < count; i++) {
        const float e = decay(p[i]), whole = 1.0f + e;
        z[i] = (p[i] < 0 ? e : 1.0f) / whole;
        slope[i] = e / (whole * whole);
    }
}

/* Computes max(0, p); the slope at 0 is taken as 0. */
static void relu_value(const float *p, size_t count, float *z) {
    for (size_t i = 0; i < count; i++) {
        z[i] = p[i] <= 0 ? 0.0f : p[i];
    }
}

static void relu_value_and_slope(const float *p, size_t count, float *z, float *slope) {
    for (size_t i = 0; i < count; i++) {
        const float value = p[i];
        slope[i] = value <= 0 ? 0.0f : 1.0f;
        z[i] = value <= 0 ? 0.0f : value;
    }
}

static void identity_value(const float *p, size_t count, float *z) {
    if (z != p) {
        memcpy(z, p, count * sizeof *z);
    }
}

static void identity_value_and_slope(const float *p, size_t count, float *z, float *slope) {
    identity_value(p, count, z);
    for (size_t i = 0; i < count; i++) {
        slope[i] = 1;
    }
}

static double root_scale(size_t features) { return sqrt(2.0 / (double)features); }

static double unit_scale(size_t features) {
    (void)features;
    return 1;
}

/* The identity is last: options cannot name it. */
static const activation_ops ACTIVATIONS[] = {
    {.name = "cos",
     .periodic = true,
     .kernel = true,
     .value = cos_value,
     .value_and_slope = cos_value_and_slope,
     .scale = root_scale,
     .phased_rows = cosine_rows,
     .phased_tile = cosine_tile},
    {.name = "sigmoid", .value = sigmoid_value, .value_and_slope = sigmoid_value_and_slope, .scale = root_scale},
    {.name = "relu", .value = relu_value, .value_and_slope = relu_value_and_slope, .scale = root_scale},
    {.name = "identity", .value = identity_value, .value_and_slope = identity_value_and_slope, .scale = unit_scale},
};
enum { ACTIVATION_COUNT = sizeof ACTIVATIONS / sizeof *ACTIVATIONS };

const activation_ops *activation_table(size_t *count) {
    *count = ACTIVATION_COUNT - 1;
    return ACTIVATIONS;
}

int activation_index(const activation_ops *row) {
    const int index = (int)(row - ACTIVATIONS);
    return index < ACTIVATION_COUNT - 1 ? index : -1;
}

const activation_ops *activation_find(const char *name) {
    for (size_t i = 0; i < ACTIVATION_COUNT; i++) {
        if (strcmp(ACTIVATIONS[i].name, name) == 0) {
            return &ACTIVATIONS[i];
        }
    }
    return NULL;
}
