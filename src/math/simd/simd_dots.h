/* Dot products of doubles; dot_products.h documents them. Part of simd_body.h. No fused
 * multiply-add: every level gives the same bits. */
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
    double at[DOT_PRODUCT_SUMS];
} eight_doubles;
#define ADD_PRODUCTS(sums, x, y)                                                                                       \
    for (size_t lane = 0; lane < DOT_PRODUCT_SUMS; lane++) {                                                           \
        (sums).at[lane] += (x)[lane] * (y)[lane];                                                                      \
    }
#endif

/* Adds the eight sums, and the products behind them, in an order that never changes. */
INLINE double dot_products_end(const eight_doubles *sums, const double *x, const double *y, size_t rest) {
    double at[DOT_PRODUCT_SUMS];
    memcpy(at, sums, sizeof at);
    for (size_t i = 0; i < rest; i++) {
        at[i] += x[i] * y[i];
    }
    return ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7]));
}

/* Computes `rows` (a constant) dot products: their sums do not wait for each other. */
INLINE void dot_products_some(size_t rows, size_t depth, const double *x, const double *y, size_t stride, double *out) {
    eight_doubles sums[DOT_PRODUCT_ROWS];
    const size_t whole = depth / DOT_PRODUCT_SUMS * DOT_PRODUCT_SUMS;
    memset(sums, 0, sizeof sums);
    for (size_t i = 0; i < whole; i += DOT_PRODUCT_SUMS) {
        UNROLL
        for (size_t row = 0; row < rows; row++) {
            ADD_PRODUCTS(sums[row], x + i, y + row * stride + i);
        }
    }
    for (size_t row = 0; row < rows; row++) {
        out[row] = dot_products_end(&sums[row], x + whole, y + row * stride + whole, depth - whole);
    }
}

static void dot_products_run(size_t depth, const double *x, const double *y, size_t stride, size_t rows, double *out) {
    size_t row = 0;
    for (; row + DOT_PRODUCT_ROWS <= rows; row += DOT_PRODUCT_ROWS) {
        dot_products_some(DOT_PRODUCT_ROWS, depth, x, y + row * stride, stride, out + row);
    }
    for (; row < rows; row++) {
        dot_products_some(1, depth, x, y + row * stride, stride, out + row);
    }
}

#endif
