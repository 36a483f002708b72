/* Random numbers from a seed, and random rows that are the same dense and sparse. */
#ifndef CNM_TESTS_SUPPORT_RANDOM_ROWS_H
#define CNM_TESTS_SUPPORT_RANDOM_ROWS_H

#include "support/checks.h"

#include "base/core/rows_view.h"

/* Returns number `index` of a stream of uniform numbers in (0, 1). */
double uniform(uint64_t seed, uint64_t index);

/* Fills out (count) with normal numbers of this standard deviation. */
void normals(uint64_t seed, size_t count, double scale, float *out);

/* The same rows dense and as CSR. */
typedef struct twin_rows {
    rows_view dense, sparse;
    float *values, *stored;
    size_t *starts;
    uint32_t *index;
} twin_rows;

/* Makes rows of normal entries, of which a fraction `filled` is kept; entry i is the same whatever
 * is kept. */
twin_rows twin_make(uint64_t seed, size_t rows, size_t columns, double filled);
void twin_free(twin_rows *self);

#endif
