/* Rows from memory, and what can be asked of rows. */
#include <math.h>
#include <string.h>

#include "api/api_objects.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/write/writer.h"
#include "model/model_columns.h"

cnm_status api_require(const void *argument, const char *name, cnm_error *err) {
    return argument != NULL ? CNM_OK : error_set(err, CNM_BAD_ARGUMENT, "%s must not be NULL", name);
}

cnm_status api_check_callbacks(const cnm_callbacks *callbacks, cnm_error *err) {
    return callbacks == NULL || callbacks->struct_size >= sizeof *callbacks
               ? CNM_OK
               : error_set(err, CNM_BAD_ARGUMENT, "callbacks must begin as CNM_CALLBACKS_INIT");
}

static cnm_status create(cnm_data **out, size_t rows, size_t columns, cnm_error *err) {
    TRY(memory_zeroed(out, 1, sizeof **out, "rows", err));
    const cnm_status status = table_create(&(*out)->table, err);
    if (status != CNM_OK) {
        cnm_data_destroy(*out);
        *out = NULL;
        return status;
    }
    (*out)->table->rows = rows;
    (*out)->table->columns = columns;
    return CNM_OK;
}

static cnm_status check_dense(const void *values, size_t rows, size_t columns, size_t stride, cnm_error *err) {
    size_t cells;
    if (values == NULL && rows > 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "values must not be NULL");
    }
    if (columns == 0 || stride < columns) {
        return error_set(err, CNM_BAD_ARGUMENT,
                         "%zu columns with a stride of %zu: columns must be at least 1, stride at least columns",
                         columns, stride);
    }
    if (!size_multiply(rows, stride, &cells) || cells > SIZE_MAX / sizeof(double)) {
        return error_set(err, CNM_BAD_ARGUMENT, "%zu rows of %zu floats are more than memory can hold", rows, stride);
    }
    return CNM_OK;
}

cnm_status cnm_data_view_dense(cnm_data **out, const float *values, size_t rows, size_t columns, size_t stride,
                               cnm_error *err) {
    TRY(api_output(out, err));
    TRY(check_dense(values, rows, columns, stride, err));
    TRY(create(out, rows, columns, err));
    (*out)->table->values = (float *)(uintptr_t)values; /* borrowed: never written through */
    (*out)->table->stride = stride;
    (*out)->table->borrowed = true;
    return CNM_OK;
}

/* Checks all starts before any index: a start that goes down later could point behind the arrays
 * now. */
static cnm_status check_starts(const size_t *starts, size_t rows, cnm_error *err) {
    for (size_t i = 0; i < rows; i++) {
        if (starts[i + 1] < starts[i]) {
            return error_set(err, CNM_BAD_ARGUMENT, "row %zu: starts go down from %zu to %zu", i + 1, starts[i],
                             starts[i + 1]);
        }
    }
    return CNM_OK;
}

static cnm_status check_csr(const uint32_t *index, const size_t *starts, size_t rows, size_t columns, cnm_error *err) {
    TRY(check_starts(starts, rows, err));
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = starts[i]; j < starts[i + 1]; j++) {
            if (index[j] >= columns || (j > starts[i] && index[j] <= index[j - 1])) {
                return error_set(err, CNM_BAD_ARGUMENT,
                                 "row %zu: column indices must ascend and be below %zu, found %lu", i + 1, columns,
                                 (unsigned long)index[j]);
            }
        }
    }
    return CNM_OK;
}

cnm_status cnm_data_view_csr(cnm_data **out, const float *values, const uint32_t *index, const size_t *starts,
                             size_t rows, size_t columns, cnm_error *err) {
    TRY(api_output(out, err));
    TRY(api_require(starts, "starts", err));
    if (starts[rows] > 0) {
        TRY(api_require(values, "values", err));
        TRY(api_require(index, "index", err));
    }
    if (columns == 0 || columns > UINT32_MAX) {
        return error_set(err, CNM_BAD_ARGUMENT, "%zu columns: sparse rows need 1 to 4294967295", columns);
    }
    TRY(check_csr(index, starts, rows, columns, err));
    TRY(create(out, rows, columns, err));
    table *own = (*out)->table;
    own->values = (float *)(uintptr_t)values; /* borrowed: never written through */
    own->starts = (size_t *)(uintptr_t)starts;
    own->index = (uint32_t *)(uintptr_t)index;
    own->borrowed = true;
    return CNM_OK;
}

