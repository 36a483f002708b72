/* Neighbours in the file against strangers. */
#include "learn/detect/detect_time_order.h"

#include <math.h>

#include "base/core/memory.h"

enum { PLACES = 1000 };

static bool same_class(const problem *task, size_t i, size_t j) {
    return task->codes == NULL || task->codes[i] == task->codes[j];
}

/* The row after `place` that has its class, but not the one that follows at once: a stranger, a third of the file away. */
static size_t stranger_of(const problem *task, size_t place) {
    const size_t rows = task->rows.rows;
    for (size_t n = 0; n < rows; n++) {
        const size_t row = (place + rows / 3 + n) % rows;
        if (row != place && same_class(task, place, row)) {
            return row;
        }
    }
    return place;
}

/* Threes of a row, its neighbour and its stranger, where the neighbour is of its class; returns how many. */
static size_t pick(const problem *task, size_t *order) {
    const size_t rows = task->rows.rows;
    size_t count = 0;
    for (size_t n = 0; n < PLACES; n++) {
        const size_t place = (size_t)((double)n * (double)(rows - 1) / PLACES);
        if (same_class(task, place, place + 1)) {
            order[3 * count] = place;
            order[3 * count + 1] = place + 1;
            order[3 * count + 2] = stranger_of(task, place);
            count++;
        }
    }
    return count;
}

/* Of one column: whether it changes half as much from a row to its neighbour as to a stranger. */
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
    return differ > PLACES / 20 && near < 0.5 * far;
}

cnm_status rows_are_ordered(const problem *task, const input_source *rows, bool *ordered, cnm_error *err) {
    input_block block = {0};
    size_t *order = NULL;
    *ordered = false;
    if (task->rows.rows < PLACES || rows->sparse) {
        return CNM_OK;
    }
    cnm_status status = memory_take(&order, 3 * (size_t)PLACES, sizeof *order, "a sample of rows", err);
    if (status == CNM_OK) {
        status = input_block_create(&block, rows, 3 * (size_t)PLACES, err);
    }
    if (status == CNM_OK) {
        const size_t count = pick(task, order);
        size_t columns = 0;
        status = input_take(rows, order, 0, 3 * count, &block, err);
        for (size_t j = 0; status == CNM_OK && count > PLACES / 10 && j < task->rows.columns; j++) {
            columns += column_is_ordered(&block.view, count, j);
        }
        *ordered = columns > 1 && columns * 20 > task->rows.columns;
    }
    memory_free(order);
    input_block_free(&block);
    return status;
}
