/* How columns are shifted and scaled, fitted on training rows. Sums run over the rows in order, in double, about the stored
 * values: the base is added to what comes out, so its size costs no digits. */
#include "data/scale/scaling.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/scale/quantiles.h"

static const char *const NAMES[SCALING_KINDS] = {"none", "global", "standard", "range", "asinh", "wide"};

/* asinh: of the deviation, from quartile to quartile; with less the quartiles lie in a heap of equal values. */
static const double LEAST_BETWEEN = 1e-3;

/* Per column of what is stored: mean and deviation, smallest and largest value. */
typedef struct column_sums {
    double *mean, *deviation, *low, *high;
} column_sums;

bool scaling_find(const char *name, scaling_kind *kind) {
    for (size_t i = 0; i < SCALING_KINDS; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *kind = (scaling_kind)i;
            return true;
        }
    }
    return false;
}

const char *scaling_name(scaling_kind kind) { return NAMES[kind]; }

bool scaling_bends(scaling_kind kind) { return kind == SCALING_ASINH || kind == SCALING_WIDE; }

void scaling_free(scaling *self) {
    memory_free(self->offset);
    memory_free(self->scale);
    self->offset = self->scale = NULL;
}

/* Passes over all stored cells: first mean, low and high, then squares about the mean. counts (columns) gets how many cells of
 * a column are stored; the others are zeros. */
static void sum_cells(const rows_view *rows, column_sums *sums, double *counts, bool squares) {
    for (size_t i = 0; i < rows->rows; i++) {
        const bool sparse = rows_are_sparse(rows);
        const size_t from = sparse ? rows->starts[i] : 0, to = sparse ? rows->starts[i + 1] : rows->columns;
        const float *values = sparse ? rows->values : rows->values + i * rows->stride;
        for (size_t at = from; at < to; at++) {
            const size_t j = sparse ? rows->index[at] : at;
            const double value = (double)values[at];
            if (squares) {
                sums->deviation[j] += (value - sums->mean[j]) * (value - sums->mean[j]);
            } else {
                sums->mean[j] += value;
                sums->low[j] = value < sums->low[j] ? value : sums->low[j];
                sums->high[j] = value > sums->high[j] ? value : sums->high[j];
                counts[j] += 1;
            }
        }
    }
}

static void find_sums(const rows_view *rows, column_sums *sums, double *counts) {
    const double count = (double)rows->rows;
    for (size_t j = 0; j < rows->columns; j++) {
        sums->low[j] = INFINITY;
        sums->high[j] = -INFINITY;
    }
    sum_cells(rows, sums, counts, false);
    for (size_t j = 0; j < rows->columns; j++) {
        sums->mean[j] /= count;
        if (counts[j] < count) { /* zeros that are not stored */
            sums->low[j] = sums->low[j] < 0 ? sums->low[j] : 0;
            sums->high[j] = sums->high[j] > 0 ? sums->high[j] : 0;
        }
    }
    sum_cells(rows, sums, counts, true);
    for (size_t j = 0; j < rows->columns; j++) {
        const double zeros = (count - counts[j]) * sums->mean[j] * sums->mean[j];
        const bool constant = !(sums->low[j] < sums->high[j]); /* rounding of the mean must not show as deviation */
        sums->deviation[j] = constant ? 0 : sqrt((sums->deviation[j] + zeros) / count);
    }
}

/* 1 / x, or 0 where that would not be a sound scale: a column that differs by less than float tells from 0 is as good as constant,
 * and what it is multiplied by must leave room for theta. */
static double inverse(double x) { return x > 1e-36 && isfinite(1 / x) ? 1 / x : 0; }

/* Of the value farthest from 0. */
static double size_of(const column_sums *sums, size_t j) { return fmax(fabs(sums->low[j]), fabs(sums->high[j])); }

static void fit_global(scaling *out, const column_sums *sums) {
    double sum = 0;
    for (size_t j = 0; j < out->columns; j++) {
        sum += sums->deviation[j] * sums->deviation[j];
    }
    const double scale = inverse(sqrt(sum / (double)out->columns));
    for (size_t j = 0; j < out->columns; j++) {
        out->offset[j] = sums->mean[j];
        out->scale[j] = sums->deviation[j] > 0 ? scale : 0;
    }
}

static void fit_standard(scaling *out, const column_sums *sums) {
    for (size_t j = 0; j < out->columns; j++) {
        out->offset[j] = sums->mean[j];
        out->scale[j] = sums->deviation[j] > 1e-7 * size_of(sums, j) ? inverse(sums->deviation[j]) : 0;
    }
}

