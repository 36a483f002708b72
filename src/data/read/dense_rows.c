/* Batches of dense rows.
 *
 * The first rows of a file (the head: 4096, fewer when they are very wide) are kept in double to
 * find columns such as 1.7e9 +- 3600, which would lose their digits as float. base_j = the first
 * value when max|x_j| > 256 (max x_j - min x_j) in the head and a float does not hold the values
 * anyway (some value is not a float, or is so large that others may not be), and for times that are
 * not floats; (float)(x - base_j) is stored then. The head depends on the file alone, so batches of
 * any size give the same rows. A row that cannot be read ends the head: it is an error when the
 * rows before it were taken. */
#include "data/read/dense_rows.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/table/table_types.h"

enum { HEAD_ROWS = 4096, HEAD_CELLS = 1 << 22 };

#define LARGE_VALUE 1048576.0 /* 2^20: floats from here on are 1/8 apart or more */

void dense_rows_free(dense_rows *self) {
    memory_free(self->base);
    memory_free(self->head);
    memory_free(self->positions);
    memory_free(self->weights);
    memory_free(self->groups);
    types_free(self->types, self->columns != NULL ? self->columns->features : 0);
    labels_free(&self->labels);
    texts_free(&self->ids);
}

cnm_status dense_rows_position(const dense_rows *self, size_t position, cnm_status status, cnm_error *err) {
    return strcmp(self->unit, "line") == 0 ? error_prefix(err, status, "%s:%zu", self->file, position)
                                           : error_prefix(err, status, "%s: %s %zu", self->file, self->unit, position);
}

static cnm_status add_label(const dense_rows *self, label_column *labels, const dense_row *row, cnm_error *err) {
    if (!self->labelled) {
        return CNM_OK;
    }
    const cnm_status status = row->label == NULL || row->label_is_number
                                  ? labels_add_number(labels, row->label_number, err)
                                  : labels_add_text(labels, row->label, row->label_length, err);
    return status == CNM_OK || status == CNM_NO_MEMORY ? status : dense_rows_position(self, row->position, status, err);
}

static cnm_status check_weight(const dense_rows *self, const dense_row *row, cnm_error *err) {
    if (self->columns->weight == NO_COLUMN || (row->weight >= 0 && isfinite((float)row->weight))) {
        return CNM_OK;
    }
    char text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, row->weight)] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found the weight %s, expected a finite number that is not negative", text);
    return dense_rows_position(self, row->position, CNM_BAD_DATA, err);
}

static size_t count_missing(const dense_row *row, size_t count) {
    size_t missing = 0;
    for (size_t j = 0; j < count && !row->full; j++) {
        missing += isnan(row->cells[j]) != 0;
    }
    return missing;
}

/* Takes one row from the format and checks its weight; sets end where there is none. */
static cnm_status take_row(const dense_rows *self, void *state, dense_row *row, dense_end *end, cnm_error *err) {
    const size_t features = self->columns->features;
    bool more = true;
    for (size_t i = 0; i < self->columns->absent_count; i++) {
        row->cells[self->columns->absent[i]] = 0.0;
    }
    const cnm_status status = self->next(state, row, &more, err);
    end->broken = status != CNM_OK;
    end->ended = !more;
    TRY(status);
    if (more && self->options->missing == MISSING_ERROR && count_missing(row, features) > 0) {
        end->broken = end->ended = true;
        missing_cells_note(&end->missing, row, features);
        TRY(missing_cells_count(self, state, row, &end->missing, err));
        end->broken = false;
    }
    return end->ended ? CNM_OK : check_weight(self, row, err);
}

/* Returns base_j of column j of the head, by the rule at the top of this file. */
static double column_base(const dense_rows *self, size_t j) {
    const size_t features = self->columns->features;
    double first = 0, low = INFINITY, high = -INFINITY;
    bool inexact = false;
    if (self->types != NULL && self->types[j].kind == COLUMN_WORDS) {
        return 0;
    }
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
    if (self->types != NULL && self->types[j].kind == COLUMN_TIME) { /* seconds count beside years */
        return inexact ? first : 0;
    }
    return isfinite(low) && largest > 256 * (high - low) && (inexact || largest >= LARGE_VALUE) ? first : 0;
}

