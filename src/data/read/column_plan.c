/* What each column of a file is. Without a model: the label, weight and group columns are taken out, the rest are features. With one
 * (`expects`): by name where both sides have names, else by number of columns.
 *
 * A column of few words becomes one feature of 0 and 1 for each word, named COLUMN=WORD: names are all that a model needs to read the
 * words again. A word that is not among them makes all of them 0. */
#include "data/read/column_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/read/text_cells.h"
#include "data/read/lines.h"

void columns_free(column_plan *self) {
    for (size_t j = 0; self->names != NULL && j < self->features; j++) {
        memory_free(self->names[j]);
    }
    for (size_t j = 0; self->found != NULL && j < self->count; j++) {
        memory_free(self->found[j]);
    }
    for (size_t j = 0; self->coded != NULL && j < self->count; j++) {
        word_codes_free(&self->coded[j]);
    }
    memory_free(self->coded);
    memory_free(self->names);
    memory_free(self->found);
    memory_free(self->target);
    memory_free(self->until);
    memory_free(self->label_column);
    *self = (column_plan){0};
}

const char *columns_show(const column_plan *self, size_t column, char out[COLUMN_SHOWN_SIZE]) {
    char shown[SHOWN_SIZE];
    if (self->found != NULL && column < self->count) {
        const char *name = self->found[column];
        (void)snprintf(out, COLUMN_SHOWN_SIZE, "column %zu (%s)", column + 1, show(shown, name, strlen(name)));
    } else {
        (void)snprintf(out, COLUMN_SHOWN_SIZE, "column %zu", column + 1);
    }
    return out;
}

static bool becomes(const column_plan *self, size_t column, size_t feature) {
    const word_codes *coded = &self->coded[column];
    bool found = self->target[column] == feature;
    for (size_t i = 0; !found && i < coded->count; i++) {
        found = coded->features[i] == feature;
    }
    return found;
}

size_t columns_source(const column_plan *self, size_t feature) {
    size_t column = 0;
    while (column + 1 < self->count && !becomes(self, column, feature)) {
        column++;
    }
    return column;
}

size_t columns_named_label(size_t count, char *const *names, bool surely) {
    static const char *const WORDS[] = {"label", "class", "target", "y"};
    const size_t words = sizeof WORDS / sizeof *WORDS - (surely ? 1 : 0);
    for (size_t i = 0; names != NULL && i < words; i++) {
        for (size_t j = 0; j < count; j++) {
            if (same_word(names[j], strlen(names[j]), WORDS[i])) {
                return j;
            }
        }
    }
    return NO_COLUMN;
}

static size_t find_name(char *const *names, size_t count, const char *wanted) {
    for (size_t j = 0; names != NULL && j < count; j++) {
        if (strcmp(names[j], wanted) == 0) {
            return j;
        }
    }
    return NO_COLUMN;
}

size_t columns_find(char *const *names, size_t count, const char *wanted) {
    uint64_t number;
    if (wanted == NULL || *wanted == '\0') {
        return NO_COLUMN;
    }
    const size_t named = find_name(names, count, wanted);
    const bool counted = named == NO_COLUMN && text_is_count(wanted, wanted + strlen(wanted), &number);
    return counted && number >= 1 && number <= count ? (size_t)number - 1 : named;
}

static bool is_open(const char *wanted) { return wanted == NULL || *wanted == '\0' || strcmp(wanted, "auto") == 0; }

/* A column given as a name or a number from 1. *column = NO_COLUMN where a model's rows lack it. */
static cnm_status find_column(const column_plan *self, const char *file, const char *what, const char *wanted,
                              bool may_lack, size_t *column, cnm_error *err) {
    uint64_t number;
    *column = columns_find(self->found, self->count, wanted);
    if (*column != NO_COLUMN || may_lack) {
        return CNM_OK;
    }
    if (text_is_count(wanted, wanted + strlen(wanted), &number)) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: the %s column is %s, but there are columns 1 to %zu", file, what,
                         wanted, self->count);
    }
    char shown[SHOWN_SIZE];
    return error_set(err, CNM_BAD_ARGUMENT,
                     self->found != NULL
                         ? "%s: there is no column named %s for the %s"
                         : "%s: there is no column named %s for the %s, since the columns have no names",
                     file, show(shown, wanted, strlen(wanted)), what);
}

static cnm_status find_weight(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    self->weight = NO_COLUMN;
    if (options->weight_column == NULL || *options->weight_column == '\0') {
        return CNM_OK;
    }
    return find_column(self, file, "weight", options->weight_column, options->expects, &self->weight, err);
}

static cnm_status find_group(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    const char *wanted = options->group_column;
    self->group = NO_COLUMN;
    if (wanted == NULL || *wanted == '\0' || strcmp(wanted, "none") == 0) {
        return CNM_OK;
    }
    const cnm_status status = find_column(self, file, "group", wanted, options->expects, &self->group, err);
    if (status == CNM_OK && self->group != NO_COLUMN && self->group == self->weight) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: column %zu cannot be both group and weight", file,
                         self->group + 1);
    }
    return status;
}

