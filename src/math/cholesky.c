/* Row by row: entries of L are dots of rows that are done, each along memory. */
#include "math/cholesky.h"

#include <math.h>

/* Four sums that do not wait for each other, always added in the same order. */
static double dot(const double *x, const double *y, size_t count) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        for (size_t j = 0; j < 4; j++) {
            sums[j] += x[i + j] * y[i + j];
        }
    }
    for (; i < count; i++) {
        sums[0] += x[i] * y[i];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

bool cholesky_factor(double *a, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t j = 0; j < i; j++) {
            const double *above = a + j * n;
            row[j] = (row[j] - dot(row, above, j)) / above[j];
        }
        const double left = row[i] - dot(row, row, i);
        if (!(left > 0.0)) {
            return false;
        }
        row[i] = sqrt(left);
    }
    return true;
}

static void subtract(double *from, double factor, const double *row, size_t count) {
    for (size_t c = 0; c < count; c++) {
        from[c] -= factor * row[c];
    }
}

static void divide(double *row, double by, size_t count) {
    for (size_t c = 0; c < count; c++) {
        row[c] /= by;
    }
}

void cholesky_solve_lower(const double *l, size_t n, double *x, size_t columns) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            subtract(x + i * columns, l[i * n + j], x + j * columns, columns);
        }
        divide(x + i * columns, l[i * n + i], columns);
    }
}

void cholesky_solve_upper(const double *l, size_t n, double *x, size_t columns) {
    for (size_t i = n; i-- > 0;) {
        divide(x + i * columns, l[i * n + i], columns);
        for (size_t j = 0; j < i; j++) {
            subtract(x + j * columns, l[i * n + j], x + i * columns, columns);
        }
    }
}
