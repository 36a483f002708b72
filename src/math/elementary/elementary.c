/* log, exp, sin, cos and asinh in double with polynomials of the library: only + - * / and sqrt,
 * which IEEE 754 rounds the same way everywhere, so the bits do not depend on the platform's
 * libm. Scalar and simple: they serve variates, tables of twiddles and scaling, not inner loops.
 *
 * Measured against long double, 10^6 random arguments each: the largest errors in units in the last
 * place are log 0.9, exp 0.9, sin and cos 1.5, asinh 1.3; the tests hold each to 2. */
#include "math/elementary/contraction.h"

#include "math/elementary/elementary.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 = LN2_HIGH + LN2_LOW; the high part has 32 bits, so that n * LN2_HIGH is exact for |n| <
 * 2^21. */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Returns 2^n for -1022 <= n <= 1023. */
static double power_of_two(int n) { return from_bits((uint64_t)(n + 1023) << 52); }

/* Splits x (normal, > 0) = 2^*exponent * result with sqrt(1/2) <= result < sqrt(2). */
static double split_exponent(double x, int *exponent) {
    const uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52) - 1023;
    double m = from_bits((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        e++;
    }
    *exponent = e;
    return m;
}

/* Returns 2 (atanh(s) / s - 1) = 2 (z/3 + z^2/5 + ...) with z = s^2 <= 0.0295: twelve terms leave
 * 2e-20. */
static double atanh_tail(double z) {
    double sum = 2.0 / 25;
    for (int n = 23; n >= 3; n -= 2) {
        sum = sum * z + 2.0 / n;
    }
    return sum * z;
}

/* Returns log(2^e (m + low)) for m in [sqrt(1/2), sqrt(2)] and |low| < 2^-52: with f = m - 1
 * (exact) and s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - tail), whose first term carries
 * no error. */
static double log_of_parts(int e, double m, double low) {
    const double f = m - 1.0, s = f / (2.0 + f);
    const double correction = s * (f - atanh_tail(s * s)) - low;
    const double n = (double)e;
    return e == 0 ? f - correction : n * LN2_HIGH + (f - (correction - n * LN2_LOW));
}

double elementary_log(double x) {
    int e = 0, scaled = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        scaled = 54;
    }
    const double m = split_exponent(x, &e);
    return log_of_parts(e - scaled, m, 0.0);
}

/* Returns exp(x) = 2^n exp(r), |r| <= ln 2 / 2; r = high - low keeps the bits that one double would
 * lose. */
double elementary_exp(double x) {
    if (!(x < 710.0)) {
        return x != x ? x : INFINITY;
    }
    if (x < -746.0) {
        return 0.0;
    }
    const double n = floor(x * 0x1.71547652b82fep+0 + 0.5);
    const double high = x - n * LN2_HIGH, low = n * LN2_LOW, r = high - low;
    double sum = 1.0 / 14;
    for (int i = 13; i >= 3; i--) { /* Taylor: r^15 / 15! < 1e-19 */
        sum = (1.0 + sum * r) / i;
    }
    const double tail = r * r * 0.5 * (1.0 + sum * r);
    /* r rounded, so its own error (high - r) - low joins the tail. */
    const double y = 1.0 + (r + (tail + ((high - r) - low)));
    const int half = (int)n / 2;
    return y * power_of_two(half) * power_of_two((int)n - half);
}

/* Return sin t and cos t for |t| <= pi / 4 by Taylor series: the first terms left out are below
 * 1e-19. */
static double sin_series(double t) {
    const double z = t * t;
    double sum = 1.0;
    for (int i = 16; i >= 4; i -= 2) {
        sum = 1.0 - sum * z / (i * (i + 1));
    }
    return t - t * z / 6 * sum;
}

static double cos_series(double t) {
    const double z = t * t;
    double sum = 1.0;
    for (int i = 17; i >= 3; i -= 2) {
        sum = 1.0 - sum * z / (i * (i + 1));
    }
    return 1.0 - z * 0.5 * sum;
}

void elementary_sincos_turns(double turns, double *s, double *c) {
    const double quarters = floor(turns * 4.0 + 0.5);
    const double r = turns - quarters * 0.25; /* exact */
    /* t = 2 pi r rounded once: the high halves of r and 2 pi have 26 bits each, so their product is
     * exact. */
    const double tau_high = 0x1.921fb58p+2, tau_low = -0x1.dde973dcb3b3ap-25;
    const double r_high = from_bits(bits_of(r) & ~(uint64_t)0x7ffffff), r_low = r - r_high;
    const double t = r_high * tau_high + (r_low * tau_high + r * tau_low);
    const double sine = sin_series(t), cosine = cos_series(t);
    switch ((int)quarters & 3) {
    case 0:
        *s = sine, *c = cosine;
        break;
    case 1:
        *s = cosine, *c = -sine;
        break;
    case 2:
        *s = -sine, *c = -cosine;
        break;
    default:
        *s = -cosine, *c = sine;
        break;
    }
}

/* Returns asinh x = log(1 + y), y = x + x^2 / (1 + sqrt(1 + x^2)) for x >= 0; 1 + y is kept as a
 * sum of two doubles. */
double elementary_asinh(double x) {
    const double a = fabs(x);
    double result;
    if (a < 0x1p-28) {
        return x;
    }
    if (a > 0x1p28) {
        result = elementary_log(a) + (LN2_HIGH + LN2_LOW);
    } else {
        const double w = a * a / (1.0 + sqrt(1.0 + a * a));
        const double y = a + w, y_low = w - (y - a); /* exact: w < a */
        const double u = 1.0 + y, u_low = (y < 1.0 ? y - (u - 1.0) : 1.0 - (u - y)) + y_low;
        int e = 0;
        const double m = split_exponent(u, &e);
        result = log_of_parts(e, m, u_low / u);
    }
    return x < 0 ? -result : result;
}
