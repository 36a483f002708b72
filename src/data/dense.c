/* Batches of dense rows.
 *
 * The first rows of a file (the head: 4096, fewer when they are very wide) are kept in double, to find columns such as
 * 1.7e9 +- 3600, which would lose their digits as float: base_j = the first value when max|x_j| > 256 (max x_j - min x_j) in the
 * head and a float does not hold the values anyway (some value is not a float, or is so large that others may not be); then
 * (float)(x - base_j) is stored. The head depends on the file alone, so batches of any size give the same rows. */
#include "data/dense.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

enum { HEAD_ROWS = 4096, HEAD_CELLS = 1 << 22 };

#define LARGE_VALUE 1048576.0 /* 2^20: floats from here on are 1/8 apart or more */

void dense_free(dense_reader *self) {
    memory_free(self->base);
    memory_free(self->head);
    memory_free(self->places);
    memory_free(self->weights);
    labels_free(&self->labels);
}

static cnm_status place_error(const dense_reader *self, size_t place, cnm_status status, cnm_error *err) {
    return strcmp(self->place, "line") == 0 ? error_prefix(err, status, "%s:%zu", self->file, place)
                                            : error_prefix(err, status, "%s: %s %zu", self->file, self->place, place);
}

static cnm_status add_label(const dense_reader *self, label_column *labels, const dense_row *row, cnm_error *err) {
    if (!self->labelled) {
        return CNM_OK;
    }
    const cnm_status status = row->label != NULL ? labels_add_text(labels, row->label, row->label_length, err)
                                                 : labels_add_number(labels, row->label_number, err);
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : place_error(self, row->place, status, err);
}

static cnm_status check_weight(const dense_reader *self, const dense_row *row, cnm_error *err) {
    if (self->columns->weight == NO_COLUMN || (row->weight >= 0 && isfinite((float)row->weight))) {
        return CNM_OK;
    }
    char text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, row->weight)] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found the weight %s, expected a finite number that is not negative", text);
    return place_error(self, row->place, CNM_BAD_DATA, err);
}

/* With MISSING_ERROR: counts the missing cells of this row and of all that follow, and names the first. */
static cnm_status report_missing(dense_reader *self, dense_row row, cnm_error *err) {
    const size_t features = self->columns->features, place = row.place;
    size_t cells = 0, rows = 0, first = NO_COLUMN;
    char shown[COLUMN_SHOWN_SIZE];
    for (bool more = true; more;) {
        const size_t before = cells;
        for (size_t j = 0; j < features; j++) {
            if (isnan(row.cells[j])) {
                first = first == NO_COLUMN ? j : first;
                cells++;
            }
        }
        rows += cells > before;
        const cnm_status status = self->next(self->state, &row, &more, err);
        if (status != CNM_OK) {
            return status;
        }
    }
    (void)error_set(err, CNM_BAD_DATA,
                    "found a missing value in %s, expected a number; the file has %zu missing value%s in %zu row%s, "
                    "which --missing mean would fill",
                    columns_show(self->columns, columns_source(self->columns, first), shown), cells,
                    cells == 1 ? "" : "s", rows, rows == 1 ? "" : "s");
    return place_error(self, place, CNM_BAD_DATA, err);
}

static size_t count_missing(const double *cells, size_t count) {
    size_t missing = 0;
    for (size_t j = 0; j < count; j++) {
        missing += isnan(cells[j]) != 0;
    }
    return missing;
}

/* One row from the format, checked. */
static cnm_status take_row(dense_reader *self, dense_row *row, bool *more, cnm_error *err) {
    cnm_status status = self->next(self->state, row, more, err);
    if (status != CNM_OK || !*more) {
        return status;
    }
    if (self->options->missing == MISSING_ERROR && count_missing(row->cells, self->columns->features) > 0) {
        return report_missing(self, *row, err);
    }
    return check_weight(self, row, err);
}

/* base_j of column j of the head, by the rule at the top of this file. */
static double column_base(const dense_reader *self, size_t j) {
    const size_t features = self->columns->features;
    double first = 0, low = INFINITY, high = -INFINITY;
    bool inexact = false;
    for (size_t i = 0; i < self->head_rows; i++) {
        const double value = self->head[i * features + j];
        if (isnan(value)) {
            continue;
        }
        first = isinf(low) ? value : first;
        low = value < low ? value : low;
        high = value > high ? value : high;
        inexact |= (double)(float)value != value;
    }
    const double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    return isfinite(low) && largest > 256 * (high - low) && (inexact || largest >= LARGE_VALUE) ? first : 0;
}

static cnm_status decide_base(dense_reader *self, cnm_error *err) {
    const reader_options *options = self->options;
    const size_t features = self->columns->features;
    if (options->expects ? options->base == NULL || options->columns == 0 : self->exact) {
        return CNM_OK;
    }
    const cnm_status status = memory_take(&self->base, features, sizeof *self->base, "columns", err);
    if (status != CNM_OK) {
        return status;
    }
    bool any = false;
    for (size_t j = 0; j < features; j++) {
        self->base[j] = options->expects ? options->base[j] : column_base(self, j);
        any |= self->base[j] != 0;
    }
    if (!any && !options->expects) {
        memory_free(self->base);
        self->base = NULL;
    }
    return CNM_OK;
}

