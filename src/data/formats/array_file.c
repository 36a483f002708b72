/* Rows from npy and idx files: values by array_values.c, labels from one of the columns or from a
 * file of their own. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/formats/array_values.h"
#include "data/read/column_layout.h"
#include "data/read/dense_rows.h"
#include "data/read/format_ops.h"
#include "data/read/labels_file.h"
#include "data/table/group_hash.h"

typedef struct array_file {
    array_values values;
    double *row;         /* (columns of the file) */
    label_column labels; /* of the labels file */
    bool has_labels;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    dense_rows dense;
} array_file;

static cnm_status next_row(void *state, dense_row *row, bool *more, cnm_error *err) {
    array_file *self = state;
    const column_plan *columns = &self->columns;
    const size_t number = self->values.row;
    TRY(array_values_next(&self->values, self->row, more, err));
    if (!*more) {
        return CNM_OK;
    }
    for (size_t j = 0; j < columns->count; j++) {
        if (columns->target[j] != NO_COLUMN) {
            row->cells[columns->target[j]] = self->row[j];
        }
    }
    row->position = number + 1;
    row->label = NULL;
    row->weight = columns->weight != NO_COLUMN ? self->row[columns->weight] : 1;
    row->group = columns->group != NO_COLUMN ? group_hash_number(self->row[columns->group]) : 0;
    if (!self->has_labels) {
        row->label_number = columns->label != NO_COLUMN ? self->row[columns->label] : 0;
    } else if (self->labels.words.texts == NULL) {
        row->label_number = self->labels.numbers[number];
    } else {
        row->label = self->labels.words.texts[self->labels.codes[number]];
        row->label_length = strlen(row->label);
    }
    return CNM_OK;
}

static cnm_status read_labels(array_file *self, const char *file, cnm_error *err) {
    const char *path = self->options.labels_path;
    TRY(labels_file_read(&self->labels, path, err));
    if (self->labels.rows != self->values.layout.rows) {
        return error_set(err, CNM_BAD_DATA, "%s: found %zu labels, expected %zu, one for each row of %s", path,
                         self->labels.rows, self->values.layout.rows, file);
    }
    self->has_labels = true;
    self->options.label_column = "none"; /* no column of the file is the label */
    return CNM_OK;
}

static cnm_status begin(array_file *self, byte_source *input, const array_layout *layout,
                        const cnm_callbacks *callbacks, cnm_error *err) {
    const char *file = byte_source_name(input);
    TRY(array_values_open(&self->values, input, layout, err));
    TRY(memory_take(&self->row, layout->columns, sizeof *self->row, "a row", err));
    if (self->options.labels_path != NULL && *self->options.labels_path != '\0') {
        TRY(read_labels(self, file, err));
    }
    TRY(column_plan_create(&self->columns, file, layout->columns, NULL, NO_GUESS, &self->options, callbacks, err));
    self->dense = (dense_rows){.file = file,
                               .unit = "row",
                               .columns = &self->columns,
                               .labelled = self->has_labels || self->columns.label != NO_COLUMN,
                               .exact = array_is_exact(layout),
                               .options = &self->options,
                               .next = next_row,
                               .state = self};
    return CNM_OK;
}

static void close_array(void *state) {
    array_file *self = state;
    if (self == NULL) {
        return;
    }
    dense_rows_free(&self->dense);
    column_plan_free(&self->columns);
    labels_free(&self->labels);
    array_values_free(&self->values);
    memory_free(self->row);
    memory_free(self);
}

static cnm_status open_array(void **state, byte_source *input, const array_layout *layout,
                             const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    array_file *self;
    *state = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "a reader", err));
    self->options = *options;
    const cnm_status status = begin(self, input, layout, callbacks, err);
    if (status != CNM_OK) {
        close_array(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

/* Returns the rows of a plain file, which is as long as its header says. */
static size_t rows_of_array(void *state) {
    const array_file *self = state;
    return self->values.plain ? self->values.layout.rows : 0;
}

static cnm_status open_npy(void **state, byte_source *input, const reader_options *options,
                           const cnm_callbacks *callbacks, cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    array_layout layout;
    *state = NULL;
    TRY(byte_source_peek(input, &bytes, &size, err));
    TRY(npy_layout(&layout, bytes, size, byte_source_name(input), err));
    return open_array(state, input, &layout, options, callbacks, err);
}

static cnm_status open_idx(void **state, byte_source *input, const reader_options *options,
                           const cnm_callbacks *callbacks, cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    array_layout layout;
    *state = NULL;
    TRY(byte_source_peek(input, &bytes, &size, err));
    TRY(idx_layout(&layout, bytes, size, byte_source_name(input), err));
    return open_array(state, input, &layout, options, callbacks, err);
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    array_file *self = state;
    return dense_rows_batch(&self->dense, max_rows, out, err);
}

static const char *label_name(void *state) { return ((array_file *)state)->columns.label_column; }

const format_ops FORMAT_NPY = {.name = "npy",
                               .takes_labels = true,
                               .recognise = npy_recognise,
                               .open = open_npy,
                               .next = next,
                               .label_column = label_name,
                               .rows = rows_of_array,
                               .close = close_array};

const format_ops FORMAT_IDX = {.name = "idx",
                               .takes_labels = true,
                               .recognise = idx_recognise,
                               .open = open_idx,
                               .next = next,
                               .label_column = label_name,
                               .rows = rows_of_array,
                               .close = close_array};