static cnm_status decide_base(dense_rows *self, cnm_error *err) {
    const reader_options *options = self->options;
    const size_t features = self->columns->features;
    if (options->expects ? options->base == NULL || options->columns == 0 : self->exact) {
        return CNM_OK;
    }
    TRY(memory_take(&self->base, features, sizeof *self->base, "columns", err));
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

/* Reserves memory for row i of the head. */
static cnm_status grow_head(dense_rows *self, size_t i, cnm_error *err) {
    const size_t rows = i + 1, cells = rows * self->columns->features;
    TRY(memory_grow(&self->head, &self->head_capacity, cells, sizeof *self->head, "the first rows", err));
    TRY(memory_grow(&self->positions, &self->positions_capacity, rows, sizeof *self->positions, "the first rows", err));
    TRY(memory_grow(&self->weights, &self->weights_capacity, rows, sizeof *self->weights, "the first rows", err));
    return memory_grow(&self->groups, &self->groups_capacity, rows, sizeof *self->groups, "the first rows", err);
}

/* Reads the next row into the head. */
static cnm_status read_head_row(dense_rows *self, dense_end *end, cnm_error *err) {
    dense_row row = {.weight = 1, .types = self->types};
    TRY(grow_head(self, self->head_rows, err));
    row.cells = self->head + self->head_rows * self->columns->features;
    TRY(take_row(self, self->state, &row, end, err));
    if (end->ended) {
        return CNM_OK;
    }
    self->positions[self->head_rows] = row.position;
    self->weights[self->head_rows] = row.weight;
    self->groups[self->head_rows] = row.group;
    TRY(add_label(self, &self->labels, &row, err));
    if (self->columns->id != NO_COLUMN) {
        TRY(texts_add(&self->ids, row.id, row.id_length, err));
    }
    self->head_rows++;
    return CNM_OK;
}

/* Returns how many rows the head has, where the file has as many. */
static size_t head_limit(const dense_rows *self) {
    const size_t fitting = HEAD_CELLS / self->columns->features;
    if (self->exact || self->options->expects) { /* the base is known: no row needs to wait */
        return 0;
    }
    return fitting < 1 ? 1 : fitting < HEAD_ROWS ? fitting : HEAD_ROWS;
}

/* Reads the head, up to a row that cannot be read: the rows before it are good, and may be all that
 * is wanted. */
static cnm_status read_head(dense_rows *self, dense_end *end, cnm_error *err) {
    const size_t limit = head_limit(self);
    TRY(grow_head(self, 0, err));
    types_free(self->types, self->columns->features);
    TRY(types_copy(&self->types, self->columns->types, self->columns->features, false, err));
    while (!end->ended && self->head_rows < limit) {
        cnm_error failure = {0};
        self->failed = read_head_row(self, end, &failure);
        if (self->failed == CNM_NO_MEMORY || end->missing.rows > 0) {
            return self->failed == CNM_OK ? CNM_OK : error_set(err, self->failed, "%s", failure.message);
        }
        if (self->failed != CNM_OK) {
            self->failure = failure;
            end->ended = true;
        }
    }
    return CNM_OK;
}

cnm_status dense_rows_begin(dense_rows *self, cnm_error *err) {
    dense_end end = {.ended = self->ended};
    cnm_status status;
    if (self->begun) {
        return CNM_OK;
    }
    TRY_DONE(read_head(self, &end, err));
    if (end.missing.rows > 0) {
        return missing_cells_error(self, &end.missing, err);
    }
    TRY_DONE(decide_base(self, err));
    self->begun = true;
done:
    self->ended = end.ended;
    return status;
}

/* Fills out (count) with (float)(cells - base). Returns false when a value is infinite or missing:
 * its difference with itself is not 0. Loops without branches, which the compiler vectorises. */
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

/* Fills out (features) with (float)(cells - base); fails on a value that float cannot hold. */
static cnm_status store_row(const dense_rows *self, const double *cells, size_t position, float *out, cnm_error *err) {
    const size_t features = self->columns->features;
    if (round_row(cells, self->base, features, out)) {
        return CNM_OK;
    }
    size_t j = 0;
    while (j < features && !isinf(out[j])) {
        j++;
    }
    if (j == features) {
        return CNM_OK; /* no cell is infinite: some are missing */
    }
    char shown[COLUMN_SHOWN_SIZE], text[TEXT_DOUBLE_SIZE];
    text[text_from_double(text, cells[j])] = '\0';
    (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected a number below 3.4e38 in size", text,
                    column_plan_show(self->columns, column_plan_source(self->columns, j), shown));
    return dense_rows_position(self, position, CNM_BAD_DATA, err);
}

void dense_rows_shape(const dense_rows *self, table *out) {
    out->columns = self->columns->features;
    out->labelled = self->labelled;
    out->base = self->base;
    out->names = self->columns->names;
    out->types = self->columns->types;
    out->identified = self->columns->id != NO_COLUMN;
}

/* Gives a batch its names, base and types. */
static cnm_status begin_table(const dense_rows *self, table *out, cnm_error *err) {
    table shape = {0};
    dense_rows_shape(self, &shape);
    return out->columns == 0 ? table_append(out, &shape, err) : CNM_OK;
}

/* Appends one row, of the head or newly read. */
static cnm_status add_row(const dense_rows *self, table *out, const dense_row *row, cnm_error *err) {
    const size_t rows = out->rows + 1;
    TRY(memory_grow(&out->values, &out->cell_capacity, rows * out->columns, sizeof *out->values, "rows", err));
    TRY(store_row(self, row->cells, row->position, out->values + out->rows * out->columns, err));
    if (self->columns->weight != NO_COLUMN) {
        TRY(memory_grow(&out->weights, &out->weight_capacity, rows, sizeof *out->weights, "weights", err));
        out->weights[out->rows] = (float)row->weight;
    }
    if (self->columns->group != NO_COLUMN) {
        TRY(memory_grow(&out->groups, &out->group_capacity, rows, sizeof *out->groups, "groups", err));
        out->groups[out->rows] = row->group;
    }
    out->missing += self->options->missing == MISSING_KEEP ? count_missing(row, out->columns) : 0;
    out->rows = rows;
    return CNM_OK;
}

static cnm_status add_head_row(dense_rows *self, table *out, cnm_error *err) {
    const size_t i = self->head_at++;
    const dense_row row = {.cells = self->head + i * self->columns->features,
                           .weight = self->weights[i],
                           .group = self->groups[i],
                           .position = self->positions[i]};
    TRY(add_row(self, out, &row, err));
    if (out->identified) {
        TRY(texts_append(&out->ids, &self->ids, i, 1, err));
    }
    return self->labelled ? labels_add_from(&out->labels, &self->labels, i, err) : CNM_OK;
}

cnm_status dense_rows_head(dense_rows *self, size_t max_rows, table *out, cnm_error *err) {
    const size_t left = self->head_rows - self->head_at, count = left < max_rows ? left : max_rows;
    TRY(begin_table(self, out, err));
    if (count == 0 && max_rows > 0 && self->failed != CNM_OK) {
        return error_set(err, self->failed, "%s", self->failure.message);
    }
    if (count == 0) {
        return CNM_OK;
    }
    const size_t before = out->rows;
    for (size_t i = 0; i < count; i++) {
        TRY(add_head_row(self, out, err));
    }
    return types_recode(out->types, self->types, out->values + before * out->columns, count, out->columns, err);
}

/* Adds what names a row, and its label. */
static cnm_status add_texts(const dense_rows *self, table *out, const dense_row *row, cnm_error *err) {
    if (out->identified) {
        TRY(texts_add(&out->ids, row->id, row->id_length, err));
    }
    return add_label(self, &out->labels, row, err);
}

cnm_status dense_rows_read(const dense_rows *self, void *state, double *cells, size_t max_rows, table *out,
                           dense_end *end, cnm_error *err) {
    for (size_t i = 0; i < max_rows && !end->ended; i++) {
        dense_row row = {.cells = cells, .types = out->types, .weight = 1};
        TRY(take_row(self, state, &row, end, err));
        if (end->ended) {
            break;
        }
        TRY(add_row(self, out, &row, err));
        const cnm_status status = add_texts(self, out, &row, err);
        if (status != CNM_OK) {
            out->rows--; /* rows before a bad one are good */
            out->ids.rows = out->identified ? out->rows : 0;
            return status;
        }
    }
    return CNM_OK;
}

cnm_status dense_rows_batch(dense_rows *self, size_t max_rows, table *out, cnm_error *err) {
    TRY(dense_rows_begin(self, err));
    TRY(dense_rows_head(self, max_rows, out, err));
    dense_end end = {.ended = self->ended}; /* the head is over: its first row is scratch */
    const cnm_status status = dense_rows_read(self, self->state, self->head, max_rows - out->rows, out, &end, err);
    self->ended = end.ended;
    TRY(status);
    return end.missing.rows > 0 ? missing_cells_error(self, &end.missing, err) : CNM_OK;
}