/* centred: [low, high] becomes [-1, 1]; otherwise the largest size becomes 1. */
static void fit_range(scaling *out, const column_sums *sums, bool centred) {
    for (size_t j = 0; j < out->columns; j++) {
        const double low = sums->low[j], high = sums->high[j];
        out->offset[j] = low + (high - low) / 2;
        out->scale[j] = low < high ? inverse(centred ? (high - low) / 2 : size_of(sums, j)) : 0;
    }
}

/* Whether the few cells beyond the bulk have made the deviation: then it is many times the bulk's width. A bulk that differs by
 * little more than float32 tells is none. */
static bool few_decide(const column_spread *spread, double deviation) {
    enum { MANY = 10 };
    const double width = spread->high - spread->low, size = fmax(fabs(spread->low), fabs(spread->high));
    return width > 1e-6 * size && deviation > MANY * width;
}

static void fit_asinh_column(scaling *out, size_t j, const column_spread *spread, double mean, double deviation) {
    const double between = spread->quartiles[2] - spread->quartiles[0];
    const bool robust = between > LEAST_BETWEEN * deviation;
    out->offset[j] = robust ? spread->quartiles[1] : mean;
    out->scale[j] =
        (robust ? inverse(between / 1.35) : inverse(deviation)) / (out->kind == SCALING_WIDE ? SCALING_WIDE_UNIT : 1.0);
}

static cnm_status fit_asinh(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    column_spread *spreads = NULL;
    double *least;
    cnm_status status = memory_take(&least, out->columns, sizeof *least, "quantiles", err);
    for (size_t j = 0; status == CNM_OK && j < out->columns; j++) {
        least[j] = LEAST_BETWEEN * sums->deviation[j];
    }
    if (status == CNM_OK) {
        status = memory_take(&spreads, out->columns, sizeof *spreads, "quantiles", err);
    }
    if (status == CNM_OK) {
        status = quantiles_find(rows, least, spreads, err);
    }
    for (size_t j = 0; status == CNM_OK && j < out->columns; j++) {
        const bool few = few_decide(&spreads[j], sums->deviation[j]);
        fit_asinh_column(out, j, &spreads[j], few ? spreads[j].mean : sums->mean[j],
                         few ? spreads[j].deviation : sums->deviation[j]);
    }
    memory_free(spreads);
    memory_free(least);
    return status;
}

static cnm_status fit_sums(scaling *out, const rows_view *rows, cnm_error *err) {
    double *memory;
    size_t count;
    if (!size_multiply(rows->columns, 5, &count)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: sums of %zu columns", rows->columns);
    }
    cnm_status status = memory_zeroed(&memory, count, sizeof *memory, "scaling", err);
    if (status != CNM_OK) {
        return status;
    }
    const size_t columns = rows->columns;
    column_sums sums = {memory, memory + columns, memory + 2 * columns, memory + 3 * columns};
    const bool centred = !(rows_are_sparse(rows) && columns > SCALING_CENTRE_LIMIT);
    find_sums(rows, &sums, memory + 4 * columns);
    switch (out->kind) {
    case SCALING_NONE:
    case SCALING_KINDS: /* none, too */
        break;
    case SCALING_GLOBAL:
        fit_global(out, &sums);
        break;
    case SCALING_STANDARD:
        fit_standard(out, &sums);
        break;
    case SCALING_RANGE:
        fit_range(out, &sums, centred);
        break;
    case SCALING_ASINH:
    case SCALING_WIDE:
        status = fit_asinh(out, rows, &sums, err);
        break;
    }
    for (size_t j = 0; status == CNM_OK && j < columns; j++) {
        out->offset[j] = centred ? out->offset[j] + (rows->base != NULL ? rows->base[j] : 0) : 0;
    }
    memory_free(memory);
    return status;
}

cnm_status scaling_fit(scaling *out, scaling_kind kind, const rows_view *rows, cnm_error *err) {
    *out = (scaling){.kind = kind, .columns = rows->columns};
    cnm_status status = memory_zeroed(&out->offset, rows->columns, sizeof *out->offset, "scaling", err);
    if (status == CNM_OK) {
        status = memory_take(&out->scale, rows->columns, sizeof *out->scale, "scaling", err);
    }
    for (size_t j = 0; status == CNM_OK && j < rows->columns; j++) {
        out->scale[j] = 1;
    }
    if (status == CNM_OK && kind != SCALING_NONE && rows->rows == 0) {
        status = error_set(err, CNM_BAD_DATA, "scaling needs at least one row");
    }
    if (status == CNM_OK && kind != SCALING_NONE) {
        status = fit_sums(out, rows, err);
    }
    if (status != CNM_OK) {
        scaling_free(out);
    }
    return status;
}
