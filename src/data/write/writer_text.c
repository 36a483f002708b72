/* Writes tables as LIBSVM text and as CSV, which read back to the same rows. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/encode/time_read.h"
#include "data/table/table_types.h"
#include "data/write/writer_ops.h"

/* Writes a label's text to out, which is emptied first. */
static cnm_status label_text(const table *self, size_t row, text_buffer *out, cnm_error *err) {
    char text[TEXT_DOUBLE_SIZE];
    const label_column *labels = &self->labels;
    out->length = 0;
    if (labels->words.texts != NULL) {
        return text_add_string(out, labels->words.texts[labels->codes[row]], err);
    }
    return text_add(out, text, text_from_double(text, labels->numbers[row]), err);
}

static cnm_status add_libsvm_label(const table *self, size_t row, text_buffer *label, text_buffer *out,
                                   cnm_error *err) {
    if (!self->labelled) {
        return text_add_string(out, "0", err);
    }
    TRY(label_text(self, row, label, err));
    if (strpbrk(label->bytes, " \t#:,") != NULL) {
        return error_set(err, CNM_BAD_DATA, "the label '%s' cannot be written as libsvm (blanks, # : ,), but as csv",
                         label->bytes);
    }
    return text_add(out, label->bytes, label->length, err);
}

static cnm_status add_pair(const table *self, size_t row, size_t column, float value, text_buffer *out,
                           cnm_error *err) {
    if (isnan(value)) {
        return error_set(err, CNM_BAD_DATA, "row %zu has no value in column %zu, and libsvm cannot say so, but csv can",
                         row + 1, column + 1);
    }
    TRY(text_add(out, " ", 1, err));
    TRY(text_add_count(out, column + 1, err));
    TRY(text_add(out, ":", 1, err));
    return text_add_value(out, self->base, column, value, err);
}

/* Adds the pairs of a row. The first row has a pair for the last column even when it is 0, so that
 * the number of columns survives. */
static cnm_status add_pairs(const table *self, size_t row, text_buffer *out, cnm_error *err) {
    const rows_view view = table_view(self);
    const bool sparse = rows_are_sparse(&view);
    const size_t from = sparse ? view.starts[row] : 0, to = sparse ? view.starts[row + 1] : view.columns;
    const float *values = sparse ? view.values : view.values + row * view.stride;
    size_t next = 0; /* the first column that was not written */
    for (size_t at = from; at < to; at++) {
        const size_t j = sparse ? view.index[at] : at;
        if ((double)values[at] + (view.base != NULL ? view.base[j] : 0) != 0) {
            TRY(add_pair(self, row, j, values[at], out, err));
            next = j + 1;
        }
    }
    if (row == 0 && next < view.columns) {
        const double base = view.base != NULL ? view.base[view.columns - 1] : 0;
        TRY(add_pair(self, row, view.columns - 1, (float)-base, out, err));
    }
    return CNM_OK;
}

static cnm_status write_libsvm(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    cnm_status status = CNM_OK;
    text_writer writer;
    text_buffer label = {0};
    (void)labels_path;
    TRY(text_writer_open(&writer, path, err));
    for (size_t i = 0; i < self->rows; i++) {
        TRY_DONE(add_libsvm_label(self, i, &label, &writer.pending, err));
        TRY_DONE(add_pairs(self, i, &writer.pending, err));
        TRY_DONE(text_add(&writer.pending, "\n", 1, err));
        TRY_DONE(text_writer_row(&writer, err));
    }
done:
    text_free(&label);
    return text_writer_close(&writer, status, err);
}

/* Adds a cell, in quotes where it needs them. */
static cnm_status add_cell(text_buffer *out, const char *text, cnm_error *err) {
    const size_t length = strlen(text);
    const bool blank_ends = length > 0 && (text[0] == ' ' || text[0] == '#' || text[length - 1] == ' ');
    if (length > 0 && !blank_ends && strpbrk(text, ",;|\t\"\r\n") == NULL) {
        return text_add(out, text, length, err);
    }
    TRY(text_add(out, "\"", 1, err));
    for (size_t i = 0; i < length; i++) {
        TRY(text[i] == '"' ? text_add(out, "\"\"", 2, err) : text_add(out, text + i, 1, err));
    }
    return text_add(out, "\"", 1, err);
}

