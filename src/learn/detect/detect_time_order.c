/* Compares adjacent rows with rows of the same class that are a third of the file apart. */
#include "learn/detect/detect_time_order.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/tuning.h"

enum { SAMPLE = 1000 };

static bool same_class(const dataset *data, size_t i, size_t j) {
    return data->codes == NULL || data->codes[i] == data->codes[j];
}

/* Returns a row of the same class about a third of the file after row `at`; `at` itself where there
 * is none. */
static size_t distant_row(const dataset *data, size_t at) {
    const size_t rows = data->rows.rows;
    for (size_t n = 0; n < rows; n++) {
        const size_t row = (at + rows / 3 + n) % rows;
        if (row != at && same_class(data, at, row)) {
            return row;
        }
    }
    return at;
}

/* Fills `order` with triples of a row, the next row where it is of the same class, and a distant
 * row; returns how many. */
static size_t pick_triples(const dataset *data, size_t *order) {
    const size_t rows = data->rows.rows;
    size_t count = 0;
    for (size_t n = 0; n < SAMPLE; n++) {
        const size_t at = (size_t)((double)n * (double)(rows - 1) / SAMPLE);
        if (same_class(data, at, at + 1)) {
            order[3 * count] = at;
            order[3 * count + 1] = at + 1;
            order[3 * count + 2] = distant_row(data, at);
            count++;
        }
    }
    return count;
}

/* Returns whether a column changes less than half as much from a row to the next as to a distant
 * row. */
static bool column_is_ordered(const rows_view *rows, size_t count, size_t column) {
    double near = 0.0, far = 0.0;
    size_t differ = 0;
    for (size_t i = 0; i < count; i++) {
        const float *row = rows->values + 3 * i * rows->stride + column, *next = row + rows->stride,
                    *other = next + rows->stride;
        near += fabs((double)*row - (double)*next);
        far += fabs((double)*row - (double)*other);
        differ += *row != *other;
    }
    return differ > SAMPLE / 20 && near < TUNING.time_order_share * far;
}

cnm_status detect_time_order(const dataset *data, const input_source *rows, bool *out, cnm_error *err) {
    input_block block = {0};
    size_t *order = NULL;
    cnm_status status = CNM_OK;
    *out = false;
    if (data->rows.rows < SAMPLE || rows->sparse) {
        return CNM_OK;
    }
    TRY_DONE(memory_take(&order, 3 * (size_t)SAMPLE, sizeof *order, "a sample of rows", err));
    TRY_DONE(input_block_create(&block, rows, 3 * (size_t)SAMPLE, err));
    const size_t count = pick_triples(data, order);
    size_t columns = 0;
    TRY_DONE(input_take(rows, order, 0, 3 * count, &block, err));
    for (size_t j = 0; count > SAMPLE / 10 && j < data->rows.columns; j++) {
        columns += column_is_ordered(&block.view, count, j);
    }
    *out = columns > 1 && columns * 20 > data->rows.columns;
done:
    memory_free(order);
    input_block_free(&block);
    return status;
}
