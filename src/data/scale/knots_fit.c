/* Fits knots to the order statistics of columns. The normal score of a probability p is the
 * quantile of the standard normal distribution, by Acklam's rational approximation (relative error
 * 1.2e-9). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/float16.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/scale/knots.h"
#include "data/scale/quantiles.h"
#include "math/elementary/elementary.h"

static const double FARTHEST = 3.0;     /* score */
static const double LEAST_APART = 1e-6; /* in units of t, whose bulk is some 1 wide */
static const double STRAIGHT = 0.01;    /* a knot so near the line is left out */

/* ---- Normal scores ---- */

static double polynomial(const double *coefficients, size_t count, double x) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum = sum * x + coefficients[i];
    }
    return sum;
}

/* Returns the score of p in (0, 1/2]. */
static double lower_score(double p) {
    static const double A[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                               1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    static const double B[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                               6.680131188771972e+01,  -1.328068155288572e+01, 1.0};
    static const double C[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                               -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    static const double D[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00, 1.0};
    if (p < 0.02425) {
        const double q = sqrt(-2.0 * elementary_log(p));
        return polynomial(C, 6, q) / polynomial(D, 5, q);
    }
    const double q = p - 0.5, r = q * q;
    return q * polynomial(A, 6, r) / polynomial(B, 6, r);
}

static double normal_score(double p) {
    const double score = p <= 0.5 ? lower_score(p) : -lower_score(1.0 - p);
    return fmax(fmin(score, FARTHEST), -FARTHEST);
}

/* ---- One column ---- */

typedef struct knot_list {
    size_t count;
    double at[KNOTS_MOST + 1], value[KNOTS_MOST + 1];
} knot_list;

/* Sorted stored cells t, and so many zeros beside them (of the raw column, at t = zero). */
typedef struct sorted_column {
    const float *t;
    size_t count, zeros;
    double zero;
} sorted_column;

static size_t rows_of(const sorted_column *self) { return self->count + self->zeros; }

/* Returns how many stored cells are below t, or not above it. */
static size_t stored_below(const sorted_column *self, double t, bool or_equal) {
    size_t low = 0, high = self->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const bool below = or_equal ? (double)self->t[middle] <= t : (double)self->t[middle] < t;
        low = below ? middle + 1 : low;
        high = below ? high : middle;
    }
    return low;
}

static double value_at(const sorted_column *self, size_t rank) {
    const size_t below = stored_below(self, self->zero, false);
    return rank < below                 ? (double)self->t[rank]
           : rank - below < self->zeros ? self->zero
                                        : (double)self->t[rank - self->zeros];
}

/* Returns the normal score of the mid-rank of t. */
static double score_of(const sorted_column *self, double t) {
    const double less = (double)stored_below(self, t, false) + (self->zero < t ? (double)self->zeros : 0.0);
    const double not_more = (double)stored_below(self, t, true) + (self->zero <= t ? (double)self->zeros : 0.0);
    return normal_score(0.5 * (less + not_more) / (double)rows_of(self));
}

static void add_knot(knot_list *out, double at) {
    if (out->count == 0 || at > out->at[out->count - 1] + LEAST_APART) {
        out->at[out->count++] = at;
    }
}

/* Lists the distinct values among evenly spaced order statistics. */
static void list_quantiles(const sorted_column *self, bool keeps_zero, knot_list *out) {
    const size_t most = keeps_zero ? KNOTS_MOST - 1 : KNOTS_MOST, last = rows_of(self) - 1;
    out->count = 0;
    for (size_t i = 0; i < most; i++) {
        const double t = value_at(self, (size_t)((double)last * (double)i / (double)(most - 1) + 0.5));
        if (keeps_zero && t > self->zero) {
            add_knot(out, self->zero);
        }
        add_knot(out, t);
    }
    if (keeps_zero) {
        add_knot(out, self->zero);
    }
}

/* Fills the values of a line that gives mean 0, unless 0 is kept, and deviation 1. */
static void fit_line(const sorted_column *self, bool keeps_zero, knot_list *knots) {
    const double rows = (double)rows_of(self);
    double mean = (double)self->zeros * self->zero, squares = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        mean += (double)self->t[i];
    }
    mean /= rows;
    for (size_t i = 0; i < self->count; i++) {
        squares += ((double)self->t[i] - mean) * ((double)self->t[i] - mean);
    }
    squares += (double)self->zeros * (self->zero - mean) * (self->zero - mean);
    const double deviation = sqrt(squares / rows), centre = keeps_zero ? self->zero : mean;
    for (size_t i = 0; i < knots->count; i++) {
        knots->value[i] = deviation > 0.0 ? (knots->at[i] - centre) / deviation : 0.0;
    }
}

static void fit_scores(const sorted_column *self, bool keeps_zero, knot_list *knots) {
    const double origin = keeps_zero ? score_of(self, self->zero) : 0.0;
    for (size_t i = 0; i < knots->count; i++) {
        knots->value[i] = score_of(self, knots->at[i]) - origin;
    }
}

