/* Cholesky's factor in blocks of columns. Most of the work are products of whole rows, with the
 * columns before a block; each row's products are independent. The products inside a block come
 * after. */
#include "math/linalg/cholesky.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/linalg/dot_products.h"

enum { BLOCK = 32, ROWS_A_TASK = 16, UNITS = 16 };

/* ---- The factor ---- */

typedef struct factor_task {
    double *a;
    size_t n, first, width; /* the block's columns */
} factor_task;

/* Computes row i of the block's columns, as far as the diagonal; the rows above it are done. */
static void finish_row(const factor_task *self, size_t i) {
    double *row = self->a + i * self->n + self->first, taken[BLOCK];
    const size_t count = i - self->first < self->width ? i - self->first + 1 : self->width;
    const double *block = self->a + self->first * self->n;
    dot_products(self->first, row - self->first, block, self->n, count, taken);
    for (size_t j = 0; j < count; j++) {
        const double *above = block + j * self->n + self->first;
        double left = row[j] - taken[j];
        for (size_t c = 0; c < j; c++) {
            left -= row[c] * above[c];
        }
        row[j] = i == self->first + j ? sqrt(left) : left / above[j];
    }
}

static void finish_rows(void *context, size_t index, size_t worker) {
    const factor_task *self = context;
    const size_t from = self->first + self->width + index * ROWS_A_TASK;
    (void)worker;
    for (size_t i = from; i < self->n && i < from + ROWS_A_TASK; i++) {
        finish_row(self, i);
    }
}

bool cholesky_factor(double *a, size_t n, thread_pool *pool) {
    for (size_t first = 0; first < n; first += BLOCK) {
        factor_task task = {a, n, first, n - first < BLOCK ? n - first : BLOCK};
        for (size_t i = first; i < first + task.width; i++) {
            finish_row(&task, i);
            if (!(a[i * n + i] > 0.0)) { /* the root of a number below 0 is NaN */
                return false;
            }
        }
        threads_for(pool, (n - first - task.width + ROWS_A_TASK - 1) / ROWS_A_TASK, finish_rows, &task);
    }
    return true;
}

/* ---- Solutions ---- */

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

/* ---- The inverse ---- */

/* Columns of L^-1, UNITS at a time: the sum of the squares of a column is an entry of the
 * diagonal. */
typedef struct inverse_task {
    const double *l;
    size_t n;
    double *columns; /* (workers, UNITS, n) */
    double *out;
} inverse_task;

static void take_units(void *context, size_t index, size_t worker) {
    const inverse_task *self = context;
    const size_t n = self->n, first = index * UNITS, count = n - first < UNITS ? n - first : UNITS;
    double *columns = self->columns + worker * UNITS * n, taken[UNITS];
    for (size_t i = first; i < n; i++) {
        const double *row = self->l + i * n;
        dot_products(i - first, row + first, columns + first, n, count, taken);
        for (size_t c = 0; c < count; c++) {
            columns[c * n + i] = ((i == first + c ? 1.0 : 0.0) - taken[c]) / row[i];
        }
    }
    for (size_t c = 0; c < count; c++) {
        dot_products(n - first, columns + c * n + first, columns + c * n + first, n, 1, self->out + first + c);
    }
}

cnm_status cholesky_inverse_diagonal(const double *l, size_t n, thread_pool *pool, double *out, cnm_error *err) {
    inverse_task task = {.l = l, .n = n, .out = out};
    TRY(memory_take(&task.columns, thread_pool_size(pool) * UNITS, n * sizeof *task.columns, "an inverse", err));
    threads_for(pool, (n + UNITS - 1) / UNITS, take_units, &task);
    memory_free(task.columns);
    return CNM_OK;
}
