/* Rows chosen from others: by position, in parts for a cross-validation; and a checksum to know rows by. */
#include "api/api_objects.h"
#include "api/options.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/table/classes.h"
#include "learn/dataset/group_folds.h"

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

/* Parts of whole groups. */
static cnm_status cut_groups(const table *of, const int32_t *codes, size_t classes, size_t parts, size_t *part,
                             cnm_error *err) {
    row_groups groups;
    cnm_status status = groups_create(&groups, of->groups, of->rows, err);
    if (status == CNM_OK && groups.count < parts) {
        status = error_set(err, CNM_BAD_DATA, "%zu group%s of rows are too few for %zu parts", groups.count,
                           groups.count == 1 ? "" : "s", parts);
    }
    if (status == CNM_OK) {
        status = groups_parts(&groups, codes, classes, parts, part, err);
    }
    groups_free(&groups);
    return status;
}

/* Each row's number among the rows of its class is cut into `parts` equal ranges. codes NULL: one class. */
static cnm_status cut(const table *of, const int32_t *codes, size_t classes, size_t parts, size_t *part,
                      cnm_error *err) {
    const size_t rows = of->rows;
    if (of->groups != NULL) {
        return cut_groups(of, codes, classes, parts, part, err);
    }
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

static cnm_status cut_classes(const table *of, size_t parts, size_t *part, size_t *count, cnm_error *err) {
    const label_column *labels = &of->labels;
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
        status = cut(of, codes, set.count, parts, part, err);
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
    bool unsure;
    const task_kind guess = task_guess(&rows->labels, &unsure);
    const bool classify = wanted == WANT_CLASSIFY || (wanted == WANT_AUTO && guess == TASK_CLASSIFY);
    return classify ? cut_classes(rows, parts, part, classes, err) : cut(rows, NULL, 1, parts, part, err);
}

uint64_t cnm_data_checksum(const cnm_data *data) { return table_checksum(data->table); }
