/* Features from columns: all that have no role, or those that a model expects, by name or by
 * number. */
#include "data/read/column_match.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/encode/encoder.h"
#include "data/read/column_roles.h"
#include "data/read/lines.h"

void column_match_rest(column_plan *self) {
    self->features = 0;
    for (size_t j = 0; j < self->count; j++) {
        const bool listed = self->listed == NULL || self->listed[j];
        const bool feature = j != self->label && !column_is_taken(self, j) && listed;
        self->target[j] = feature ? self->features++ : NO_COLUMN;
    }
}

/* Returns whether the model makes nothing of its column k, as of ids. */
static bool is_unused(const reader_options *options, size_t k) {
    return options->encoder != NULL && options->encoder->column[k].use != COLUMN_USED;
}

/* Finds the column that is the model's column k; one that the model does not use may be absent. */
static cnm_status match_name(column_plan *self, const char *file, const reader_options *options, size_t k,
                             cnm_error *err) {
    const char *name = options->names[k];
    size_t column = 0; /* names may repeat: each column of the file is used once */
    while (column < self->count && (self->target[column] != NO_COLUMN || strcmp(self->found[column], name) != 0)) {
        column++;
    }
    if (column < self->count) {
        self->target[column] = k;
        return CNM_OK;
    }
    if (is_unused(options, k)) {
        self->absent[self->absent_count++] = k;
        return CNM_OK;
    }
    char shown[SHOWN_SIZE];
    return error_set(err, CNM_BAD_DATA, "%s: the column %s, which the model expects, is missing", file,
                     show(shown, name, strlen(name)));
}

static void report_unused(const column_plan *self, const char *file, const cnm_callbacks *callbacks) {
    char shown[SHOWN_SIZE];
    size_t unused = 0, first = 0;
    for (size_t j = self->count; j-- > 0;) {
        if (self->target[j] == NO_COLUMN && j != self->label && j != self->id && !column_is_taken(self, j)) {
            unused++;
            first = j;
        }
    }
    if (unused == 1) {
        notice_send(callbacks, "%s: 1 column that the model does not know is left out: %s", file,
                    show(shown, self->found[first], strlen(self->found[first])));
    } else if (unused > 1) {
        notice_send(callbacks, "%s: %zu columns that the model does not know are left out, the first is %s", file,
                    unused, show(shown, self->found[first], strlen(self->found[first])));
    }
}

cnm_status column_match_names(column_plan *self, const char *file, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    for (size_t j = 0; j < self->count; j++) {
        self->target[j] = NO_COLUMN;
    }
    TRY(memory_take(&self->absent, options->columns, sizeof *self->absent, "columns", err));
    for (size_t k = 0; k < options->columns; k++) {
        TRY(match_name(self, file, options, k, err));
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
    column_match_rest(self);
    return CNM_OK;
}
