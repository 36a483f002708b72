/* What the tests of maps share: rows made from a seed, dense and sparse, and one call that runs a
 * map over them. */
#ifndef CNM_TESTS_MAP_SUPPORT_H
#define CNM_TESTS_MAP_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/random.h"
#include "map/layer.h"
#include "math/gemm/gemm.h"
#include "math/random/variates.h"

/* The same numbers twice: dense, its buffer padded with zero rows to whole blocks, and as CSR. */
typedef struct test_rows {
    rows_view dense, sparse;
    float *values, *stored;
    size_t *starts;
    uint32_t *index;
} test_rows;

static inline void *test_take(size_t count, size_t size) {
    void *pointer = calloc(count + 1, size);
    assert_non_null(pointer);
    return pointer;
}

/* Normal entries, of which a fraction `filled` is kept. */
static inline test_rows rows_make(uint64_t seed, size_t rows, size_t columns, double filled) {
    const size_t padded = (rows / GEMM_ROWS + 1) * GEMM_ROWS;
    const random_stream values = {seed, RANDOM_TEST, 0}, kept = {seed, RANDOM_TEST, 1};
    test_rows out = {0};
    size_t count = 0;
    out.values = test_take(padded * columns, sizeof(float));
    out.stored = test_take(rows * columns, sizeof(float));
    out.index = test_take(rows * columns, sizeof(uint32_t));
    out.starts = test_take(rows + 1, sizeof(size_t));
    variates_normal(values, 0, rows * columns, 1.0, out.values);
    for (size_t i = 0; i < rows * columns; i++) {
        if (random_uniform(kept, i) >= filled) {
            out.values[i] = 0;
        } else {
            out.stored[count] = out.values[i];
            out.index[count++] = (uint32_t)(i % columns);
        }
        out.starts[i / columns + 1] = count;
    }
    out.dense = (rows_view){.rows = rows, .columns = columns, .values = out.values, .stride = columns};
    out.sparse =
        (rows_view){.rows = rows, .columns = columns, .values = out.stored, .starts = out.starts, .index = out.index};
    return out;
}

static inline void rows_free(test_rows *self) {
    free(self->values);
    free(self->stored);
    free(self->starts);
    free(self->index);
}

static inline layer *draw_map(const layer_spec *spec) {
    cnm_error error = {0};
    layer *self;
    const cnm_status status = layer_draw(&self, spec, &error);
    if (status != CNM_OK) {
        fail_msg("map_draw: %s", error.message);
    }
    return self;
}

/* z, slope (rows, features) for any number of rows; slope may be NULL. */
static inline void run_map(const layer *self, rows_view u, float *z, float *slope) {
    const size_t k = self->features;
    float *scratch = test_take(layer_scratch_size(self), sizeof(float));
    float *block = test_take(GEMM_ROWS * k, sizeof(float)), *slopes = test_take(GEMM_ROWS * k, sizeof(float));
    for (size_t first = 0; first < u.rows; first += GEMM_ROWS) {
        const rows_view part = rows_slice(u, first, GEMM_ROWS);
        layer_forward(self, &part, block, slope == NULL ? NULL : slopes, scratch);
        memcpy(z + first * k, block, part.rows * k * sizeof *z);
        if (slope != NULL) {
            memcpy(slope + first * k, slopes, part.rows * k * sizeof *slope);
        }
    }
    free(scratch);
    free(block);
    free(slopes);
}

/* Gradients of all learned tensors and the phases. */
static inline void run_gradient(const layer *self, rows_view u, const float *g, float *const gradients[LAYER_TENSORS],
                                float *phase_gradient, size_t threads) {
    float *work = test_take(layer_gradient_work_size(self, u.rows, threads), sizeof(float));
    thread_pool *pool = thread_pool_create(threads);
    layer_gradient(self, &u, g, gradients, phase_gradient, pool, work);
    thread_pool_destroy(pool);
    free(work);
}

#endif
