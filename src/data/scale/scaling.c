/* Fits offsets and scales of columns. Sums run over the rows in order, in double, about the stored
 * values: the base is added to the offsets at the end, so its size costs no digits. */
#include "data/scale/scaling.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/scale/quantiles.h"

/* asinh: the least interquartile range, in deviations; with less, both quartiles lie among equal
 * values. */
static const double LEAST_BETWEEN = 1e-3;

/* Per column of the stored values: mean and deviation, smallest and largest value. */
struct column_sums {
    double *mean, *deviation, *low, *high;
    bool centred; /* columns get an offset */
};

void scaling_free(scaling *self) {
    memory_free(self->offset);
    memory_free(self->scale);
    knots_destroy(self->knots);
    self->offset = self->scale = NULL;
    self->knots = NULL;
}

/* Passes over all stored cells: the first pass fills mean, low and high, the second sums squares
 * about the mean. Fills counts (columns) with the number of stored cells; all others are zeros. */
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
        const bool constant = !(sums->low[j] < sums->high[j]); /* not the mean's rounding */
        sums->deviation[j] = constant ? 0 : sqrt((sums->deviation[j] + zeros) / count);
    }
}

/* Returns 1 / x, or 0 where that is not a usable scale: a column that varies by less than float
 * tells from 0 counts as constant, and the scale times theta must stay finite. */
static double inverse(double x) { return x > 1e-36 && isfinite(1 / x) ? 1 / x : 0; }

/* Returns the size of the value farthest from 0. */
static double size_of(const column_sums *sums, size_t j) { return fmax(fabs(sums->low[j]), fabs(sums->high[j])); }

static cnm_status fit_global(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    double sum = 0;
    (void)rows, (void)err;
    for (size_t j = 0; j < out->columns; j++) {
        sum += sums->deviation[j] * sums->deviation[j];
    }
    const double scale = inverse(sqrt(sum / (double)out->columns));
    for (size_t j = 0; j < out->columns; j++) {
        out->offset[j] = sums->mean[j];
        out->scale[j] = sums->deviation[j] > 0 ? scale : 0;
    }
    return CNM_OK;
}

static cnm_status fit_standard(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    (void)rows, (void)err;
    for (size_t j = 0; j < out->columns; j++) {
        out->offset[j] = sums->mean[j];
        out->scale[j] = sums->deviation[j] > 1e-7 * size_of(sums, j) ? inverse(sums->deviation[j]) : 0;
    }
    return CNM_OK;
}

/* Maps [low, high] to [-1, 1]; without an offset the largest size becomes 1. */
static cnm_status fit_range(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    (void)rows, (void)err;
    for (size_t j = 0; j < out->columns; j++) {
        const double low = sums->low[j], high = sums->high[j];
        out->offset[j] = low + (high - low) / 2;
        out->scale[j] = low < high ? inverse(sums->centred ? (high - low) / 2 : size_of(sums, j)) : 0;
    }
    return CNM_OK;
}

/* Returns whether the few cells beyond the bulk determine the deviation: it is then many times the
 * bulk's width. A bulk that varies by little more than float32 tells does not count. */
static bool has_outliers(const column_spread *spread, double deviation) {
    enum { MANY = 10 };
    const double width = spread->high - spread->low, size = fmax(fabs(spread->low), fabs(spread->high));
    return width > 1e-6 * size && deviation > MANY * width;
}

static void fit_asinh_column(scaling *out, size_t j, const column_spread *spread, double mean, double deviation) {
    const double between = spread->quartiles[2] - spread->quartiles[0];
    const bool robust = between > LEAST_BETWEEN * deviation;
    out->offset[j] = robust ? spread->quartiles[1] : mean;
    out->scale[j] = (robust ? inverse(between / 1.35) : inverse(deviation)) / scaling_unit(out->kind);
}