/* Space for row i of the head. */
static cnm_status grow_head(dense_reader *self, size_t i, cnm_error *err) {
    cnm_status status = memory_grow(&self->head, &self->head_capacity, (i + 1) * self->columns->features,
                                    sizeof *self->head, "the first rows", err);
    if (status == CNM_OK) {
        status = memory_grow(&self->places, &self->places_capacity, i + 1, sizeof *self->places, "the first rows", err);
    }
    if (status == CNM_OK) {
        status =
            memory_grow(&self->weights, &self->weights_capacity, i + 1, sizeof *self->weights, "the first rows", err);
    }
    return status;
}

static cnm_status read_head(dense_reader *self, cnm_error *err) {
    const size_t features = self->columns->features;
    const bool decided = self->exact || self->options->expects; /* then no row needs to wait */
    const size_t fitting = HEAD_CELLS / features;
    const size_t limit = decided ? 0 : fitting < 1 ? 1 : fitting < HEAD_ROWS ? fitting : HEAD_ROWS;
    cnm_status status = grow_head(self, 0, err);
    while (status == CNM_OK && !self->ended && self->head_rows < limit) {
        dense_row row = {.weight = 1};
        bool more = true;
        status = grow_head(self, self->head_rows, err);
        if (status == CNM_OK) {
            row.cells = self->head + self->head_rows * features;
            status = take_row(self, &row, &more, err);
        }
        if (status == CNM_OK && more) {
            status = add_label(self, &self->labels, &row, err);
            self->places[self->head_rows] = row.place;
            self->weights[self->head_rows] = row.weight;
            self->head_rows++;
        }
        self->ended = !more;
    }
    if (status == CNM_OK) {
        status = decide_base(self, err);
    }
    self->begun = status == CNM_OK;
    return status;
}

/* out (features) = (float)(cells - base); a value that float cannot hold is an error. */
static cnm_status store_row(const dense_reader *self, const double *cells, size_t place, float *out, cnm_error *err) {
    const size_t features = self->columns->features;
    bool fits = true;
    for (size_t j = 0; j < features; j++) {
        const double value = self->base != NULL ? cells[j] - self->base[j] : cells[j];
        out[j] = (float)value;
        fits &= !isinf(out[j]);
    }
    if (fits) {
        return CNM_OK;
    }
    size_t j = 0;
    while (!isinf(out[j])) {
        j++;
    }
    char shown[COLUMN_SHOWN_SIZE], text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, cells[j])] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected a number below 3.4e38 in size", text,
                    columns_show(self->columns, columns_source(self->columns, j), shown));
    return place_error(self, place, CNM_BAD_DATA, err);
}

/* Names and base of a batch. */
static cnm_status begin_table(const dense_reader *self, table *out, cnm_error *err) {
    const column_plan *columns = self->columns;
    cnm_status status = CNM_OK;
    out->columns = columns->features;
    out->labelled = self->labelled;
    if (self->base != NULL) {
        status = memory_take(&out->base, out->columns, sizeof *out->base, "columns", err);
        if (status == CNM_OK) {
            memcpy(out->base, self->base, out->columns * sizeof *out->base);
        }
    }
    if (status == CNM_OK && columns->names != NULL) {
        status = memory_zeroed(&out->names, out->columns, sizeof *out->names, "names", err);
        for (size_t j = 0; status == CNM_OK && j < out->columns; j++) {
            status = memory_copy_text(&out->names[j], columns->names[j], err);
        }
    }
    return status;
}

/* Appends one row, of the head or fresh. */
static cnm_status add_row(dense_reader *self, table *out, const dense_row *row, cnm_error *err) {
    cnm_status status = memory_grow(&out->values, &out->cell_capacity, (out->rows + 1) * out->columns,
                                    sizeof *out->values, "rows", err);
    if (status == CNM_OK) {
        status = store_row(self, row->cells, row->place, out->values + out->rows * out->columns, err);
    }
    if (status == CNM_OK && self->columns->weight != NO_COLUMN) {
        status = memory_grow(&out->weights, &out->weight_capacity, out->rows + 1, sizeof *out->weights, "weights", err);
        if (status == CNM_OK) {
            out->weights[out->rows] = (float)row->weight;
        }
    }
    if (status == CNM_OK) {
        out->missing += self->options->missing == MISSING_KEEP ? count_missing(row->cells, out->columns) : 0;
        out->rows++;
    }
    return status;
}

static cnm_status add_head_row(dense_reader *self, table *out, cnm_error *err) {
    const size_t i = self->head_at++;
    const dense_row row = {
        .cells = self->head + i * self->columns->features, .weight = self->weights[i], .place = self->places[i]};
    const cnm_status status = add_row(self, out, &row, err);
    return status == CNM_OK && self->labelled ? labels_add_from(&out->labels, &self->labels, i, err) : status;
}

cnm_status dense_batch(dense_reader *self, size_t max_rows, table *out, cnm_error *err) {
    cnm_status status = self->begun ? CNM_OK : read_head(self, err);
    if (status == CNM_OK) {
        status = begin_table(self, out, err);
    }
    while (status == CNM_OK && out->rows < max_rows && self->head_at < self->head_rows) {
        status = add_head_row(self, out, err);
    }
    while (status == CNM_OK && out->rows < max_rows && !self->ended) {
        dense_row row = {.cells = self->head, .weight = 1}; /* the head is over: its first row is scratch */
        bool more = true;
        status = take_row(self, &row, &more, err);
        self->ended = !more;
        if (status == CNM_OK && more) {
            status = add_row(self, out, &row, err);
        }
        if (status == CNM_OK && more) {
            status = add_label(self, &out->labels, &row, err);
        }
    }
    return status;
}
