/* Lays out the columns of a file: roles first, then features, then names. */
#include "data/read/column_layout.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/utf8.h"
#include "data/read/column_list.h"
#include "data/read/column_match.h"
#include "data/read/column_roles.h"
#include "data/read/lines.h"

/* Fills until: runs of columns that become features one behind the other. */
static void find_runs(column_plan *self) {
    for (size_t j = self->count; j-- > 0;) {
        const bool number = self->target[j] != NO_COLUMN && self->coded[j].count == 0;
        const bool goes_on = number && j + 1 < self->count && self->target[j + 1] == self->target[j] + 1;
        self->until[j] = goes_on ? self->until[j + 1] : j + number;
    }
}

/* Names a feature COLUMN=WORD. */
static cnm_status name_word(const column_plan *self, size_t column, size_t word, cnm_error *err) {
    const char *name = self->found[column], *value = self->coded[column].words[word];
    char **out = &self->names[self->coded[column].features[word]];
    const size_t size = strlen(name) + strlen(value) + 2;
    TRY(memory_take(out, size, 1, "names", err));
    (void)snprintf(*out, size, "%s=%s", name, value);
    return CNM_OK;
}

static cnm_status copy_names(column_plan *self, cnm_error *err) {
    TRY(memory_zeroed(&self->names, self->features, sizeof *self->names, "names", err));
    for (size_t j = 0; j < self->count; j++) {
        for (size_t i = 0; i < self->coded[j].count; i++) {
            TRY(name_word(self, j, i, err));
        }
        if (self->coded[j].count == 0 && self->target[j] != NO_COLUMN) {
            TRY(memory_copy_text(&self->names[self->target[j]], self->found[j], err));
        }
    }
    return CNM_OK;
}

/* Checks the names that a model keeps. */
static cnm_status check_names(const column_plan *self, const char *file, cnm_error *err) {
    char shown[SHOWN_SIZE];
    for (size_t j = 0; j < self->count; j++) {
        const char *name = self->found[j];
        if ((self->target[j] != NO_COLUMN || j == self->label) && !utf8_is_valid(name, strlen(name))) {
            return error_set(err, CNM_BAD_DATA, "%s: found the name %s of column %zu, expected text in UTF-8", file,
                             show(shown, name, strlen(name)), j + 1);
        }
    }
    return CNM_OK;
}

static cnm_status name_label(column_plan *self, cnm_error *err) {
    char number[24];
    const char *text = number;
    (void)snprintf(number, sizeof number, "%zu", self->label + 1);
    if (self->label == NO_COLUMN) {
        text = "none";
    } else if (self->found != NULL) {
        text = self->found[self->label];
    } else if (self->label == column_last(self)) {
        text = "last";
    } else if (self->label == 0) {
        text = "first";
    }
    return memory_copy_text(&self->label_column, text, err);
}

static cnm_status take_arrays(column_plan *out, char *const *names, cnm_error *err) {
    TRY(memory_take(&out->target, out->count, sizeof *out->target, "columns", err));
    TRY(memory_take(&out->until, out->count, sizeof *out->until, "columns", err));
    TRY(memory_zeroed(&out->coded, out->count, sizeof *out->coded, "columns", err));
    if (names != NULL) {
        TRY(memory_zeroed(&out->found, out->count, sizeof *out->found, "names", err));
        for (size_t j = 0; j < out->count; j++) {
            TRY(memory_copy_text(&out->found[j], names[j], err));
        }
    }
    return CNM_OK;
}

/* Finds the columns that options leave out. */
static cnm_status find_left_out(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    TRY(memory_zeroed(&self->dropped, self->count, sizeof *self->dropped, "columns", err));
    TRY(column_list_mark(options->drop, self->found, self->count, file, "--drop", self->dropped, err));
    if (options->only == NULL || *options->only == '\0') {
        return CNM_OK;
    }
    TRY(memory_zeroed(&self->listed, self->count, sizeof *self->listed, "columns", err));
    return column_list_mark(options->only, self->found, self->count, file, "--columns", self->listed, err);
}

static cnm_status match(column_plan *self, const char *file, const column_guess *guess, const reader_options *options,
                        const cnm_callbacks *callbacks, cnm_error *err) {
    const bool named = self->found != NULL;
    if (!options->expects || options->columns == 0) {
        return column_match_rest(self, named ? guess->words : NULL, err);
    }
    return named && options->names != NULL ? column_match_names(self, file, options, callbacks, err)
                                           : column_match_count(self, file, options, err);
}

cnm_status column_plan_create(column_plan *out, const char *file, size_t count, char *const *names, column_guess guess,
                              const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    cnm_status status;
    *out = (column_plan){
        .count = count, .label = NO_COLUMN, .weight = NO_COLUMN, .group = NO_COLUMN, .row_names = NO_COLUMN};
    TRY_DONE(take_arrays(out, names, err));
    TRY_DONE(find_left_out(out, file, options, err));
    TRY_DONE(column_roles_find(out, file, &guess, options, err));
    TRY_DONE(match(out, file, &guess, options, callbacks, err));
    find_runs(out);
    if (out->features == 0) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "%s: found %zu column%s, but none is left for the features", file, count,
                           count == 1 ? "" : "s"));
    }
    if (names != NULL) {
        TRY_DONE(check_names(out, file, err));
        TRY_DONE(copy_names(out, err));
    }
    TRY_DONE(name_label(out, err));
    return CNM_OK;
done:
    column_plan_free(out);
    return status;
}
