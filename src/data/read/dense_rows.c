/* Batches of dense rows.
 *
 * The first rows of a file (the head: 4096, fewer when they are very wide) are kept in double, to find columns such as
 * 1.7e9 +- 3600, which would lose their digits as float: base_j = the first value when max|x_j| > 256 (max x_j - min x_j) in the
 * head and a float does not hold the values anyway (some value is not a float, or is so large that others may not be); then
 * (float)(x - base_j) is stored. The head depends on the file alone, so batches of any size give the same rows. */
#include "data/read/dense_rows.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"

enum { HEAD_ROWS = 4096, HEAD_CELLS = 1 << 22 };

#define LARGE_VALUE 1048576.0 /* 2^20: floats from here on are 1/8 apart or more */

void dense_free(dense_reader *self) {
    memory_free(self->base);
    memory_free(self->head);
    memory_free(self->places);
    memory_free(self->weights);
    memory_free(self->groups);
    labels_free(&self->labels);
}

cnm_status dense_place(const dense_reader *self, size_t place, cnm_status status, cnm_error *err) {
    return strcmp(self->place, "line") == 0 ? error_prefix(err, status, "%s:%zu", self->file, place)
                                            : error_prefix(err, status, "%s: %s %zu", self->file, self->place, place);
}

static cnm_status add_label(const dense_reader *self, label_column *labels, const dense_row *row, cnm_error *err) {
    if (!self->labelled) {
        return CNM_OK;
    }
    const cnm_status status = row->label == NULL || row->label_is_number
                                  ? labels_add_number(labels, row->label_number, err)
                                  : labels_add_text(labels, row->label, row->label_length, err);
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : dense_place(self, row->place, status, err);
}

static cnm_status check_weight(const dense_reader *self, const dense_row *row, cnm_error *err) {
    if (self->columns->weight == NO_COLUMN || (row->weight >= 0 && isfinite((float)row->weight))) {
        return CNM_OK;
    }
    char text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, row->weight)] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found the weight %s, expected a finite number that is not negative", text);
    return dense_place(self, row->place, CNM_BAD_DATA, err);
}

static size_t count_missing(const dense_row *row, size_t count) {
    size_t missing = 0;
    for (size_t j = 0; j < count && !row->full; j++) {
        missing += isnan(row->cells[j]) != 0;
    }
    return missing;
}

/* One row from the format, its weight checked; end tells when there is none. */
static cnm_status take_row(const dense_reader *self, void *state, dense_row *row, dense_end *end, cnm_error *err) {
    bool more = true;
    cnm_status status = self->next(state, row, &more, err);
    end->broken = status != CNM_OK;
    end->ended = !more;
    if (status != CNM_OK || !more) {
        return status;
    }
    if (self->options->missing == MISSING_ERROR && count_missing(row, self->columns->features) > 0) {
        dense_note_gaps(&end->gaps, row, self->columns->features);
        status = dense_count(self, state, row->cells, &end->gaps, err);
        end->broken = status != CNM_OK;
        end->ended = true;
        return status;
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
    if (status == CNM_OK) {
        status = memory_grow(&self->groups, &self->groups_capacity, i + 1, sizeof *self->groups, "the first rows", err);
    }
    return status;
}

cnm_status dense_begin(dense_reader *self, cnm_error *err) {
    if (self->begun) {
        return CNM_OK;
    }
    const size_t features = self->columns->features;
    const bool decided = self->exact || self->options->expects; /* then no row needs to wait */
    const size_t fitting = HEAD_CELLS / features;
    const size_t limit = decided ? 0 : fitting < 1 ? 1 : fitting < HEAD_ROWS ? fitting : HEAD_ROWS;
    dense_end end = {.ended = self->ended};
    cnm_status status = grow_head(self, 0, err);
    while (status == CNM_OK && !end.ended && self->head_rows < limit) {
        dense_row row = {.weight = 1};
        status = grow_head(self, self->head_rows, err);
        if (status == CNM_OK) {
            row.cells = self->head + self->head_rows * features;
            status = take_row(self, self->state, &row, &end, err);
        }
        if (status == CNM_OK && !end.ended) {
            status = add_label(self, &self->labels, &row, err);
            self->places[self->head_rows] = row.place;
            self->weights[self->head_rows] = row.weight;
            self->groups[self->head_rows] = row.group;
            self->head_rows++;
        }
    }
    if (status == CNM_OK && end.gaps.rows > 0) {
        return dense_gaps_error(self, &end.gaps, err);
    }
    self->ended = end.ended;
    if (status == CNM_OK) {
        status = decide_base(self, err);
    }
    self->begun = status == CNM_OK;
    return status;
}

/* out (count) = (float)(cells - base). False when one is infinite or missing: the difference with itself is not 0 then. Loops
 * without branches, which the compiler makes vectors of. */
static bool round_row(const double *restrict cells, const double *restrict base, size_t count, float *restrict out) {
    for (size_t j = 0; j < count && base == NULL; j++) {
        out[j] = (float)cells[j];
    }
    for (size_t j = 0; j < count && base != NULL; j++) {
        out[j] = (float)(cells[j] - base[j]);
    }
    unsigned odd = 0;
    for (size_t j = 0; j < count; j++) {
        odd += out[j] - out[j] != 0;
    }
    return odd == 0;
}

/* out (features) = (float)(cells - base); a value that float cannot hold is an error. */
static cnm_status store_row(const dense_reader *self, const double *cells, size_t place, float *out, cnm_error *err) {
    const size_t features = self->columns->features;
    if (round_row(cells, self->base, features, out)) {
        return CNM_OK;
    }
    size_t j = 0;
    while (j < features && !isinf(out[j])) {
        j++;
    }
    if (j == features) {
        return CNM_OK; /* missing cells alone */
    }
    char shown[COLUMN_SHOWN_SIZE], text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, cells[j])] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected a number below 3.4e38 in size", text,
                    columns_show(self->columns, columns_source(self->columns, j), shown));
    return dense_place(self, place, CNM_BAD_DATA, err);
}

