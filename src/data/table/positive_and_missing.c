/* Two changes to a table after reading: some labels against the rest, and missing cells filled. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/read/lines.h"
#include "data/table/table_types.h"

static void trim(const char **text, const char **end) {
    while (*text < *end && (**text == ' ' || **text == '\t')) {
        ++*text;
    }
    while (*end > *text && ((*end)[-1] == ' ' || (*end)[-1] == '\t')) {
        --*end;
    }
}

/* Marks the rows that have the label [text, end), comparing numbers by value; returns the number of
 * these rows. */
static size_t mark_label(const label_column *labels, const char *text, const char *end, bool *marks) {
    double value;
    char number[TEXT_DOUBLE_SIZE];
    size_t length = (size_t)(end - text), found = 0;
    const bool numeric = text_is_double(text, end, &value);
    if (numeric) {
        length = text_from_double(number, value + 0.0);
        text = number;
    }
    for (size_t i = 0; i < labels->rows; i++) {
        bool same;
        if (labels->words.texts == NULL) {
            same = numeric && labels->numbers[i] == value;
        } else {
            const char *word = labels->words.texts[labels->codes[i]];
            same = strncmp(word, text, length) == 0 && word[length] == '\0';
        }
        marks[i] |= same;
        found += same;
    }
    return found;
}

static cnm_status mark_list(table *self, const char *list, bool all_needed, bool *marks, cnm_error *err) {
    for (const char *at = list;; at++) {
        const char *comma = strchr(at, ',');
        const char *text = at, *end = comma != NULL ? comma : at + strlen(at);
        at = end;
        trim(&text, &end);
        if (mark_label(&self->labels, text, end, marks) == 0 && all_needed) {
            char shown[SHOWN_SIZE];
            return error_set(err, CNM_BAD_DATA, "positive: no row has the label %s",
                             show(shown, text, (size_t)(end - text)));
        }
        if (comma == NULL) {
            return CNM_OK;
        }
    }
}

static cnm_status set_positive(table *self, const char *list, bool all_needed, cnm_error *err) {
    if (!self->labelled) {
        return error_set(err, CNM_BAD_DATA, "positive: the rows have no labels");
    }
    cnm_status status;
    bool *marks;
    label_column labels = {0};
    TRY(memory_zeroed(&marks, self->rows, sizeof *marks, "labels", err));
    TRY_DONE(mark_list(self, list, all_needed, marks, err));
    for (size_t i = 0; i < self->rows; i++) {
        TRY_DONE(labels_add_number(&labels, marks[i] ? 1 : -1, err));
    }
    labels_free(&self->labels);
    self->labels = labels;
    labels = (label_column){0};
done:
    memory_free(marks);
    labels_free(&labels);
    return status;
}

cnm_status table_set_positive(table *self, const char *list, cnm_error *err) {
    return set_positive(self, list, true, err);
}

cnm_status table_mark_positive(table *self, const char *list, cnm_error *err) {
    return set_positive(self, list, false, err);
}

/* Fills fill (columns) with each column's mean over the cells that are not missing, base added;
 * with the base, or 0, where all are missing. */
static cnm_status column_means(const table *self, double *fill, cnm_error *err) {
    size_t *counts;
    TRY(memory_zeroed(&counts, self->columns, sizeof *counts, "means", err));
    memset(fill, 0, self->columns * sizeof *fill);
    for (size_t i = 0; i < self->rows; i++) {
        const float *row = self->values + i * self->columns;
        for (size_t j = 0; j < self->columns; j++) {
            if (!isnan(row[j])) {
                fill[j] += (double)row[j];
                counts[j]++;
            }
        }
    }
    for (size_t j = 0; j < self->columns; j++) {
        fill[j] = (counts[j] > 0 ? fill[j] / (double)counts[j] : 0) + (self->base != NULL ? self->base[j] : 0);
    }
    memory_free(counts);
    return CNM_OK;
}

/* Missing words stay as they are. */
static void fill_cells(table *self, const double *fill) {
    size_t left = 0;
    for (size_t i = 0; i < self->rows; i++) {
        float *row = self->values + i * self->columns;
        for (size_t j = 0; j < self->columns; j++) {
            if (isnan(row[j]) && table_kind(self, j) == COLUMN_WORDS) {
                left++;
            } else if (isnan(row[j])) {
                row[j] = (float)(fill[j] - (self->base != NULL ? self->base[j] : 0));
            }
        }
    }
    self->missing = left;
}

cnm_status table_fill_missing(table *self, const double *means, double *used, cnm_error *err) {
    if (self->starts != NULL) { /* sparse rows have no missing cells: absent ones are 0 */
        if (used != NULL) {
            memset(used, 0, self->columns * sizeof *used);
        }
        return CNM_OK;
    }
    cnm_status status;
    double *fill;
    TRY(memory_take(&fill, self->columns, sizeof *fill, "means", err));
    TRY_DONE(table_own(self, err));
    if (means != NULL) {
        memcpy(fill, means, self->columns * sizeof *fill);
    } else {
        TRY_DONE(column_means(self, fill, err));
    }
    fill_cells(self, fill);
    if (used != NULL) {
        memcpy(used, fill, self->columns * sizeof *fill);
    }
done:
    memory_free(fill);
    return status;
}