/* Whether all knots between two lie near the line through these. */
static bool is_straight(const knot_list *knots, size_t from, size_t to) {
    const double slope = (knots->value[to] - knots->value[from]) / (knots->at[to] - knots->at[from]);
    for (size_t i = from + 1; i < to; i++) {
        const double line = knots->value[from] + slope * (knots->at[i] - knots->at[from]);
        if (!(fabs(line - knots->value[i]) <= STRAIGHT)) {
            return false;
        }
    }
    return true;
}

/* Leaves out knots on a line; never the one at `kept`, nor the ends. */
static void drop_straight(knot_list *knots, const double *kept) {
    size_t count = 1, from = 0;
    while (from + 1 < knots->count) {
        size_t to = from + 1;
        while (to + 1 < knots->count && !(kept != NULL && knots->at[to] == *kept) && is_straight(knots, from, to + 1)) {
            to++;
        }
        knots->at[count] = knots->at[to];
        knots->value[count++] = knots->value[to];
        from = to;
    }
    knots->count = count;
}

static double half(double x) { return (double)float16_to_float(float16_from_float((float)x)); }

/* Rounds positions and values to 16 bits, where positions stay apart and finite; else to floats
 * that do, of which equal ones become one knot. */
static void round_knots(knot_list *knots) {
    bool apart = true;
    size_t count = 0;
    for (size_t i = 0; i < knots->count; i++) {
        apart = apart && isfinite(half(knots->at[i])) && (i == 0 || half(knots->at[i]) > half(knots->at[i - 1]));
    }
    for (size_t i = 0; i < knots->count; i++) {
        const double at = apart ? half(knots->at[i]) : (double)(float)knots->at[i];
        if (count == 0 || at > knots->at[count - 1]) {
            knots->at[count] = at;
            knots->value[count++] = half(knots->value[i]);
        }
    }
    knots->count = count;
}

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* What a pass over the columns fills. */
typedef struct fitting {
    const double *offset, *scale;
    bool keeps_zero;
    float *at, *value; /* (columns, KNOTS_MOST) */
    uint8_t *counts;   /* (columns) */
} fitting;

/* Fits one column, whose stored cells it changes to t. */
static void fit_column(void *context, size_t j, float *cells, size_t count, size_t rows) {
    fitting *self = context;
    sorted_column column = {cells, 0, rows - count, (0.0 - self->offset[j]) * self->scale[j]};
    knot_list knots;
    for (size_t i = 0; i < count; i++) {
        const float t = (float)(((double)cells[i] - self->offset[j]) * self->scale[j]);
        if (isfinite(t)) {
            cells[column.count++] = t;
        }
    }
    qsort(cells, column.count, sizeof *cells, by_value);
    knots = (knot_list){.count = 1};
    if (rows_of(&column) > 0) {
        list_quantiles(&column, self->keeps_zero, &knots);
        (knots.count < 3 + (size_t)self->keeps_zero ? fit_line : fit_scores)(&column, self->keeps_zero, &knots);
        drop_straight(&knots, self->keeps_zero ? &column.zero : NULL);
        round_knots(&knots);
    }
    self->counts[j] = (uint8_t)knots.count;
    for (size_t i = 0; i < knots.count; i++) {
        self->at[j * KNOTS_MOST + i] = (float)knots.at[i];
        self->value[j * KNOTS_MOST + i] = (float)knots.value[i];
    }
}

static cnm_status collect(knot_table **out, const fitting *from, size_t columns, cnm_error *err) {
    TRY(knots_create(out, columns, from->counts, err));
    for (size_t j = 0; j < columns; j++) {
        const size_t start = (*out)->starts[j];
        memcpy((*out)->at + start, from->at + j * KNOTS_MOST, from->counts[j] * sizeof(float));
        memcpy((*out)->value + start, from->value + j * KNOTS_MOST, from->counts[j] * sizeof(float));
    }
    (void)knots_prepare(*out);
    return CNM_OK;
}

cnm_status knots_fit(knot_table **out, const rows_view *rows, const double *offset, const double *scale,
                     bool keeps_zero, cnm_error *err) {
    fitting self = {.offset = offset, .scale = scale, .keeps_zero = keeps_zero};
    const size_t columns = rows->columns;
    size_t cells;
    cnm_status status = CNM_OK;
    *out = NULL;
    if (!size_multiply(columns, KNOTS_MOST, &cells)) {
        cells = SIZE_MAX;
    }
    TRY_DONE(memory_zeroed(&self.at, cells, sizeof *self.at, "knots", err));
    TRY_DONE(memory_zeroed(&self.value, cells, sizeof *self.value, "knots", err));
    TRY_DONE(memory_zeroed(&self.counts, columns, sizeof *self.counts, "knots", err));
    TRY_DONE(columns_visit(rows, fit_column, &self, err));
    TRY_DONE(collect(out, &self, columns, err));
done:
    memory_free(self.at);
    memory_free(self.value);
    memory_free(self.counts);
    return status;
}