/* Row names are left out, unless an option says what they are. */
static size_t find_row_names(const column_plan *self, size_t guess, const reader_options *options) {
    const char *const wanted[] = {options->label_column, options->weight_column, options->group_column};
    for (size_t i = 0; guess != NO_COLUMN && i < sizeof wanted / sizeof wanted[0]; i++) {
        if (columns_find(self->found, self->count, wanted[i]) == guess) {
            return NO_COLUMN;
        }
    }
    return guess;
}

static bool is_taken(const column_plan *self, size_t column) {
    return column == self->weight || column == self->group || column == self->row_names;
}

static size_t first_column(const column_plan *self) {
    size_t first = 0;
    while (first + 1 < self->count && is_taken(self, first)) {
        first++;
    }
    return first;
}

static size_t last_column(const column_plan *self) {
    size_t last = self->count - 1;
    while (last > 0 && is_taken(self, last)) {
        last--;
    }
    return last;
}

static cnm_status find_label(column_plan *self, const char *file, size_t guess, const reader_options *options,
                             cnm_error *err) {
    const char *wanted = options->label_column;
    cnm_status status = CNM_OK;
    if (is_open(wanted)) {
        self->label = guess != NO_COLUMN && guess == self->group ? last_column(self) : guess;
    } else if (strcmp(wanted, "none") == 0) {
        self->label = NO_COLUMN;
    } else if (strcmp(wanted, "first") == 0) {
        self->label = first_column(self);
    } else if (strcmp(wanted, "last") == 0) {
        self->label = last_column(self);
    } else {
        status = find_column(self, file, "label", wanted, options->expects, &self->label, err);
    }
    if (status == CNM_OK && self->label != NO_COLUMN && is_taken(self, self->label)) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: column %zu cannot be both label and %s", file, self->label + 1,
                         self->label == self->weight ? "weight" : "group");
    }
    return status;
}

/* words: of columns that are coded, or NULL. */
static cnm_status target_rest(column_plan *self, const word_codes *words, cnm_error *err) {
    cnm_status status = CNM_OK;
    self->features = 0;
    for (size_t j = 0; status == CNM_OK && j < self->count; j++) {
        const bool feature = j != self->label && !is_taken(self, j);
        const size_t count = words == NULL || !feature ? 0 : words[j].count;
        self->target[j] = feature ? self->features : NO_COLUMN;
        for (size_t i = 0; status == CNM_OK && i < count; i++) {
            const char *word = words[j].words[i];
            status = word_codes_add(&self->coded[j], word, strlen(word), self->features++, err);
        }
        self->features += feature && count == 0;
    }
    return status;
}

/* The column of words that has this feature, which is named COLUMN=WORD; or self->count. Where names repeat, a column has a word once, and
 * a model's words of one column stand together: the latest of that name goes on, until it has the word. */
