/* Quartiles of columns by selection: exact order statistics, whose bits do not depend on the order
 * of the work. */
#include "data/scale/quantiles.h"

#include <math.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/linalg/quickselect.h"

enum { MAX_ROWS = 100000 };

/* The sampled rows, column by column: column j holds values[starts[j] .. starts[j+1]); cells that
 * are absent are 0. */
typedef struct column_values {
    float *values;
    size_t *starts; /* (columns + 1) */
    size_t rows;
} column_values;

/* One column. */
typedef struct one_column {
    float *values; /* (count); selection changes their order */
    size_t count;  /* values that are stored */
    size_t zeros;  /* cells that are absent */
    size_t below;  /* values less than 0 */
} one_column;

static double value_at(const one_column *self, size_t rank) {
    if (rank >= self->below && rank < self->below + self->zeros) {
        return 0;
    }
    return (double)quickselect(self->values, self->count, rank < self->below ? rank : rank - self->zeros);
}

static void find_quartiles(const one_column *self, double *out) {
    for (size_t q = 0; q < 3; q++) {
        const size_t quarters = (self->count + self->zeros - 1) * (q + 1); /* position * 4 */
        const size_t rank = quarters / 4;
        const double part = (double)(quarters % 4) / 4;
        const double low = value_at(self, rank);
        out[q] = part > 0 ? low + part * (value_at(self, rank + 1) - low) : low;
    }
}

/* Returns the sum of value - centre over the bulk, or of its squares; counts the bulk's cells in
 * *cells. */
static double sum_bulk(const one_column *self, const column_spread *ends, double centre, bool squared, size_t *cells) {
    const bool zeros = ends->low <= 0 && ends->high >= 0;
    double sum = zeros ? (double)self->zeros * (squared ? centre * centre : -centre) : 0;
    *cells = zeros ? self->zeros : 0;
    for (size_t i = 0; i < self->count; i++) {
        const double value = (double)self->values[i], apart = value - centre;
        if (value >= ends->low && value <= ends->high) {
            sum += squared ? apart * apart : apart;
            ++*cells;
        }
    }
    return sum;
}

static void find_bulk(const one_column *self, column_spread *out) {
    enum { PARTS = 100 };
    const size_t rows = self->count + self->zeros, beyond = rows < PARTS ? 1 : rows / PARTS;
    size_t cells;
    if (rows <= 4 * beyond || !(value_at(self, 2 * beyond) < value_at(self, rows - 1 - 2 * beyond))) {
        return;
    }
    out->low = value_at(self, beyond);
    out->high = value_at(self, rows - 1 - beyond);
    out->mean = sum_bulk(self, out, 0, false, &cells) / (double)cells;
    out->deviation = sqrt(sum_bulk(self, out, out->mean, true, &cells) / (double)cells);
}

static column_spread find_spread(float *values, size_t count, size_t rows, double least) {
    one_column column = {.values = values, .count = count, .zeros = rows - count};
    column_spread out = {0};
    for (size_t i = 0; i < count; i++) {
        column.below += values[i] < 0;
    }
    find_quartiles(&column, out.quartiles);
    if (!(out.quartiles[2] - out.quartiles[0] > least)) {
        find_bulk(&column, &out);
    }
    return out;
}

static size_t sampled_row(const rows_view *rows, size_t sampled, size_t i) {
    return sampled == rows->rows ? i : (size_t)((double)i * ((double)rows->rows / (double)sampled));
}

/* Fills starts (columns + 1) from the number of stored values of each column in the sampled
 * rows. */
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
    TRY(memory_zeroed(&out->starts, rows->columns + 1, sizeof *out->starts, "quantiles", err));
    count_columns(rows, out);
    TRY(memory_take(&out->values, out->starts[rows->columns], sizeof *out->values, "quantiles", err));
    TRY(memory_take(&next, rows->columns, sizeof *next, "quantiles", err));
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

static cnm_status visit_dense(const rows_view *rows, size_t sampled, column_visitor *visit, void *context,
                              cnm_error *err) {
    float *column;
    TRY(memory_take(&column, sampled, sizeof *column, "quantiles", err));
    for (size_t j = 0; j < rows->columns; j++) {
        for (size_t i = 0; i < sampled; i++) {
            column[i] = rows->values[sampled_row(rows, sampled, i) * rows->stride + j];
        }
        visit(context, j, column, sampled, sampled);
    }
    memory_free(column);
    return CNM_OK;
}

cnm_status columns_visit(const rows_view *rows, column_visitor *visit, void *context, cnm_error *err) {
    const size_t sampled = rows->rows < MAX_ROWS ? rows->rows : MAX_ROWS;
    if (!rows_are_sparse(rows)) {
        return visit_dense(rows, sampled, visit, context, err);
    }
    column_values columns = {.rows = sampled};
    cnm_status status;
    TRY_DONE(gather_sparse(rows, &columns, err));
    for (size_t j = 0; j < rows->columns; j++) {
        const size_t start = columns.starts[j];
        visit(context, j, columns.values + start, columns.starts[j + 1] - start, sampled);
    }
done:
    memory_free(columns.values);
    memory_free(columns.starts);
    return status;
}

typedef struct spread_search {
    const double *least;
    column_spread *spreads;
} spread_search;

static void visit_spread(void *context, size_t column, float *values, size_t count, size_t rows) {
    const spread_search *self = context;
    self->spreads[column] = find_spread(values, count, rows, self->least[column]);
}

cnm_status quantiles_find(const rows_view *rows, const double *least, column_spread *spreads, cnm_error *err) {
    spread_search self = {least, spreads};
    return columns_visit(rows, visit_spread, &self, err);
}