/* Returns the base of a column of doubles (rows_view.h): its first value where that is large
 * against the column's spread. */
static double column_base(const double *values, size_t rows, size_t stride) {
    double low = values[0], high = values[0];
    for (size_t i = 1; i < rows; i++) {
        low = values[i * stride] < low ? values[i * stride] : low;
        high = values[i * stride] > high ? values[i * stride] : high;
    }
    const double largest = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    return isfinite(high - low) && largest > 256.0 * (high - low) ? values[0] : 0.0;
}

/* Fills the table with values less a base for each column; a base that is 0 throughout is
 * dropped. */
static void fill_based(table *own, const double *values, size_t stride, const cnm_model *model) {
    const size_t rows = own->rows, columns = own->columns;
    bool based = false;
    for (size_t j = 0; rows > 0 && j < columns; j++) {
        own->base[j] = model != NULL ? model_column_base(model, columns, j) : column_base(values + j, rows, stride);
        based = based || own->base[j] != 0.0;
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            own->values[i * columns + j] = (float)(values[i * stride + j] - own->base[j]);
        }
    }
    if (!based) {
        memory_free(own->base);
        own->base = NULL;
    }
}

cnm_status cnm_data_copy_double(cnm_data **out, const double *values, size_t rows, size_t columns, size_t stride,
                                const cnm_model *model, cnm_error *err) {
    cnm_status status = CNM_OK;
    TRY(api_output(out, err));
    TRY(check_dense(values, rows, columns, stride, err));
    TRY(create(out, rows, columns, err));
    table *own = (*out)->table;
    own->stride = columns;
    TRY_DONE(memory_zeroed(&own->base, columns, sizeof *own->base, "columns", err));
    TRY_DONE(memory_take(&own->values, rows * columns, sizeof *own->values, "rows", err));
    fill_based(own, values, stride, model);
done:
    if (status != CNM_OK) {
        cnm_data_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Replaces the labels by what `add` appends for each row. */
static cnm_status set_labels(cnm_data *data, const void *given,
                             cnm_status (*add)(label_column *labels, const void *given, size_t row, cnm_error *err),
                             cnm_error *err) {
    label_column labels = {0};
    cnm_status status = CNM_OK;
    TRY(api_require(data, "data", err));
    for (size_t i = 0; given != NULL && i < data->table->rows; i++) {
        TRY_DONE(add(&labels, given, i, err));
    }
    labels_free(&data->table->labels);
    data->table->labels = labels;
    data->table->labelled = given != NULL;
    return CNM_OK;
done:
    labels_free(&labels);
    return status;
}

static cnm_status add_text(label_column *labels, const void *given, size_t row, cnm_error *err) {
    const char *text = ((const char *const *)given)[row];
    return text == NULL ? error_set(err, CNM_BAD_ARGUMENT, "row %zu: its label is NULL", row + 1)
                        : labels_add_text(labels, text, strlen(text), err);
}

static cnm_status add_number(label_column *labels, const void *given, size_t row, cnm_error *err) {
    return labels_add_number(labels, ((const double *)given)[row], err);
}

cnm_status cnm_data_set_labels(cnm_data *data, const char *const *labels, cnm_error *err) {
    return set_labels(data, labels, add_text, err);
}

cnm_status cnm_data_set_targets(cnm_data *data, const double *targets, cnm_error *err) {
    return set_labels(data, targets, add_number, err);
}

cnm_status cnm_data_set_weights(cnm_data *data, const double *weights, cnm_error *err) {
    float *copy = NULL;
    TRY(api_require(data, "data", err));
    if (weights != NULL) {
        TRY(memory_take(&copy, data->table->rows, sizeof *copy, "weights", err));
    }
    for (size_t i = 0; weights != NULL && i < data->table->rows; i++) {
        if (!(weights[i] >= 0.0) || !isfinite((float)weights[i])) {
            memory_free(copy);
            return error_set(err, CNM_BAD_ARGUMENT, "row %zu: its weight is not a finite number from 0", i + 1);
        }
        copy[i] = (float)weights[i];
    }
    memory_free(data->table->weights);
    data->table->weights = copy;
    data->table->weight_capacity = copy == NULL ? 0 : data->table->rows;
    return CNM_OK;
}

cnm_status cnm_data_set_groups(cnm_data *data, const uint64_t *groups, cnm_error *err) {
    uint64_t *copy = NULL;
    TRY(api_require(data, "data", err));
    if (groups != NULL) {
        TRY(memory_take(&copy, data->table->rows, sizeof *copy, "groups", err));
    }
    for (size_t i = 0; groups != NULL && i < data->table->rows; i++) {
        copy[i] = groups[i];
    }
    memory_free(data->table->groups);
    data->table->groups = copy;
    data->table->group_capacity = copy == NULL ? 0 : data->table->rows;
    return CNM_OK;
}

cnm_status cnm_data_set_names(cnm_data *data, const char *const *names, cnm_error *err) {
    char **copy = NULL;
    cnm_status status = CNM_OK;
    TRY(api_require(data, "data", err));
    if (names != NULL) {
        TRY(memory_zeroed(&copy, data->table->columns, sizeof *copy, "names", err));
    }
    for (size_t j = 0; names != NULL && j < data->table->columns; j++) {
        TRY_DONE(api_require(names[j], "a column's name", err));
        TRY_DONE(memory_copy_text(&copy[j], names[j], err));
    }
    list_free(data->table->names, data->table->names == NULL ? 0 : data->table->columns);
    data->table->names = copy;
    return CNM_OK;
done:
    list_free(copy, copy == NULL ? 0 : data->table->columns);
    return status;
}

void cnm_data_destroy(cnm_data *data) {
    if (data != NULL) {
        table_destroy(data->table);
        memory_free(data->label_column);
        memory_free(data);
    }
}

size_t cnm_data_rows(const cnm_data *data) { return data->table->rows; }
size_t cnm_data_columns(const cnm_data *data) { return data->table->columns; }
int cnm_data_is_sparse(const cnm_data *data) { return data->table->starts != NULL; }
int cnm_data_is_labelled(const cnm_data *data) { return data->table->labelled; }

size_t cnm_data_cells(const cnm_data *data) {
    const table *own = data->table;
    return own->starts == NULL ? own->rows * own->columns : own->starts[own->rows] - own->starts[0];
}

size_t cnm_data_id(const cnm_data *data, size_t row, char *out, size_t size) {
    size_t length = 0;
    const bool there = data != NULL && row < data->table->ids.rows;
    const char *text = there ? texts_at(&data->table->ids, row, &length) : "";
    if (out != NULL && size > 0) {
        const size_t kept = length < size ? length : size - 1;
        memcpy(out, text, kept);
        out[kept] = '\0';
    }
    return length;
}

size_t cnm_data_label(const cnm_data *data, size_t row, char *out, size_t size) {
    if (!data->table->labelled || row >= data->table->rows) {
        if (size > 0) {
            out[0] = '\0';
        }
        return 0;
    }
    return labels_text(&data->table->labels, row, out, size);
}

cnm_status cnm_data_row(const cnm_data *data, size_t row, float *values, cnm_error *err) {
    if (data == NULL || values == NULL || row >= data->table->rows) {
        return error_set(err, CNM_BAD_ARGUMENT, "row %zu does not exist, or an argument is NULL", row);
    }
    const rows_view rows = table_view(data->table);
    rows_gather(rows, &row, 1, values);
    for (size_t j = 0; rows.base != NULL && j < rows.columns; j++) {
        values[j] = (float)((double)values[j] + rows.base[j]);
    }
    return CNM_OK;
}

cnm_status cnm_data_save(const cnm_data *data, const char *path, const char *format, const char *labels_path,
                         cnm_error *err) {
    TRY(api_require(data, "data", err));
    TRY(api_require(path, "path", err));
    return table_write(data->table, path, format, labels_path, err);
}
