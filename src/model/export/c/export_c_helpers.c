/* Writes functions that exported programs share. Each does the same operations in the same order as
 * the function of the library that its comment here names, so that results have the same bits where
 * the compiler fuses nothing. */
#include <string.h>

#include "model/export/c/export_c.h"

static const char HALVES[] = "/* The value of a 16-bit number (IEEE 754 binary16). */\n"
                             "static float half_value(uint16_t half) {\n"
                             "    word number;\n"
                             "    number.bits = (half & 0x7fffu) << 13;\n"
                             "    number.value *= 0x1p112f;\n"
                             "    number.bits |= (half & 0x8000u) << 16;\n"
                             "    return number.value;\n"
                             "}\n\n";

static const char POWERS[] = "/* 2^exponent, -126 to 0. */\n"
                             "static float power(int8_t exponent) {\n"
                             "    word number;\n"
                             "    number.bits = (uint32_t)(exponent + 127) << 23;\n"
                             "    return number.value;\n"
                             "}\n\n";

/* sincos_one of math/simd/simd_sincos.h, from the reduced argument on. */
static const char COSINE_OF[] =
    "/* cos(r + low + q pi/2) for |r| <= pi/4: a polynomial; low is what r lost by rounding. */\n"
    "static float cosine_of(uint32_t q, float r, float low) {\n"
    "    const float z = r * r, half = 0.5f * z, one_less = 1.0f - half;\n"
    "    word s, c;\n"
    "    s.value = r + (r * z * ((-0x1.98d89p-13f * z + 0x1.1105aep-7f) * z - 0x1.55554p-3f) + low * one_less);\n"
    "    c.value = one_less + (((1.0f - one_less) - half) +\n"
    "                          (z * z * ((0x1.9a00cep-16f * z - 0x1.6c0c86p-10f) * z + 0x1.55554ap-5f) - r * low));\n"
    "    c.bits = ((q & 1u) != 0 ? s.bits : c.bits) ^ ((q + 1u) & 2u) << 30;\n"
    "    return c.value;\n"
    "}\n\n";

/* The first part of sincos_far of math/elementary/sincos.c. */
static const char QUARTERS[] =
    "/* |x| times 2/pi in quarter turns, modulo 4: two bits before the point, 62 behind it. For |x| > 50000, finite. "
    "*/\n"
    "static uint32_t ratio_bits(uint32_t first) {\n"
    "    static const uint32_t TWO_OVER_PI[8] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,\n"
    "                                            0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};\n"
    "    const uint64_t pair = (uint64_t)TWO_OVER_PI[first / 32] << 32 | TWO_OVER_PI[first / 32 + 1];\n"
    "    return (uint32_t)(pair >> (32 - first % 32));\n"
    "}\n\n"
    "static uint64_t quarter_turns(float x) {\n"
    "    word number;\n"
    "    number.value = x;\n"
    "    const uint32_t first = (number.bits >> 23 & 0xffu) - 120u;\n"
    "    const uint64_t mantissa = (number.bits & 0x7fffffu) | 0x800000u;\n"
    "    return (mantissa * ratio_bits(first) << 32) + mantissa * ratio_bits(first + 32u) +\n"
    "           (mantissa * ratio_bits(first + 64u) >> 32);\n"
    "}\n\n";

/* The rest of it, and elementary_sincos_turns of math/elementary/elementary.c. */
static const char COSINE_FAR[] =
    "static double series(double t, int first, int last) {\n"
    "    double sum = 1.0;\n"
    "    for (int i = first; i >= last; i -= 2) {\n"
    "        sum = 1.0 - sum * (t * t) / (i * (i + 1));\n"
    "    }\n"
    "    return sum;\n"
    "}\n\n"
    "/* cos(x) beyond 50000: series in double. */\n"
    "static float cosine_far(float x) {\n"
    "    const uint64_t product = quarter_turns(x);\n"
    "    const uint64_t quarter = (product + ((uint64_t)1 << 61)) >> 62, rest = product - (quarter << 62);\n"
    "    const int negative = (int)(rest >> 63);\n"
    "    union {\n"
    "        double value;\n"
    "        uint64_t bits;\n"
    "    } high;\n"
    "    const double r = (double)(negative ? 0u - rest : rest) * 0x1p-64;\n"
    "    high.value = r;\n"
    "    high.bits &= ~(uint64_t)0x7ffffff;\n"
    "    const double tau_high = 0x1.921fb58p+2, tau_low = -0x1.dde973dcb3b3ap-25;\n"
    "    const double t = high.value * tau_high + ((r - high.value) * tau_high + r * tau_low);\n"
    "    const double sine = t - t * (t * t) / 6 * series(t, 16, 4), cosine = 1.0 - t * t * 0.5 * series(t, 17, 3);\n"
    "    const double turned = negative ? -sine : sine;\n"
    "    const double values[4] = {cosine, -turned, -cosine, turned};\n"
    "    return (float)values[quarter & 3];\n"
    "}\n\n";