static size_t find_coded(const column_plan *self, const char *feature) {
    size_t best = self->count;
    for (size_t j = 0; j < self->count; j++) {
        const word_codes *coded = &self->coded[j];
        const size_t length = strlen(self->found[j]);
        const bool free = self->target[j] == NO_COLUMN || coded->count > 0;
        if (!free || length == 0 || strncmp(feature, self->found[j], length) != 0 || feature[length] != '=') {
            continue;
        }
        const char *word = feature + length + 1;
        if (word_codes_find(coded, word, strlen(word)) < coded->count) {
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
    return word_codes_add(&self->coded[column], word, strlen(word), k, err);
}

/* The model's columns, each found by its name; what else there is, is left out and reported. */
static cnm_status match_names(column_plan *self, const char *file, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err) {
    char shown[SHOWN_SIZE];
    for (size_t j = 0; j < self->count; j++) {
        self->target[j] = NO_COLUMN;
    }
    for (size_t k = 0; k < options->columns; k++) {
        size_t column = 0; /* names may repeat: each column of the file is used once */
        while (column < self->count &&
               (self->target[column] != NO_COLUMN || strcmp(self->found[column], options->names[k]) != 0)) {
            column++;
        }
        const size_t coded = column < self->count ? self->count : find_coded(self, options->names[k]);
        if (column == self->count && coded == self->count) {
            return error_set(err, CNM_BAD_DATA, "%s: the column %s, which the model expects, is missing", file,
                             show(shown, options->names[k], strlen(options->names[k])));
        }
        if (column < self->count) {
            self->target[column] = k;
            continue;
        }
        const cnm_status status = match_word(self, coded, options->names[k], k, err);
        if (status != CNM_OK) {
            return status;
        }
    }
    self->features = options->columns;
    if (self->label != NO_COLUMN && self->target[self->label] != NO_COLUMN) {
        self->label = NO_COLUMN; /* "last" of rows without labels is a feature */
    }
    if (self->group != NO_COLUMN && self->target[self->group] != NO_COLUMN) {
        self->group = NO_COLUMN;
    }
    size_t unused = 0, first = 0;
    for (size_t j = self->count; j-- > 0;) {
        if (self->target[j] == NO_COLUMN && j != self->label && !is_taken(self, j)) {
            unused++;
            first = j;
        }
    }
    if (unused > 0) {
        notice_send(callbacks, "%s: %zu columns that the model does not know are left out, the first is %s", file,
                    unused, show(shown, self->found[first], strlen(self->found[first])));
    }
    return CNM_OK;
}

/* A group column that only the model knows of may be missing: by the number of columns it is there (d + 2), or it is not (d). */
static cnm_status recall_group(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    const size_t found = self->count - (self->weight != NO_COLUMN) - (self->row_names != NO_COLUMN),
                 expected = options->columns;
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

/* d columns: unlabelled; d + 1: labelled. */
static cnm_status match_count(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    const cnm_status status = recall_group(self, file, options, err);
    const size_t found = self->count - (self->weight != NO_COLUMN) - (self->group != NO_COLUMN) -
                         (self->row_names != NO_COLUMN),
                 expected = options->columns;
    if (status != CNM_OK) {
        return status;
    }
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
    return target_rest(self, NULL, err);
}

static void find_runs(column_plan *self) {
    for (size_t j = self->count; j-- > 0;) {
        const bool number = self->target[j] != NO_COLUMN && self->coded[j].count == 0;
        const bool goes_on = number && j + 1 < self->count && self->target[j + 1] == self->target[j] + 1;
        self->until[j] = goes_on ? self->until[j + 1] : j + number;
    }
}

/* COLUMN=WORD */
static cnm_status name_word(const column_plan *self, size_t column, size_t word, cnm_error *err) {
    const char *name = self->found[column], *value = self->coded[column].words[word];
    char **out = &self->names[self->coded[column].features[word]];
    const size_t size = strlen(name) + strlen(value) + 2;
    const cnm_status status = memory_take(out, size, 1, "names", err);
    if (status == CNM_OK) {
        (void)snprintf(*out, size, "%s=%s", name, value);
    }
    return status;
}

static cnm_status copy_names(column_plan *self, cnm_error *err) {
    cnm_status status = memory_zeroed(&self->names, self->features, sizeof *self->names, "names", err);
    for (size_t j = 0; status == CNM_OK && j < self->count; j++) {
        for (size_t i = 0; status == CNM_OK && i < self->coded[j].count; i++) {
            status = name_word(self, j, i, err);
        }
        if (self->coded[j].count == 0 && self->target[j] != NO_COLUMN) {
            status = memory_copy_text(&self->names[self->target[j]], self->found[j], err);
        }
    }
    return status;
}

/* Names that a model keeps. */
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
    } else if (self->label == last_column(self)) {
        text = "last";
    } else if (self->label == 0) {
        text = "first";
    }
    return memory_copy_text(&self->label_column, text, err);
}

cnm_status columns_plan(column_plan *out, const char *name, size_t count, char *const *names, column_guess guess,
                        const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    *out = (column_plan){
        .count = count, .label = NO_COLUMN, .weight = NO_COLUMN, .group = NO_COLUMN, .row_names = NO_COLUMN};
    cnm_status status = memory_take(&out->target, count, sizeof *out->target, "columns", err);
    if (status == CNM_OK) {
        status = memory_take(&out->until, count, sizeof *out->until, "columns", err);
    }
    if (status == CNM_OK) {
        status = memory_zeroed(&out->coded, count, sizeof *out->coded, "columns", err);
    }
    if (status == CNM_OK && names != NULL) {
        status = memory_zeroed(&out->found, count, sizeof *out->found, "names", err);
        for (size_t j = 0; status == CNM_OK && j < count; j++) {
            status = memory_copy_text(&out->found[j], names[j], err);
        }
    }
    if (status == CNM_OK) {
        out->row_names = find_row_names(out, guess.row_names, options);
        status = find_weight(out, name, options, err);
    }
    if (status == CNM_OK) {
        status = find_group(out, name, options, err);
    }
    if (status == CNM_OK) {
        status = find_label(out, name, guess.label, options, err);
    }
    if (status == CNM_OK) {
        if (!options->expects || options->columns == 0) {
            status = target_rest(out, names == NULL ? NULL : guess.words, err);
        } else if (options->names != NULL && names != NULL) {
            status = match_names(out, name, options, callbacks, err);
        } else {
            status = match_count(out, name, options, err);
        }
    }
    if (status == CNM_OK) {
        find_runs(out);
    }
    if (status == CNM_OK && out->features == 0) {
        status = error_set(err, CNM_BAD_DATA, "%s: found %zu column%s, but none is left for the features", name, count,
                           count == 1 ? "" : "s");
    }
    if (status == CNM_OK && names != NULL) {
        status = check_names(out, name, err);
    }
    if (status == CNM_OK && names != NULL) {
        status = copy_names(out, err);
    }
    if (status == CNM_OK) {
        status = name_label(out, err);
    }
    if (status != CNM_OK) {
        columns_free(out);
    }
    return status;
}
