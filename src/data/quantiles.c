/* Quartiles of columns by selection: exact order statistics, so the order of the work cannot change a bit. */
#include "data/quantiles.h"

#include "base/memory.h"
#include "math/select.h"

enum { MAX_ROWS = 100000 };

/* The sampled rows, column by column: column j holds values[starts[j] .. starts[j+1]); what is absent is 0. */
typedef struct column_values {
    float *values;
    size_t *starts; /* (columns + 1) */
    size_t rows;
} column_values;

/* The value of rank `rank` among `rows` values, of which `zeros` are absent zeros; below: stored ones less than 0. */
static double value_at(float *values, size_t count, size_t zeros, size_t below, size_t rank) {
    if (rank >= below && rank < below + zeros) {
        return 0;
    }
    return (double)select_rank(values, count, rank < below ? rank : rank - zeros);
}

static void column_quartiles(float *values, size_t count, size_t rows, double *out) {
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        below += values[i] < 0;
    }
    for (size_t q = 0; q < 3; q++) {
        const size_t scaled = (rows - 1) * (q + 1); /* the position is scaled / 4 */
        const size_t rank = scaled / 4;
        const double part = (double)(scaled % 4) / 4;
        const double low = value_at(values, count, rows - count, below, rank);
        out[q] = part > 0 ? low + part * (value_at(values, count, rows - count, below, rank + 1) - low) : low;
    }
}

static size_t sampled_row(const rows_view *rows, size_t sampled, size_t i) {
    return sampled == rows->rows ? i : (size_t)((double)i * ((double)rows->rows / (double)sampled));
}

/* starts (columns + 1) from the number of stored values of each column in the sampled rows. */
static void count_columns(const rows_view *rows, column_values *out) {
    for (size_t i = 0; i < out->rows; i++) {
        const size_t row = sampled_row(rows, out->rows, i);
        for (size_t at = rows->starts[row]; at < rows->starts[row + 1]; at++) {
            out->starts[rows->index[at] + 1]++;
        }
    }
    for (size_t j = 0; j < rows->columns; j++) {
        out->starts[j + 1] += out->starts[j];
    }
}

static cnm_status gather_sparse(const rows_view *rows, column_values *out, cnm_error *err) {
    size_t *next;
    cnm_status status = memory_zeroed(&out->starts, rows->columns + 1, sizeof *out->starts, "quantiles", err);
    if (status != CNM_OK) {
        return status;
    }
    count_columns(rows, out);
    status = memory_take(&out->values, out->starts[rows->columns], sizeof *out->values, "quantiles", err);
    if (status == CNM_OK) {
        status = memory_take(&next, rows->columns, sizeof *next, "quantiles", err);
    }
    if (status != CNM_OK) {
        return status;
    }
    for (size_t j = 0; j < rows->columns; j++) {
        next[j] = out->starts[j];
    }
    for (size_t i = 0; i < out->rows; i++) {
        const size_t row = sampled_row(rows, out->rows, i);
        for (size_t at = rows->starts[row]; at < rows->starts[row + 1]; at++) {
            out->values[next[rows->index[at]]++] = rows->values[at];
        }
    }
    memory_free(next);
    return CNM_OK;
}

static cnm_status find_dense(const rows_view *rows, size_t sampled, double *quartiles, cnm_error *err) {
    float *column;
    const cnm_status status = memory_take(&column, sampled, sizeof *column, "quantiles", err);
    for (size_t j = 0; status == CNM_OK && j < rows->columns; j++) {
        for (size_t i = 0; i < sampled; i++) {
            column[i] = rows->values[sampled_row(rows, sampled, i) * rows->stride + j];
        }
        column_quartiles(column, sampled, sampled, quartiles + 3 * j);
    }
    memory_free(column);
    return status;
}

cnm_status quantiles_find(const rows_view *rows, double *quartiles, cnm_error *err) {
    const size_t sampled = rows->rows < MAX_ROWS ? rows->rows : MAX_ROWS;
    if (!rows_are_sparse(rows)) {
        return find_dense(rows, sampled, quartiles, err);
    }
    column_values columns = {.rows = sampled};
    const cnm_status status = gather_sparse(rows, &columns, err);
    for (size_t j = 0; status == CNM_OK && j < rows->columns; j++) {
        const size_t start = columns.starts[j];
        column_quartiles(columns.values + start, columns.starts[j + 1] - start, sampled, quartiles + 3 * j);
    }
    memory_free(columns.values);
    memory_free(columns.starts);
    return status;
}
