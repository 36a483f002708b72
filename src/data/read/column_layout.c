/* Lays out the columns of a file: roles first, then features, then names. */
#include "data/read/column_layout.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/utf8.h"
#include "data/encode/encoder.h"
#include "data/read/column_list.h"
#include "data/read/column_match.h"
#include "data/read/column_roles.h"
#include "data/read/lines.h"

/* Fills until: runs of columns that become features one behind the other. */
static void find_runs(column_plan *self) {
    for (size_t j = self->count; j-- > 0;) {
        const bool number = self->target[j] != NO_COLUMN && j != self->id && column_is_fast(self, j);
        const bool goes_on = number && j + 1 < self->count && self->target[j + 1] == self->target[j] + 1;
        self->until[j] = goes_on ? self->until[j + 1] : j + number;
    }
}

static cnm_status copy_names(column_plan *self, const reader_options *options, cnm_error *err) {
    TRY(memory_zeroed(&self->names, self->features, sizeof *self->names, "names", err));
    for (size_t j = 0; j < self->count; j++) {
        if (self->target[j] != NO_COLUMN) {
            TRY(memory_copy_text(&self->names[self->target[j]], self->found[j], err));
        }
    }
    for (size_t i = 0; i < self->absent_count; i++) {
        TRY(memory_copy_text(&self->names[self->absent[i]], options->names[self->absent[i]], err));
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
    TRY(memory_zeroed(&out->cells, out->count, sizeof *out->cells, "columns", err));
    if (names != NULL) {
        TRY(memory_zeroed(&out->found, out->count, sizeof *out->found, "names", err));
        for (size_t j = 0; j < out->count; j++) {
            TRY(memory_copy_text(&out->found[j], names[j], err));
        }
    }
    return CNM_OK;
}

/* Finds the columns that options leave out. */
static cnm_status find_left_out(column_plan *self, const char *file, const column_guess *guess,
                                const reader_options *options, cnm_error *err) {
    TRY(memory_zeroed(&self->dropped, self->count, sizeof *self->dropped, "columns", err));
    for (size_t j = guess->empty; j < self->count; j++) {
        self->dropped[j] = true;
    }
    TRY(column_list_mark(options->drop, self->found, self->count, file, "--drop", self->dropped, err));
    if (options->only == NULL || *options->only == '\0') {
        return CNM_OK;
    }
    TRY(memory_zeroed(&self->listed, self->count, sizeof *self->listed, "columns", err));
    return column_list_mark(options->only, self->found, self->count, file, "--columns", self->listed, err);
}

/* Fills cells, and types where some feature is not a plain number. */
static cnm_status take_types(column_plan *self, const column_guess *guess, const reader_options *options,
                             cnm_error *err) {
    bool typed = false;
    for (size_t j = 0; guess->types != NULL && j < self->count; j++) {
        const size_t target = self->target[j];
        const bool expected = options->expects && target != NO_COLUMN;
        if (expected && options->encoder != NULL) {
            const column_type *type = &options->encoder->column[target].type;
            self->cells[j] = (column_type){.kind = type->kind, .format = type->format};
        } else if (!expected || guess->types[j].kind == COLUMN_NUMBER) {
            self->cells[j] = guess->types[j];
        }
        typed = typed || (target != NO_COLUMN && !column_is_plain(&self->cells[j]));
    }
    if (!typed) {
        return CNM_OK;
    }
    TRY(memory_zeroed(&self->types, self->features, sizeof *self->types, "columns", err));
    for (size_t j = 0; j < self->count; j++) {
        if (self->target[j] != NO_COLUMN) {
            self->types[self->target[j]] = self->cells[j];
        }
    }
    return CNM_OK;
}

static cnm_status match(column_plan *self, const char *file, const column_guess *guess, const reader_options *options,
                        const cnm_callbacks *callbacks, cnm_error *err) {
    if (!options->expects || options->columns == 0) {
        column_match_rest(self);
    } else if (self->found != NULL && options->names != NULL) {
        TRY(column_match_names(self, file, options, callbacks, err));
    } else {
        TRY(column_match_count(self, file, options, err));
    }
    return take_types(self, guess, options, err);
}

cnm_status column_plan_create(column_plan *out, const char *file, size_t count, char *const *names, column_guess guess,
                              const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    cnm_status status;
    *out = (column_plan){.count = count,
                         .label = NO_COLUMN,
                         .weight = NO_COLUMN,
                         .group = NO_COLUMN,
                         .row_names = NO_COLUMN,
                         .id = NO_COLUMN,
                         .recalled = options->expects,
                         .missing_words = options->missing_words,
                         .marked =
                             options->missing_words != NULL && strpbrk(options->missing_words, "0123456789") != NULL};
    TRY_DONE(take_arrays(out, names, err));
    TRY_DONE(find_left_out(out, file, &guess, options, err));
    TRY_DONE(column_roles_find(out, file, &guess, options, callbacks, err));
    TRY_DONE(match(out, file, &guess, options, callbacks, err));
    find_runs(out);
    if (out->features == 0) {
        TRY_DONE(error_set(err, CNM_BAD_DATA, "%s: found %zu column%s, but none is left for the features", file, count,
                           count == 1 ? "" : "s"));
    }
    if (names != NULL) {
        TRY_DONE(check_names(out, file, err));
        TRY_DONE(copy_names(out, options, err));
    }
    TRY_DONE(name_label(out, err));
    return CNM_OK;
done:
    column_plan_free(out);
    return status;
}