static cnm_status fit_asinh(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    cnm_status status;
    column_spread *spreads = NULL;
    double *least;
    TRY(memory_take(&least, out->columns, sizeof *least, "quantiles", err));
    for (size_t j = 0; j < out->columns; j++) {
        least[j] = LEAST_BETWEEN * sums->deviation[j];
    }
    TRY_DONE(memory_take(&spreads, out->columns, sizeof *spreads, "quantiles", err));
    TRY_DONE(quantiles_find(rows, least, spreads, err));
    for (size_t j = 0; j < out->columns; j++) {
        const bool outliers = has_outliers(&spreads[j], sums->deviation[j]);
        fit_asinh_column(out, j, &spreads[j], outliers ? spreads[j].mean : sums->mean[j],
                         outliers ? spreads[j].deviation : sums->deviation[j]);
    }
done:
    memory_free(spreads);
    memory_free(least);
    return status;
}

static cnm_status fit_quantile(scaling *out, const rows_view *rows, const column_sums *sums, cnm_error *err) {
    TRY(fit_asinh(out, rows, sums, err));
    for (size_t j = 0; !sums->centred && j < out->columns; j++) {
        out->offset[j] = 0;
    }
    return knots_fit(&out->knots, rows, out->offset, out->scale, !sums->centred, err);
}

static const scaling_ops SCALINGS[SCALING_KINDS] = {
    [SCALING_NONE] = {"none", false, 1.0, NULL},
    [SCALING_GLOBAL] = {"global", false, 1.0, fit_global},
    [SCALING_STANDARD] = {"standard", false, 1.0, fit_standard},
    [SCALING_RANGE] = {"range", false, 1.0, fit_range},
    [SCALING_ASINH] = {"asinh", true, 1.0, fit_asinh},
    [SCALING_WIDE] = {"wide", true, 5.0, fit_asinh},
    [SCALING_QUANTILE] = {"quantile", false, 1.0, fit_quantile},
};

const scaling_ops *scaling_table(size_t *count) {
    *count = SCALING_KINDS;
    return SCALINGS;
}

bool scaling_find(const char *name, scaling_kind *kind) {
    for (size_t i = 0; i < SCALING_KINDS; i++) {
        if (strcmp(SCALINGS[i].name, name) == 0) {
            *kind = (scaling_kind)i;
            return true;
        }
    }
    return false;
}

const char *scaling_name(scaling_kind kind) { return SCALINGS[kind].name; }

bool scaling_is_asinh(scaling_kind kind) { return SCALINGS[kind].asinh; }

double scaling_unit(scaling_kind kind) { return SCALINGS[kind].unit; }

static cnm_status fit_sums(scaling *out, const rows_view *rows, cnm_error *err) {
    double *memory;
    size_t count;
    if (!size_multiply(rows->columns, 5, &count)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: sums of %zu columns", rows->columns);
    }
    TRY(memory_zeroed(&memory, count, sizeof *memory, "scaling", err));
    const size_t columns = rows->columns;
    column_sums sums = {memory, memory + columns, memory + 2 * columns, memory + 3 * columns,
                        !(rows_are_sparse(rows) && columns > SCALING_CENTRE_LIMIT)};
    find_sums(rows, &sums, memory + 4 * columns);
    const cnm_status status = SCALINGS[out->kind].fit(out, rows, &sums, err);
    for (size_t j = 0; j < columns; j++) {
        out->offset[j] = sums.centred ? out->offset[j] + (rows->base != NULL ? rows->base[j] : 0) : 0;
    }
    memory_free(memory);
    return status;
}

cnm_status scaling_fit(scaling *out, scaling_kind kind, const rows_view *rows, cnm_error *err) {
    cnm_status status;
    *out = (scaling){.kind = kind, .columns = rows->columns};
    TRY_DONE(memory_zeroed(&out->offset, rows->columns, sizeof *out->offset, "scaling", err));
    TRY_DONE(memory_take(&out->scale, rows->columns, sizeof *out->scale, "scaling", err));
    for (size_t j = 0; j < rows->columns; j++) {
        out->scale[j] = 1;
    }
    if (SCALINGS[kind].fit == NULL) {
        return CNM_OK;
    }
    if (rows->rows == 0) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "scaling needs at least one row"));
    }
    TRY_DONE(fit_sums(out, rows, err));
    return CNM_OK;
done:
    scaling_free(out);
    return status;
}

void columns_round(double *values, const double *base, size_t columns) {
    for (size_t j = 0; values != NULL && j < columns; j++) {
        const double origin = base == NULL ? 0.0 : base[j];
        values[j] = (double)(float)(values[j] - origin) + origin;
    }
}
