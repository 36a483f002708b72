/* Rows selected from others, folds of a cross-validation, and a checksum to know rows by. */
#include <string.h>

#include "api/api_objects.h"
#include "api/options.h"
#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/classes.h"
#include "learn/dataset/group_folds.h"
#include "learn/dataset/split.h"

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
    cnm_status status = CNM_OK;
    TRY(api_output(out, err));
    TRY(api_require(data, "data", err));
    if (count > 0) {
        TRY(api_require(rows, "rows", err));
        TRY(check_positions(data, rows, count, err));
    }
    TRY(memory_zeroed(out, 1, sizeof **out, "rows", err));
    TRY_DONE(table_select(&(*out)->table, data->table, rows, count, err));
    if (data->label_column != NULL) {
        TRY_DONE(memory_copy_text(&(*out)->label_column, data->label_column, err));
    }
    (*out)->label_reason = data->label_reason;
    (*out)->index_base = data->index_base;
done:
    if (status != CNM_OK) {
        cnm_data_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Folds ---- */

/* Splits whole groups. */
static cnm_status cut_groups(const table *of, const int32_t *codes, size_t classes, size_t folds, size_t *fold,
                             cnm_error *err) {
    row_groups groups;
    cnm_status status = CNM_OK;
    TRY_DONE(groups_create(&groups, of->groups, of->rows, err));
    if (groups.count < folds) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "%zu group%s of rows are too few for %zu folds", groups.count,
                           groups.count == 1 ? "" : "s", folds));
    }
    TRY_DONE(groups_assign_folds(&groups, codes, classes, folds, fold, err));
done:
    groups_free(&groups);
    return status;
}

/* Cuts the rows of each class, in their order, into `folds` equal ranges. codes NULL: one class. */
static cnm_status cut(const table *of, const int32_t *codes, size_t classes, size_t folds, size_t *fold,
                      cnm_error *err) {
    const size_t rows = of->rows;
    if (of->groups != NULL) {
        return cut_groups(of, codes, classes, folds, fold, err);
    }
    size_t *counts = NULL, *seen = NULL, largest = 0;
    cnm_status status = CNM_OK;
    TRY_DONE(memory_zeroed(&counts, classes, sizeof *counts, "classes", err));
    TRY_DONE(memory_zeroed(&seen, classes, sizeof *seen, "classes", err));
    for (size_t i = 0; i < rows; i++) {
        const size_t class = codes == NULL ? 0 : (size_t)codes[i];
        counts[class]++;
        largest = counts[class] > largest ? counts[class] : largest;
    }
    if (largest < folds) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "%zu rows%s are too few for %zu folds", largest,
                           codes == NULL ? "" : " in the largest class", folds));
    }
    for (size_t i = 0; i < rows; i++) {
        const size_t class = codes == NULL ? 0 : (size_t)codes[i];
        fold[i] = (size_t)((double)seen[class]++ * (double)folds / (double)counts[class]);
    }
done:
    memory_free(counts);
    memory_free(seen);
    return status;
}

/* Labels as classes. */
typedef struct class_codes {
    class_set set;
    int32_t *codes; /* (rows) */
} class_codes;

static void class_codes_free(class_codes *self) {
    memory_free(self->codes);
    classes_free(&self->set);
}

/* Fails where there are less than two classes. */
static cnm_status class_codes_create(class_codes *out, const label_column *labels, cnm_error *err) {
    size_t unknown;
    cnm_status status = CNM_OK;
    *out = (class_codes){0};
    TRY_DONE(classes_create(&out->set, labels, err));
    if (out->set.count < 2) {
        TRY_DONE(error_set(err, CNM_BAD_DATA,
                           "all %zu rows have the same label \"%.60s\": at least two classes are needed", labels->rows,
                           out->set.count == 1 ? out->set.labels[0] : ""));
    }
    TRY_DONE(memory_take(&out->codes, labels->rows, sizeof *out->codes, "labels", err));
    TRY_DONE(classes_encode(&out->set, labels, out->codes, &unknown, err));
done:
    if (status != CNM_OK) {
        class_codes_free(out);
    }
    return status;
}

static cnm_status split_classes(const table *of, size_t folds, size_t *fold, size_t *count, cnm_error *err) {
    class_codes labels;
    TRY(class_codes_create(&labels, &of->labels, err));
    *count = labels.set.count;
    const cnm_status status = cut(of, labels.codes, labels.set.count, folds, fold, err);
    class_codes_free(&labels);
    return status;
}

/* Decides between classes and numbers; fails with what the labels are needed for. */
static cnm_status find_task(const cnm_data *data, int wanted, const char *what, bool *classify, cnm_error *err) {
    bool unsure;
    if (!data->table->labelled || wanted == WANT_MAP) {
        return error_set(err, CNM_BAD_DATA,
                         "%s needs labels: name their column with --label-column, or give --labels FILE", what);
    }
    *classify =
        wanted == WANT_CLASSIFY || (wanted == WANT_AUTO && task_guess(&data->table->labels, &unsure) == TASK_CLASSIFY);
    return CNM_OK;
}

cnm_status cnm_data_folds(const cnm_data *data, const cnm_options *options, size_t folds, size_t *fold, size_t *classes,
                          cnm_error *err) {
    const int wanted = options_settings(options)->task;
    TRY(api_require(data, "data", err));
    TRY(api_require(fold, "fold", err));
    TRY(api_require(classes, "classes", err));
    const table *rows = data->table;
    *classes = 0;
    if (folds == 0) {
        return error_set(err, CNM_BAD_ARGUMENT, "0 folds: expected at least 1");
    }
    bool classify = false;
    TRY(find_task(data, wanted, "a cross-validation", &classify, err));
    return classify ? split_classes(rows, folds, fold, classes, err) : cut(rows, NULL, 1, folds, fold, err);
}

/* ---- Held-out rows ---- */

cnm_status cnm_data_hold_out(const cnm_data *data, const cnm_options *options, double share, size_t *held,
                             cnm_error *err) {
    const settings *wanted = options_settings(options);
    class_codes labels = {0};
    row_split parts = {0};
    bool classify = false;
    cnm_status status = CNM_OK;
    TRY(api_require(data, "data", err));
    TRY(api_require(held, "held", err));
    if (!(share > 0.0 && share < 1.0)) {
        return error_set(err, CNM_BAD_ARGUMENT, "a share of rows that is not between 0 and 1");
    }
    TRY(find_task(data, wanted->task, "holding rows out", &classify, err));
    if (classify) {
        TRY(class_codes_create(&labels, &data->table->labels, err));
    }
    const dataset rows = {
        .rows = table_view(data->table), .classes = labels.set, .codes = labels.codes, .groups = data->table->groups};
    TRY_DONE(split_create_random(&parts, &rows, share, wanted->seed, err));
    memset(held, 0, data->table->rows * sizeof *held);
    for (size_t i = 0; i < parts.held_count; i++) {
        held[parts.held[i]] = 1;
    }
done:
    split_free(&parts);
    class_codes_free(&labels);
    return status;
}

uint64_t cnm_data_checksum(const cnm_data *data) { return table_checksum(data->table); }
