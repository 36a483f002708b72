/* Dots of doubles; dots.h says what they are. Part of kernels_body.h. No fused multiply-add: every level gives the same bits. */
#ifndef CNM_MATH_SIMD_SIMD_DOTS_H
#define CNM_MATH_SIMD_SIMD_DOTS_H

#include "math/linalg/dot_products.h"
#include "math/simd/simd_vector.h"

#if defined(__GNUC__)
typedef double eight_doubles __attribute__((vector_size(64)));
typedef double eight_stored __attribute__((vector_size(64), aligned(8), may_alias));
#define ADD_PRODUCTS(sums, x, y) ((sums) += *(const eight_stored *)(x) * *(const eight_stored *)(y))
#else
typedef struct eight_doubles {
    double at[DOTS_SUMS];
} eight_doubles;
#define ADD_PRODUCTS(sums, x, y)                                                                                       \
    for (size_t lane = 0; lane < DOTS_SUMS; lane++) {                                                                  \
        (sums).at[lane] += (x)[lane] * (y)[lane];                                                                      \
    }
#endif

/* The eight sums, and the products behind them, added up in an order that never changes. */
INLINE double dots_end(const eight_doubles *sums, const double *x, const double *y, size_t rest) {
    double at[DOTS_SUMS];
    memcpy(at, sums, sizeof at);
    for (size_t i = 0; i < rest; i++) {
        at[i] += x[i] * y[i];
    }
    return ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7]));
}

/* `rows` (a constant) of them: their sums do not wait for each other. */
INLINE void dots_some(size_t rows, size_t depth, const double *x, const double *y, size_t stride, double *out) {
    eight_doubles sums[DOTS_ROWS];
    const size_t whole = depth / DOTS_SUMS * DOTS_SUMS;
    memset(sums, 0, sizeof sums);
    for (size_t i = 0; i < whole; i += DOTS_SUMS) {
        UNROLL
        for (size_t row = 0; row < rows; row++) {
            ADD_PRODUCTS(sums[row], x + i, y + row * stride + i);
        }
    }
    for (size_t row = 0; row < rows; row++) {
        out[row] = dots_end(&sums[row], x + whole, y + row * stride + whole, depth - whole);
    }
}

static void dots_run(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out) {
    size_t row = 0;
    for (; row + DOTS_ROWS <= rows; row += DOTS_ROWS) {
        dots_some(DOTS_ROWS, depth, x, y + row * stride, stride, out + row);
    }
    for (; row < rows; row++) {
        dots_some(1, depth, x, y + row * stride, stride, out + row);
    }
}

#endif
