/* Features from columns: all that have no role, or those that a model expects, by name or by
 * number. */
#include "data/read/column_match.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "data/read/column_roles.h"
#include "data/read/lines.h"

cnm_status column_match_rest(column_plan *self, const one_hot *words, cnm_error *err) {
    self->features = 0;
    for (size_t j = 0; j < self->count; j++) {
        const bool listed = self->listed == NULL || self->listed[j];
        const bool feature = j != self->label && !column_is_taken(self, j) && listed;
        const size_t count = words == NULL || !feature ? 0 : words[j].count;
        self->target[j] = feature ? self->features : NO_COLUMN;
        for (size_t i = 0; i < count; i++) {
            const char *word = words[j].words[i];
            TRY(one_hot_add(&self->coded[j], word, strlen(word), self->features++, err));
        }
        self->features += feature && count == 0;
    }
    return CNM_OK;
}

/* Returns the column of words that this feature, named COLUMN=WORD, belongs to, or self->count.
 * Column names may repeat. A column has each word once, and a model's words of one column stand
 * together: the latest column of that name is taken until it has the word. */
static size_t find_coded(const column_plan *self, const char *feature) {
    size_t best = self->count;
    for (size_t j = 0; j < self->count; j++) {
        const one_hot *coded = &self->coded[j];
        const size_t length = strlen(self->found[j]);
        const bool free = self->target[j] == NO_COLUMN || coded->count > 0;
        if (!free || length == 0 || strncmp(feature, self->found[j], length) != 0 || feature[length] != '=') {
            continue;
        }
        const char *word = feature + length + 1;
        if (one_hot_find(coded, word, strlen(word)) < coded->count) {
            best = self->count;
        } else if (best == self->count || coded->count > 0) {
            best = j;
        }
    }
    return best;
}

static cnm_status match_word(column_plan *self, size_t column, const char *feature, size_t k, cnm_error *err) {
    const char *word = feature + strlen(self->found[column]) + 1;
    self->target[column] = self->coded[column].count > 0 ? self->target[column] : k;
    return one_hot_add(&self->coded[column], word, strlen(word), k, err);
}

/* Finds the column, or the column's word, that is the model's column k. */
static cnm_status match_name(column_plan *self, const char *file, const char *name, size_t k, cnm_error *err) {
    size_t column = 0; /* names may repeat: each column of the file is used once */
    while (column < self->count && (self->target[column] != NO_COLUMN || strcmp(self->found[column], name) != 0)) {
        column++;
    }
    if (column < self->count) {
        self->target[column] = k;
        return CNM_OK;
    }
    const size_t coded = find_coded(self, name);
    if (coded == self->count) {
        char shown[SHOWN_SIZE];
        return error_set(err, CNM_BAD_DATA, "%s: the column %s, which the model expects, is missing", file,
                         show(shown, name, strlen(name)));
    }
    return match_word(self, coded, name, k, err);
}

static void report_unused(const column_plan *self, const char *file, const cnm_callbacks *callbacks) {
    char shown[SHOWN_SIZE];
    size_t unused = 0, first = 0;
    for (size_t j = self->count; j-- > 0;) {
        if (self->target[j] == NO_COLUMN && j != self->label && !column_is_taken(self, j)) {
            unused++;
            first = j;
        }
    }
    if (unused > 0) {
        notice_send(callbacks, "%s: %zu columns that the model does not know are left out, the first is %s", file,
                    unused, show(shown, self->found[first], strlen(self->found[first])));
    }
}

cnm_status column_match_names(column_plan *self, const char *file, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    for (size_t j = 0; j < self->count; j++) {
        self->target[j] = NO_COLUMN;
    }
    for (size_t k = 0; k < options->columns; k++) {
        TRY(match_name(self, file, options->names[k], k, err));
    }
    self->features = options->columns;
    if (self->label != NO_COLUMN && self->target[self->label] != NO_COLUMN) {
        self->label = NO_COLUMN; /* "last" of rows without labels is a feature */
    }
    if (self->group != NO_COLUMN && self->target[self->group] != NO_COLUMN) {
        self->group = NO_COLUMN;
    }
    report_unused(self, file, callbacks);
    return CNM_OK;
}

/* Returns the number of columns that may be features or the label; the group column counts where
 * it is open whether it is there. */
static size_t count_open(const column_plan *self, bool with_group) {
    size_t count = 0;
    for (size_t j = 0; j < self->count; j++) {
        const bool listed = self->listed == NULL || self->listed[j] || j == self->label;
        count += (listed && !column_is_taken(self, j)) || (with_group && j == self->group);
    }
    return count;
}

/* Decides by the number of columns whether a group column that only the model names is there (d +
 * 2) or missing (d). */
static cnm_status recall_group(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    const size_t found = count_open(self, true), expected = options->columns;
    if (!options->group_recalled || self->group == NO_COLUMN || found >= expected + 2) {
        return CNM_OK;
    }
    if (found == expected + 1 && self->label != NO_COLUMN) {
        return error_set(err, CNM_BAD_DATA,
                         "%s: found %zu columns where the model expects %zu, so one may be the label, or the group of "
                         "its training rows: say --group-column none, or --label-column none",
                         file, found, expected);
    }
    if (found <= expected) {
        self->group = NO_COLUMN;
    }
    return CNM_OK;
}

cnm_status column_match_count(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    TRY(recall_group(self, file, options, err));
    const size_t found = count_open(self, false), expected = options->columns;
    if (found == expected) {
        self->label = NO_COLUMN;
    } else if (found == expected + 1 && self->label == NO_COLUMN) {
        return error_set(err, CNM_BAD_DATA,
                         "%s: found %zu columns where the model expects %zu, so one may be the label: "
                         "give the label column as first, last or a number",
                         file, found, expected);
    } else if (found != expected + 1) {
        return error_set(err, CNM_BAD_DATA, "%s: found %zu columns, but the model expects %zu, or %zu with labels",
                         file, found, expected, expected + 1);
    }
    return column_match_rest(self, NULL, err);
}
