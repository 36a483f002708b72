/* Tables as LIBSVM text and as CSV. What is written reads back to the same rows. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/write/writer_ops.h"

/* A label's text in out, which is emptied first. */
static cnm_status label_text(const table *self, size_t row, text_buffer *out, cnm_error *err) {
    char text[TEXT_DOUBLE_SIZE];
    const label_column *labels = &self->labels;
    out->length = 0;
    if (labels->words != NULL) {
        return text_add_string(out, labels->words[labels->codes[row]], err);
    }
    return text_add(out, text, text_from_double(text, labels->numbers[row]), err);
}

static cnm_status add_libsvm_label(const table *self, size_t row, text_buffer *label, text_buffer *out,
                                   cnm_error *err) {
    if (!self->labelled) {
        return text_add_string(out, "0", err);
    }
    const cnm_status status = label_text(self, row, label, err);
    if (status != CNM_OK) {
        return status;
    }
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
    cnm_status status = text_add(out, " ", 1, err);
    if (status == CNM_OK) {
        status = text_add_count(out, column + 1, err);
    }
    if (status == CNM_OK) {
        status = text_add(out, ":", 1, err);
    }
    return status == CNM_OK ? text_add_value(out, self->base, column, value, err) : status;
}

/* The pairs of a row. The first row names the last column even when it is 0, so that their number survives. */
static cnm_status add_pairs(const table *self, size_t row, text_buffer *out, cnm_error *err) {
    const rows_view view = table_view(self);
    const bool sparse = rows_are_sparse(&view);
    const size_t from = sparse ? view.starts[row] : 0, to = sparse ? view.starts[row + 1] : view.columns;
    const float *values = sparse ? view.values : view.values + row * view.stride;
    size_t next = 0; /* the first column that was not written */
    cnm_status status = CNM_OK;
    for (size_t at = from; status == CNM_OK && at < to; at++) {
        const size_t j = sparse ? view.index[at] : at;
        if ((double)values[at] + (view.base != NULL ? view.base[j] : 0) != 0) {
            status = add_pair(self, row, j, values[at], out, err);
            next = j + 1;
        }
    }
    if (status == CNM_OK && row == 0 && next < view.columns) {
        const double base = view.base != NULL ? view.base[view.columns - 1] : 0;
        status = add_pair(self, row, view.columns - 1, (float)-base, out, err);
    }
    return status;
}

static cnm_status write_libsvm(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    text_writer writer;
    text_buffer label = {0};
    (void)labels_path;
    cnm_status status = text_writer_open(&writer, path, err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; status == CNM_OK && i < self->rows; i++) {
        status = add_libsvm_label(self, i, &label, &writer.pending, err);
        if (status == CNM_OK) {
            status = add_pairs(self, i, &writer.pending, err);
        }
        if (status == CNM_OK) {
            status = text_add(&writer.pending, "\n", 1, err);
        }
        if (status == CNM_OK) {
            status = text_writer_row(&writer, err);
        }
    }
    text_free(&label);
    return text_writer_close(&writer, status, err);
}

/* A cell in quotes where it needs them. */
static cnm_status add_cell(text_buffer *out, const char *text, cnm_error *err) {
    const size_t length = strlen(text);
    const bool blank_ends = length > 0 && (text[0] == ' ' || text[0] == '#' || text[length - 1] == ' ');
    if (length > 0 && !blank_ends && strpbrk(text, ",;|\t\"\r\n") == NULL) {
        return text_add(out, text, length, err);
    }
    cnm_status status = text_add(out, "\"", 1, err);
    for (size_t i = 0; status == CNM_OK && i < length; i++) {
        status = text[i] == '"' ? text_add(out, "\"\"", 2, err) : text_add(out, text + i, 1, err);
    }
    return status == CNM_OK ? text_add(out, "\"", 1, err) : status;
}

static cnm_status add_names(const table *self, text_buffer *out, cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t j = 0; status == CNM_OK && j < self->columns; j++) {
        if (j > 0) {
            status = text_add(out, ",", 1, err);
        }
        if (status == CNM_OK && self->names != NULL) {
            status = add_cell(out, self->names[j], err);
        } else if (status == CNM_OK) {
            status = text_add(out, "x", 1, err);
            status = status == CNM_OK ? text_add_count(out, j + 1, err) : status;
        }
    }
    if (status == CNM_OK && self->weights != NULL) {
        status = text_add_string(out, ",weight", err);
    }
    if (status == CNM_OK && self->groups != NULL) {
        status = text_add_string(out, ",group", err);
    }
    if (status == CNM_OK && self->labelled) {
        status = text_add_string(out, ",label", err);
    }
    return status == CNM_OK ? text_add(out, "\n", 1, err) : status;
}

/* values (columns): row i, dense. */
static cnm_status add_cells(const table *self, size_t i, const float *values, text_buffer *label, text_buffer *out,
                            cnm_error *err) {
    cnm_status status = CNM_OK;
    for (size_t j = 0; status == CNM_OK && j < self->columns; j++) {
        if (j > 0) {
            status = text_add(out, ",", 1, err);
        }
        if (status == CNM_OK) {
            status =
                isnan(values[j]) ? text_add(out, "NA", 2, err) : text_add_value(out, self->base, j, values[j], err);
        }
    }
    if (status == CNM_OK && self->weights != NULL) {
        status = text_add(out, ",", 1, err);
        status = status == CNM_OK ? text_add_value(out, NULL, 0, self->weights[i], err) : status;
    }
    if (status == CNM_OK && self->groups != NULL) { /* a number would pass for a feature */
        status = text_add_string(out, ",g", err);
        status = status == CNM_OK ? text_add_count(out, self->groups[i], err) : status;
    }
    if (status == CNM_OK && self->labelled) {
        status = text_add(out, ",", 1, err);
        status = status == CNM_OK ? label_text(self, i, label, err) : status;
        status = status == CNM_OK ? add_cell(out, label->bytes, err) : status;
    }
    return status == CNM_OK ? text_add(out, "\n", 1, err) : status;
}

static cnm_status write_csv(const table *self, const char *path, const char *labels_path, cnm_error *err) {
    text_writer writer;
    text_buffer label = {0};
    float *values = NULL;
    (void)labels_path;
    cnm_status status = text_writer_open(&writer, path, err);
    if (status != CNM_OK) {
        return status;
    }
    status = memory_take(&values, self->columns, sizeof *values, "a row", err);
    if (status == CNM_OK) {
        status = add_names(self, &writer.pending, err);
    }
    for (size_t i = 0; status == CNM_OK && i < self->rows; i++) {
        rows_gather(table_view(self), &i, 1, values);
        status = add_cells(self, i, values, &label, &writer.pending, err);
        if (status == CNM_OK) {
            status = text_writer_row(&writer, err);
        }
    }
    memory_free(values);
    text_free(&label);
    return text_writer_close(&writer, status, err);
}

static const char *const LIBSVM_ENDINGS[] = {".libsvm", ".svm", ".svmlight", NULL};
static const char *const CSV_ENDINGS[] = {".csv", NULL};

const writer_ops WRITER_LIBSVM = {.name = "libsvm", .endings = LIBSVM_ENDINGS, .write = write_libsvm};
const writer_ops WRITER_CSV = {.name = "csv", .endings = CSV_ENDINGS, .write = write_csv};
