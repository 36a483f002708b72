/* Rows chosen from others: by position, in parts for a cross-validation; and a checksum to know rows by. */
#include <string.h>

#include "api/objects.h"
#include "api/options.h"
#include "base/checksum.h"
#include "base/error.h"
#include "base/memory.h"
#include "data/classes.h"

static cnm_status check_positions(const cnm_data *data, const size_t *rows, size_t count, cnm_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i] >= data->table->rows) {
            return error_set(err, CNM_BAD_ARGUMENT, "position %zu: there is no row %zu, they are numbered 0 to %zu", i,
                             rows[i], data->table->rows - (data->table->rows > 0));
        }
    }
    return CNM_OK;
}

cnm_status cnm_data_select(cnm_data **out, const cnm_data *data, const size_t *rows, size_t count, cnm_error *err) {
    if (out == NULL) {
        return api_require(out, "out", err);
    }
    *out = NULL;
    cnm_status status = api_require(data, "data", err);
    if (status == CNM_OK && count > 0) {
        status = api_require(rows, "rows", err);
        status = status == CNM_OK ? check_positions(data, rows, count, err) : status;
    }
    if (status == CNM_OK) {
        status = memory_zeroed(out, 1, sizeof **out, "rows", err);
    }
    if (status != CNM_OK) {
        return status;
    }
    status = table_select(&(*out)->table, data->table, rows, count, err);
    if (status == CNM_OK && data->label_column != NULL) {
        status = memory_copy_text(&(*out)->label_column, data->label_column, err);
    }
    (*out)->index_base = data->index_base;
    if (status != CNM_OK) {
        cnm_data_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Parts ---- */

/* Each row's number among the rows of its class is cut into `parts` equal ranges. codes NULL: one class. */
static cnm_status cut(const int32_t *codes, size_t classes, size_t rows, size_t parts, size_t *part, cnm_error *err) {
    size_t *counts = NULL, *seen = NULL, largest = 0;
    cnm_status status = memory_zeroed(&counts, classes, sizeof *counts, "classes", err);
    if (status == CNM_OK) {
        status = memory_zeroed(&seen, classes, sizeof *seen, "classes", err);
    }
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        const size_t class = codes == NULL ? 0 : (size_t)codes[i];
        counts[class]++;
        largest = counts[class] > largest ? counts[class] : largest;
    }
    if (status == CNM_OK && largest < parts) {
        status = error_set(err, CNM_BAD_DATA, "%zu rows%s are too few for %zu parts", largest,
                           codes == NULL ? "" : " in the largest class", parts);
    }
    for (size_t i = 0; status == CNM_OK && i < rows; i++) {
        const size_t class = codes == NULL ? 0 : (size_t)codes[i];
        part[i] = (size_t)((double)seen[class]++ * (double)parts / (double)counts[class]);
    }
    memory_free(counts);
    memory_free(seen);
    return status;
}

static cnm_status cut_classes(const label_column *labels, size_t parts, size_t *part, size_t *count, cnm_error *err) {
    class_set set = {0};
    int32_t *codes = NULL;
    size_t unknown;
    cnm_status status = classes_create(&set, labels, err);
    if (status == CNM_OK && set.count < 2) {
        status =
            error_set(err, CNM_BAD_DATA, "all %zu rows have the same label \"%.60s\": at least two classes are needed",
                      labels->rows, set.count == 1 ? set.labels[0] : "");
    }
    if (status == CNM_OK) {
        status = memory_take(&codes, labels->rows, sizeof *codes, "labels", err);
    }
    if (status == CNM_OK) {
        status = classes_encode(&set, labels, codes, &unknown, err);
    }
    if (status == CNM_OK) {
        *count = set.count;
        status = cut(codes, set.count, labels->rows, parts, part, err);
    }
    memory_free(codes);
    classes_free(&set);
    return status;
}

cnm_status cnm_data_parts(const cnm_data *data, const cnm_options *options, size_t parts, size_t *part, size_t *classes,
                          cnm_error *err) {
    const int wanted = options_settings(options)->task;
    cnm_status status = api_require(data, "data", err);
    status = status == CNM_OK ? api_require(part, "part", err) : status;
    status = status == CNM_OK ? api_require(classes, "classes", err) : status;
    if (status != CNM_OK) {
        return status;
    }
    const table *rows = data->table;
    *classes = 0;
    if (parts == 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "0 parts: expected at least 1");
    }
    if (!rows->labelled || wanted == WANT_MAP) {
        return error_set(err, CNM_BAD_DATA,
                         "a cross-validation needs labels: name their column with --label-column, "
                         "or give --labels FILE");
    }
    const bool classify =
        wanted == WANT_CLASSIFY || (wanted == WANT_AUTO && task_guess(&rows->labels) == TASK_CLASSIFY);
    return classify ? cut_classes(&rows->labels, parts, part, classes, err)
                    : cut(NULL, 1, rows->rows, parts, part, err);
}

/* ---- Checksum ---- */

static uint64_t add_array(uint64_t sum, const void *values, size_t count, size_t size) {
    return values == NULL ? sum : checksum_update(sum, values, count * size);
}

static uint64_t add_labels(uint64_t sum, const label_column *labels) {
    if (labels->words == NULL) {
        return add_array(sum, labels->numbers, labels->rows, sizeof *labels->numbers);
    }
    for (size_t i = 0; i < labels->word_count; i++) {
        sum = checksum_update(sum, labels->words[i], strlen(labels->words[i]) + 1);
    }
    return add_array(sum, labels->codes, labels->rows, sizeof *labels->codes);
}

/* The lengths of sparse rows, not their starts: those need not begin at 0. */
static uint64_t add_sparse(uint64_t sum, const rows_view *rows) {
    const size_t first = rows->starts[0], cells = rows->starts[rows->rows] - first;
    for (size_t i = 0; i < rows->rows; i++) {
        sum = sum * UINT64_C(0x9e3779b97f4a7c15) + (rows->starts[i + 1] - rows->starts[i]);
    }
    if (cells > 0) {
        sum = add_array(sum, rows->values + first, cells, sizeof *rows->values);
        sum = add_array(sum, rows->index + first, cells, sizeof *rows->index);
    }
    return sum;
}

static uint64_t add_dense(uint64_t sum, const rows_view *rows) {
    const bool whole = rows->stride == rows->columns;
    const size_t pieces = whole ? rows->rows > 0 : rows->rows,
                 length = whole ? rows->rows * rows->columns : rows->columns;
    for (size_t i = 0; i < pieces; i++) {
        sum = add_array(sum, rows->values + i * rows->stride, length, sizeof *rows->values);
    }
    return add_array(sum, rows->base, rows->columns, sizeof *rows->base);
}

uint64_t cnm_data_checksum(const cnm_data *data) {
    const table *own = data->table;
    const rows_view rows = table_view(own);
    const uint64_t shape[] = {own->rows, own->columns, rows_are_sparse(&rows)};
    uint64_t sum = checksum_update(0, shape, sizeof shape);
    sum = rows_are_sparse(&rows) ? add_sparse(sum, &rows) : add_dense(sum, &rows);
    sum = own->labelled ? add_labels(sum, &own->labels) : sum;
    return add_array(sum, own->weights, own->rows, sizeof *own->weights);
}
