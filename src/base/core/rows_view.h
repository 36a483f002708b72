/* A borrowed view of rows of numbers, dense or sparse. Owns nothing. */
#ifndef CNM_BASE_CORE_ROWS_VIEW_H
#define CNM_BASE_CORE_ROWS_VIEW_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct rows_view {
    size_t rows, columns;
    /* Dense: values (rows, columns) with `stride` floats from row to row; starts and index are
     * NULL. */
    /* Sparse (CSR): row i holds values[starts[i] .. starts[i+1]) at columns index[...], ascending
     * within a row. */
    const float *values;
    size_t stride;
    const size_t *starts;
    const uint32_t *index;
    /* The true value in column j is base[j] + the stored value; NULL means 0 everywhere. Only dense
     * rows have a base: it keeps the digits of columns such as 1.7e9 +- 3600, which float32 alone
     * would lose. */
    const double *base;
} rows_view;

static inline bool rows_are_sparse(const rows_view *self) { return self->starts != NULL; }

/* Returns the rows first .. first + count of self; count is cut at the end. */
rows_view rows_slice(rows_view self, size_t first, size_t count);

/* Returns whether a stored cell is NaN. */
bool rows_have_nan(const rows_view *self);

/* Copies the rows order[0 .. count) (order NULL: rows 0 .. count) densely into out (count,
 * columns); base is not added. */
void rows_gather(rows_view self, const size_t *order, size_t count, float *out);

#endif
