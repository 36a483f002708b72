/* Dense sums run in LANES accumulators, which a compiler turns into vectors. Their order is fixed,
 * and so are the bits of the result. */
#include "learn/dataset/distances.h"

#include <math.h>

#include "math/elementary/elementary.h"
#include "math/gemm/gemm.h"

enum { LANES = 16 };

static double sum_lanes(const double lanes[LANES]) {
    double sum = 0.0;
    for (size_t l = 0; l < LANES; l++) {
        sum += lanes[l];
    }
    return sum;
}

static double dense_squares(const float *x, const float *y, size_t columns) {
    double lanes[LANES] = {0};
    size_t j = 0;
    for (; j + LANES <= columns; j += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            const double difference = (double)(x[j + l] - y[j + l]);
            lanes[l] += difference * difference;
        }
    }
    for (size_t l = 0; j < columns; j++, l++) {
        const double difference = (double)(x[j] - y[j]);
        lanes[l] += difference * difference;
    }
    return sum_lanes(lanes);
}

static double dense_absolute(const float *x, const float *y, size_t columns) {
    double lanes[LANES] = {0};
    size_t j = 0;
    for (; j + LANES <= columns; j += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            lanes[l] += (double)fabsf(x[j + l] - y[j + l]);
        }
    }
    for (size_t l = 0; j < columns; j++, l++) {
        lanes[l] += (double)fabsf(x[j] - y[j]);
    }
    return sum_lanes(lanes);
}

/* Returns the product over columns of 1 + gamma^2 z^2, z = x - y. */
static double dense_cauchy(const float *x, const float *y, size_t columns, double gamma) {
    double lanes[LANES], product = 1.0;
    const double square = gamma * gamma;
    size_t j = 0;
    for (size_t l = 0; l < LANES; l++) {
        lanes[l] = 1.0;
    }
    for (; j + LANES <= columns; j += LANES) {
        for (size_t l = 0; l < LANES; l++) {
            const double difference = (double)(x[j + l] - y[j + l]);
            lanes[l] *= 1.0 + square * difference * difference;
        }
    }
    for (size_t l = 0; j < columns; j++, l++) {
        const double difference = (double)(x[j] - y[j]);
        lanes[l] *= 1.0 + square * difference * difference;
    }
    for (size_t l = 0; l < LANES; l++) {
        product *= lanes[l];
    }
    return product;
}

typedef struct sparse_sums {
    double squares, absolute, cauchy;
} sparse_sums;

/* Merges two sparse rows by column, and returns the sums of all three kernels. */
static sparse_sums sparse_difference(const rows_view *rows, size_t a, size_t b, double gamma) {
    size_t i = rows->starts[a], j = rows->starts[b];
    const size_t i_end = rows->starts[a + 1], j_end = rows->starts[b + 1];
    sparse_sums sums = {0.0, 0.0, 1.0};
    while (i < i_end || j < j_end) {
        const bool take_i = j == j_end || (i < i_end && rows->index[i] <= rows->index[j]);
        const bool take_j = i == i_end || (j < j_end && rows->index[j] <= rows->index[i]);
        const double difference = (take_i ? (double)rows->values[i] : 0.0) - (take_j ? (double)rows->values[j] : 0.0);
        sums.squares += difference * difference;
        sums.absolute += fabs(difference);
        sums.cauchy *= 1.0 + gamma * gamma * difference * difference;
        i += take_i;
        j += take_j;
    }
    return sums;
}

double distance_rows(const rows_view *rows, size_t i, size_t j, bool absolute) {
    if (rows_are_sparse(rows)) {
        const sparse_sums sums = sparse_difference(rows, i, j, 0.0);
        return absolute ? sums.absolute : sqrt(sums.squares);
    }
    const float *x = rows->values + i * rows->stride, *y = rows->values + j * rows->stride;
    return absolute ? dense_absolute(x, y, rows->columns) : sqrt(dense_squares(x, y, rows->columns));
}

double distance_square(const float *values, size_t count) {
    double sum = 0.0;
    for (size_t j = 0; j < count; j++) {
        sum += (double)values[j] * (double)values[j];
    }
    return sum;
}

void distance_squares(const rows_view *rows, double *squares) {
    for (size_t i = 0; i < rows->rows; i++) {
        const bool sparse = rows_are_sparse(rows);
        const float *values = sparse ? rows->values + rows->starts[i] : rows->values + i * rows->stride;
        const size_t count = sparse ? rows->starts[i + 1] - rows->starts[i] : rows->columns;
        squares[i] = distance_square(values, count);
    }
}

/* Takes distances as |x|^2 + |y|^2 - 2 x y by a product of matrices; rounding is about 1e-7 of the
 * squared lengths. */
static void dense_gaussian(const rows_view *rows, const double *squares, size_t first, size_t count, double gamma,
                           float *out) {
    gemm(&(gemm_call){.transpose_b = true,
                      .m = count,
                      .n = rows->rows,
                      .k = rows->columns,
                      .a = rows->values + first * rows->stride,
                      .lda = rows->stride,
                      .b = rows->values,
                      .ldb = rows->stride,
                      .c = out,
                      .ldc = rows->rows});
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < rows->rows; j++) {
            const double distance = squares[first + i] + squares[j] - 2.0 * (double)out[i * rows->rows + j];
            out[i * rows->rows + j] = (float)elementary_exp(-gamma * (distance > 0.0 ? distance : 0.0));
        }
    }
}

static double one_kernel(const rows_view *rows, size_t i, size_t j, map_kernel kernel, double gamma) {
    sparse_sums sums = {0.0, 0.0, 1.0};
    if (rows_are_sparse(rows)) {
        sums = sparse_difference(rows, i, j, gamma);
    } else {
        const float *x = rows->values + i * rows->stride, *y = rows->values + j * rows->stride;
        if (kernel == KERNEL_LAPLACIAN) {
            sums.absolute = dense_absolute(x, y, rows->columns);
        } else {
            sums.cauchy = dense_cauchy(x, y, rows->columns, gamma);
        }
    }
    return kernel == KERNEL_GAUSSIAN    ? elementary_exp(-gamma * sums.squares)
           : kernel == KERNEL_LAPLACIAN ? elementary_exp(-gamma * sums.absolute)
                                        : 1.0 / sums.cauchy;
}

void distance_kernels(const rows_view *rows, const double *squares, size_t first, size_t count, map_kernel kernel,
                      double gamma, float *out) {
    if (kernel == KERNEL_GAUSSIAN && !rows_are_sparse(rows)) {
        dense_gaussian(rows, squares, first, count, gamma, out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < rows->rows; j++) {
            out[i * rows->rows + j] = (float)one_kernel(rows, first + i, j, kernel, gamma);
        }
    }
}