static cnm_status add_names(const table *self, text_buffer *out, cnm_error *err) {
    for (size_t j = 0; j < self->columns; j++) {
        TRY(j > 0 ? text_add(out, ",", 1, err) : CNM_OK);
        if (self->names != NULL) {
            TRY(add_cell(out, self->names[j], err));
        } else {
            TRY(text_add(out, "x", 1, err));
            TRY(text_add_count(out, j + 1, err));
        }
    }
    TRY(self->weights != NULL ? text_add_string(out, ",weight", err) : CNM_OK);
    TRY(self->groups != NULL ? text_add_string(out, ",group", err) : CNM_OK);
    TRY(self->labelled ? text_add_string(out, ",label", err) : CNM_OK);
    return text_add(out, "\n", 1, err);
}

/* Adds a value of column j as text that reads back to it. */
static cnm_status add_value(const table *self, size_t j, float value, text_buffer *out, cnm_error *err) {
    char text[TIME_TEXT_SIZE];
    const column_kind kind = table_kind(self, j);
    if (kind == COLUMN_WORDS) {
        return add_cell(out, self->types[j].words.texts[(size_t)value], err);
    }
    if (kind == COLUMN_TIME) {
        const double base = self->base != NULL ? self->base[j] : 0;
        return text_add(out, text, time_write(text, base + (double)value), err);
    }
    return text_add_value(out, self->base, j, value, err);
}

/* Adds row i, whose values (columns) are dense. */
static cnm_status add_cells(const table *self, size_t i, const float *values, text_buffer *label, text_buffer *out,
                            cnm_error *err) {
    for (size_t j = 0; j < self->columns; j++) {
        TRY(j > 0 ? text_add(out, ",", 1, err) : CNM_OK);
        TRY(isnan(values[j]) ? text_add(out, "NA", 2, err) : add_value(self, j, values[j], out, err));
    }
    if (self->weights != NULL) {
        TRY(text_add(out, ",", 1, err));
        TRY(text_add_value(out, NULL, 0, self->weights[i], err));
    }
    if (self->groups != NULL) { /* a number would read as a feature */
        TRY(text_add_string(out, ",g", err));
        TRY(text_add_count(out, self->groups[i], err));
    }
    if (self->labelled) {
        TRY(text_add(out, ",", 1, err));
        TRY(label_text(self, i, label, err));
        TRY(add_cell(out, label->bytes, err));
    }
    return text_add(out, "\n", 1, err);
}

static cnm_status write_csv(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    cnm_status status;
    text_writer writer;
    text_buffer label = {0};
    float *values = NULL;
    (void)labels_path;
    TRY(text_writer_open(&writer, path, err));
    TRY_DONE(memory_take(&values, self->columns, sizeof *values, "a row", err));
    TRY_DONE(add_names(self, &writer.pending, err));
    for (size_t i = 0; i < self->rows; i++) {
        rows_gather(table_view(self), &i, 1, values);
        TRY_DONE(add_cells(self, i, values, &label, &writer.pending, err));
        TRY_DONE(text_writer_row(&writer, err));
    }
done:
    memory_free(values);
    text_free(&label);
    return text_writer_close(&writer, status, err);
}

static const char *const LIBSVM_ENDINGS[] = {".libsvm", ".svm", ".svmlight", NULL};
static const char *const CSV_ENDINGS[] = {".csv", NULL};

const writer_ops WRITER_LIBSVM = {.name = "libsvm", .endings = LIBSVM_ENDINGS, .write = write_libsvm};
const writer_ops WRITER_CSV = {.name = "csv", .endings = CSV_ENDINGS, .takes_words = true, .write = write_csv};