void dense_shape(const dense_reader *self, table *out) {
    out->columns = self->columns->features;
    out->labelled = self->labelled;
    out->base = self->base;
    out->names = self->columns->names;
}

/* Names and base of a batch. */
static cnm_status begin_table(const dense_reader *self, table *out, cnm_error *err) {
    table shape = {0};
    dense_shape(self, &shape);
    return out->columns == 0 ? table_append(out, &shape, err) : CNM_OK;
}

/* Appends one row, of the head or fresh. */
static cnm_status add_row(const dense_reader *self, table *out, const dense_row *row, cnm_error *err) {
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
    if (status == CNM_OK && self->columns->group != NO_COLUMN) {
        status = memory_grow(&out->groups, &out->group_capacity, out->rows + 1, sizeof *out->groups, "groups", err);
        if (status == CNM_OK) {
            out->groups[out->rows] = row->group;
        }
    }
    if (status == CNM_OK) {
        out->missing += self->options->missing == MISSING_KEEP ? count_missing(row, out->columns) : 0;
        out->rows++;
    }
    return status;
}

static cnm_status add_head_row(dense_reader *self, table *out, cnm_error *err) {
    const size_t i = self->head_at++;
    const dense_row row = {.cells = self->head + i * self->columns->features,
                           .weight = self->weights[i],
                           .group = self->groups[i],
                           .place = self->places[i]};
    const cnm_status status = add_row(self, out, &row, err);
    return status == CNM_OK && self->labelled ? labels_add_from(&out->labels, &self->labels, i, err) : status;
}

cnm_status dense_head(dense_reader *self, size_t max_rows, table *out, cnm_error *err) {
    const size_t left = self->head_rows - self->head_at, count = left < max_rows ? left : max_rows;
    cnm_status status = begin_table(self, out, err);
    for (size_t i = 0; status == CNM_OK && i < count; i++) {
        status = add_head_row(self, out, err);
    }
    return status;
}

cnm_status dense_read(const dense_reader *self, void *state, double *cells, size_t max_rows, table *out, dense_end *end,
                      cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t i = 0; status == CNM_OK && i < max_rows && !end->ended; i++) {
        dense_row row = {.cells = cells, .weight = 1};
        status = take_row(self, state, &row, end, err);
        if (status == CNM_OK && !end->ended) {
            status = add_row(self, out, &row, err);
        }
        if (status == CNM_OK && !end->ended) {
            status = add_label(self, &out->labels, &row, err);
            out->rows -= status != CNM_OK; /* rows before a bad one are good */
        }
    }
    return status;
}

cnm_status dense_batch(dense_reader *self, size_t max_rows, table *out, cnm_error *err) {
    cnm_status status = dense_begin(self, err);
    if (status == CNM_OK) {
        status = dense_head(self, max_rows, out, err);
    }
    if (status == CNM_OK) { /* the head is over: its first row is scratch */
        dense_end end = {.ended = self->ended};
        status = dense_read(self, self->state, self->head, max_rows - out->rows, out, &end, err);
        self->ended = end.ended;
        if (status == CNM_OK && end.gaps.rows > 0) {
            status = dense_gaps_error(self, &end.gaps, err);
        }
    }
    return status;
}