/* Without doubles, for 8 bits, where no bits are promised: r has an error of 2^-32 quarter turns
 * and a rounding, 1e-7 in all. */
static const char COSINE_FAR_SHORT[] =
    "/* cos(x) beyond 50000. */\n"
    "static float cosine_far(float x) {\n"
    "    const uint64_t product = quarter_turns(x);\n"
    "    const uint64_t quarter = (product + ((uint64_t)1 << 61)) >> 62, rest = product - (quarter << 62);\n"
    "    const uint32_t top = (uint32_t)(rest >> 32);\n"
    "    const float r = (top >> 31) != 0 ? -(float)(0u - top) : (float)top;\n"
    "    return cosine_of((uint32_t)quarter, r * 0x1.921fb6p-30f, 0.0f);\n"
    "}\n\n";

/* sincos_one of math/simd/simd_sincos.h. */
static const char COSINE[] =
    "/* cos(x), within 5.2e-8: r = x - q pi/2 with pi/2 in three parts. */\n"
    "static float cosine(float x) {\n"
    "    word shifted;\n"
    "    if (!(x >= -50000.0f && x <= 50000.0f)) {\n"
    "        return x - x != 0.0f ? x - x : cosine_far(x); /* NaN for infinities and NaN */\n"
    "    }\n"
    "    shifted.value = x * 0.636619772f + 12582912.0f;\n"
    "    const float n = shifted.value - 12582912.0f;\n"
    "    const float part = (x - n * 0x1.92p+0f) - n * 0x1.fbp-12f, third = n * 0x1.5110b4p-22f;\n"
    "    const float r = part - third;\n"
    "    return cosine_of(shifted.bits, r, (part - r) - third);\n"
    "}\n\n";

/* decay and sigmoid_value of map/activation.c. */
static const char DECAY[] = "/* exp(-|p|), at least exp(-87). */\n"
                            "static float decay(float p) {\n"
                            "    const float magnitude = p < 0.0f ? -p : p;\n"
                            "    const float x = magnitude > 87.0f ? -87.0f : -magnitude;\n"
                            "    word shifted;\n"
                            "    shifted.value = x * 1.44269504f + 12582912.0f;\n"
                            "    const float n = shifted.value - 12582912.0f;\n"
                            "    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;\n"
                            "    float power_of_e = 1.0f / 720;\n"
                            "    power_of_e = power_of_e * r + 1.0f / 120;\n"
                            "    power_of_e = power_of_e * r + 1.0f / 24;\n"
                            "    power_of_e = power_of_e * r + 1.0f / 6;\n"
                            "    power_of_e = power_of_e * r + 0.5f;\n"
                            "    power_of_e = power_of_e * r + 1.0f;\n"
                            "    power_of_e = power_of_e * r + 1.0f;\n"
                            "    shifted.bits = (shifted.bits + 127u) << 23;\n"
                            "    return power_of_e * shifted.value;\n"
                            "}\n\n";

static const char SIGMOID[] = "static float sigmoid(float p) {\n"
                              "    const float e = decay(p);\n"
                              "    return (p < 0.0f ? e : 1.0f) / (1.0f + e);\n"
                              "}\n\n";

static const char RELU[] = "static float relu(float p) { return p <= 0.0f ? 0.0f : p; }\n\n";

/* elementary_asinh of math/elementary/elementary.c; arguments are floats, so none needs care for
 * the smallest doubles. */
