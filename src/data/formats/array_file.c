/* Rows from npy and idx: the values in array_values.c, labels from one of the columns or from a file of their own. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/formats/array_values.h"
#include "data/read/dense_rows.h"
#include "data/read/format_ops.h"
#include "data/table/group_hash.h"
#include "data/read/labels_file.h"

typedef struct array_reader {
    array_values values;
    double *row;         /* (columns of the file) */
    label_column labels; /* of the labels file */
    bool has_labels;
    column_plan columns;
    reader_options options; /* its texts are borrowed */
    dense_reader dense;
} array_reader;

static cnm_status next_row(void *state, dense_row *row, bool *more, cnm_error *err) {
    array_reader *self = state;
    const column_plan *columns = &self->columns;
    const size_t number = self->values.row;
    const cnm_status status = array_values_next(&self->values, self->row, more, err);
    if (status != CNM_OK || !*more) {
        return status;
    }
    for (size_t j = 0; j < columns->count; j++) {
        if (columns->target[j] != NO_COLUMN) {
            row->cells[columns->target[j]] = self->row[j];
        }
    }
    row->place = number + 1;
    row->label = NULL;
    row->weight = columns->weight != NO_COLUMN ? self->row[columns->weight] : 1;
    row->group = columns->group != NO_COLUMN ? group_of_number(self->row[columns->group]) : 0;
    if (!self->has_labels) {
        row->label_number = columns->label != NO_COLUMN ? self->row[columns->label] : 0;
    } else if (self->labels.words == NULL) {
        row->label_number = self->labels.numbers[number];
    } else {
        row->label = self->labels.words[self->labels.codes[number]];
        row->label_length = strlen(row->label);
    }
    return CNM_OK;
}

static cnm_status read_labels(array_reader *self, const char *file, cnm_error *err) {
    const char *path = self->options.labels_path;
    const cnm_status status = labels_file_read(&self->labels, path, err);
    if (status == CNM_OK && self->labels.rows != self->values.layout.rows) {
        return error_set(err, CNM_BAD_DATA, "%s: found %zu labels, expected %zu, one for each row of %s", path,
                         self->labels.rows, self->values.layout.rows, file);
    }
    self->has_labels = status == CNM_OK;
    self->options.label_column = "none"; /* no column of the file is the label */
    return status;
}

static cnm_status begin(array_reader *self, source *input, const array_layout *layout, const cnm_callbacks *callbacks,
                        cnm_error *err) {
    const char *file = source_name(input);
    cnm_status status = array_values_open(&self->values, input, layout, err);
    if (status == CNM_OK) {
        status = memory_take(&self->row, layout->columns, sizeof *self->row, "a row", err);
    }
    if (status == CNM_OK && self->options.labels_path != NULL && *self->options.labels_path != '\0') {
        status = read_labels(self, file, err);
    }
    if (status == CNM_OK) {
        status = columns_plan(&self->columns, file, layout->columns, NULL, (column_guess){NO_COLUMN, NO_COLUMN, NULL},
                              &self->options, callbacks, err);
    }
    self->dense = (dense_reader){.file = file,
                                 .place = "row",
                                 .columns = &self->columns,
                                 .labelled = self->has_labels || (status == CNM_OK && self->columns.label != NO_COLUMN),
                                 .exact = array_is_exact(layout),
                                 .options = &self->options,
                                 .next = next_row,
                                 .state = self};
    return status;
}

static void close_array(void *state) {
    array_reader *self = state;
    if (self == NULL) {
        return;
    }
    dense_free(&self->dense);
    columns_free(&self->columns);
    labels_free(&self->labels);
    array_values_free(&self->values);
    memory_free(self->row);
    memory_free(self);
}

static cnm_status open_array(void **state, source *input, const array_layout *layout, const reader_options *options,
                             const cnm_callbacks *callbacks, cnm_error *err) {
    array_reader *self;
    *state = NULL;
    cnm_status status = memory_zeroed(&self, 1, sizeof *self, "a reader", err);
    if (status != CNM_OK) {
        return status;
    }
    self->options = *options;
    status = begin(self, input, layout, callbacks, err);
    if (status != CNM_OK) {
        close_array(self);
        return status;
    }
    *state = self;
    return CNM_OK;
}

/* A plain file is as long as its header says. */
static size_t rows_of_array(void *state) {
    const array_reader *self = state;
    return self->values.plain ? self->values.layout.rows : 0;
}

static cnm_status open_npy(void **state, source *input, const reader_options *options, const cnm_callbacks *callbacks,
                           cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    array_layout layout;
    *state = NULL;
    cnm_status status = source_peek(input, &bytes, &size, err);
    if (status == CNM_OK) {
        status = npy_layout(&layout, bytes, size, source_name(input), err);
    }
    return status == CNM_OK ? open_array(state, input, &layout, options, callbacks, err) : status;
}

static cnm_status open_idx(void **state, source *input, const reader_options *options, const cnm_callbacks *callbacks,
                           cnm_error *err) {
    const unsigned char *bytes;
    size_t size;
    array_layout layout;
    *state = NULL;
    cnm_status status = source_peek(input, &bytes, &size, err);
    if (status == CNM_OK) {
        status = idx_layout(&layout, bytes, size, source_name(input), err);
    }
    return status == CNM_OK ? open_array(state, input, &layout, options, callbacks, err) : status;
}

static cnm_status next(void *state, size_t max_rows, table *out, cnm_error *err) {
    array_reader *self = state;
    return dense_batch(&self->dense, max_rows, out, err);
}

static const char *label_name(void *state) { return ((array_reader *)state)->columns.label_column; }

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