static const char ASINH[] =
    "/* log(2^e (m + low)) for m between sqrt(1/2) and sqrt(2). */\n"
    "static double log_of_parts(int e, double m, double low) {\n"
    "    const double f = m - 1.0, s = f / (2.0 + f), z = s * s, n = (double)e;\n"
    "    double sum = 2.0 / 25;\n"
    "    for (int i = 23; i >= 3; i -= 2) {\n"
    "        sum = sum * z + 2.0 / i;\n"
    "    }\n"
    "    const double correction = s * (f - sum * z) - low;\n"
    "    return e == 0 ? f - correction : n * 0x1.62e42feep-1 + (f - (correction - n * 0x1.a39ef35793c76p-33));\n"
    "}\n\n"
    "static double log_of(double x, double low) {\n"
    "    union {\n"
    "        double value;\n"
    "        uint64_t bits;\n"
    "    } number;\n"
    "    number.value = x;\n"
    "    int e = (int)(number.bits >> 52) - 1023;\n"
    "    number.bits = (number.bits & 0xfffffffffffffu) | 0x3ff0000000000000u;\n"
    "    if (number.value > 1.4142135623730951) {\n"
    "        number.value *= 0.5;\n"
    "        e++;\n"
    "    }\n"
    "    return log_of_parts(e, number.value, low);\n"
    "}\n\n"
    "/* asinh x = log(1 + y), y = |x| + x^2 / (1 + sqrt(1 + x^2)); 1 + y is kept as a sum of two doubles. */\n"
    "static float asinh_of(float x) {\n"
    "    const double a = (double)(x < 0.0f ? -x : x);\n"
    "    double result;\n"
    "    if (a < 0x1p-28) {\n"
    "        return x;\n"
    "    }\n"
    "    if (a > 0x1p28) {\n"
    "        result = log_of(a > (double)FLT_MAX ? (double)FLT_MAX : a, 0.0) + (0x1.62e42feep-1 + "
    "0x1.a39ef35793c76p-33);\n"
    "    } else {\n"
    "        const double w = a * a / (1.0 + sqrt(1.0 + a * a));\n"
    "        const double y = a + w, y_low = w - (y - a);\n"
    "        const double u = 1.0 + y, u_low = (y < 1.0 ? y - (u - 1.0) : 1.0 - (u - y)) + y_low;\n"
    "        result = log_of(u, u_low / u);\n"
    "    }\n"
    "    return (float)(x < 0.0f ? -result : result);\n"
    "}\n\n";

static const struct {
    const char *text;
    unsigned piece, needs; /* what it belongs to, and the other pieces it calls */
    size_t code, frames;   /* bytes, for c_writer.code and .stack */
} PARTS[] = {
    {HALVES, PIECE_HALVES, 0, 110, 0},
    {POWERS, PIECE_POWERS, 0, 60, 0},
    {COSINE_OF, PIECE_COSINE, 0, 200, 0},
    {QUARTERS, PIECE_COSINE, 0, 200, 20},
    {COSINE_FAR, PIECE_FAR, 0, 430, 40},
    {COSINE_FAR_SHORT, PIECE_FAR_SHORT, 0, 110, 10},
    {COSINE, PIECE_COSINE, 0, 150, 0},
    {DECAY, PIECE_DECAY, 0, 150, 8},
    {SIGMOID, PIECE_SIGMOID, PIECE_DECAY, 80, 16},
    {RELU, PIECE_RELU, 0, 20, 0},
    {ASINH, PIECE_ASINH, 0, 720, 100},
};

enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };

void emit_pieces(c_writer *self, unsigned pieces) {
    for (size_t i = 0; i < PART_COUNT; i++) {
        pieces |= (pieces & PARTS[i].piece) != 0 ? PARTS[i].needs : 0;
    }
    for (size_t i = 0; i < PART_COUNT; i++) {
        if ((pieces & PARTS[i].piece) != 0) {
            emit(self, PARTS[i].text);
            self->code += PARTS[i].code;
            self->stack += PARTS[i].frames;
        }
    }
}

static const activation_export ACTIVATIONS[] = {
    {"cos", "cosine(p)", PIECE_COSINE, true},
    {"sigmoid", "sigmoid(p)", PIECE_SIGMOID, true},
    {"relu", "relu(p)", PIECE_RELU, false},
    {"identity", "p", 0, false},
};

const activation_export *activation_export_find(const char *name) {
    for (size_t i = 0; i < sizeof ACTIVATIONS / sizeof ACTIVATIONS[0]; i++) {
        if (strcmp(ACTIVATIONS[i].name, name) == 0) {
            return &ACTIVATIONS[i];
        }
    }
    return NULL;
}
