/* Finds the roles of columns from the options, the names and what the file's content suggests. */
#include "data/read/column_roles.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/read/lines.h"
#include "data/read/text_cells.h"

/* Names of labels, the surest first: its order decides where a file has two of them. Names that
 * say what is predicted come before those that only say that it is a class, since other columns may
 * be classes too (the class of a cabin). Names that are features as often as labels (income, age,
 * status, category, amount) are not here. */
static const struct label_name {
    const char *name;
    const char *unless; /* a coordinate, perhaps, where there is a column of this name, too */
} LABEL_NAMES[] = {
    {"label", NULL},
    {"labels", NULL},
    {"target", NULL},
    {"targets", NULL},
    {"outcome", NULL},
    {"survived", NULL},
    {"churned", NULL},
    {"churn", NULL},
    {"exited", NULL},
    {"attrition", NULL},
    {"is_fraud", NULL},
    {"isfraud", NULL},
    {"fraud", NULL},
    {"is_spam", NULL},
    {"spam", NULL},
    {"defaulted", NULL},
    {"default", NULL},
    {"diagnosis", NULL},
    {"converted", NULL},
    {"clicked", NULL},
    {"purchased", NULL},
    {"approved", NULL},
    {"loan_status", NULL},
    {"readmitted", NULL},
    {"species", NULL},
    {"variety", NULL},
    {"sentiment", NULL},
    {"class", NULL},
    {"y", "x"},
    {"saleprice", NULL},
    {"sale_price", NULL},
    {"median_house_value", NULL},
    {"medhouseval", NULL},
    {"medv", NULL},
    {"price", NULL},
    {"quality", NULL},
    {"mpg", NULL},
    {"rings", NULL},
    {"charges", NULL},
    {"salary", NULL},
    {"grade", NULL},
    {"result", NULL},
    {"score", NULL},
    {"response", NULL},
};

static size_t find_word(char *const *names, size_t count, const char *wanted, const bool *barred) {
    for (size_t j = 0; j < count; j++) {
        if ((barred == NULL || !barred[j]) && same_word(names[j], strlen(names[j]), wanted)) {
            return j;
        }
    }
    return NO_COLUMN;
}

size_t column_find_label(size_t count, char *const *names, const bool *barred, bool surely) {
    for (size_t i = 0; names != NULL && i < sizeof LABEL_NAMES / sizeof *LABEL_NAMES; i++) {
        const struct label_name *row = &LABEL_NAMES[i];
        const size_t found = find_word(names, count, row->name, barred);
        const bool unsure = row->unless != NULL && find_word(names, count, row->unless, NULL) != NO_COLUMN;
        if (found != NO_COLUMN && !(surely && unsure)) {
            return found;
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

size_t column_find(char *const *names, size_t count, const char *wanted) {
    uint64_t number;
    if (wanted == NULL || *wanted == '\0') {
        return NO_COLUMN;
    }
    const size_t named = find_name(names, count, wanted);
    const bool counted = named == NO_COLUMN && text_is_count(wanted, wanted + strlen(wanted), &number);
    return counted && number >= 1 && number <= count ? (size_t)number - 1 : named;
}

static bool is_open(const char *wanted) { return wanted == NULL || *wanted == '\0' || strcmp(wanted, "auto") == 0; }

/* Finds a column given as a name or a number from 1. Sets *column to NO_COLUMN where there is no
 * such column, which is an error unless may_lack. */
static cnm_status find_column(const column_plan *self, const char *file, const char *what, const char *wanted,
                              bool may_lack, size_t *column, cnm_error *err) {
    uint64_t number;
    *column = column_find(self->found, self->count, wanted);
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
    TRY(find_column(self, file, "group", wanted, options->expects, &self->group, err));
    if (self->group != NO_COLUMN && self->group == self->weight) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: column %zu cannot be both group and weight", file,
                         self->group + 1);
    }
    return CNM_OK;
}

/* Returns the column of row names, unless an option gives that column another role. */
static size_t find_row_names(const column_plan *self, size_t guess, const reader_options *options) {
    const char *const wanted[] = {options->label_column, options->weight_column, options->group_column};
    for (size_t i = 0; guess != NO_COLUMN && i < sizeof wanted / sizeof wanted[0]; i++) {
        if (column_find(self->found, self->count, wanted[i]) == guess) {
            return NO_COLUMN;
        }
    }
    return guess;
}

/* Finds the column whose text names the rows. For a training it is nothing else. */
static cnm_status find_id(column_plan *self, const char *file, const reader_options *options, cnm_error *err) {
    const char *wanted = options->id_column;
    if (wanted == NULL || *wanted == '\0' || strcmp(wanted, "row") == 0) {
        return CNM_OK;
    }
    TRY(find_column(self, file, "id", wanted, false, &self->id, err));
    self->dropped[self->id] = self->dropped[self->id] || !options->expects;
    return CNM_OK;
}

bool column_is_taken(const column_plan *self, size_t column) {
    return column == self->weight || column == self->group || column == self->row_names || self->dropped[column];
}

static size_t first_column(const column_plan *self) {
    size_t first = 0;
    while (first + 1 < self->count && column_is_taken(self, first)) {
        first++;
    }
    return first;
}

size_t column_last(const column_plan *self) {
    size_t last = self->count - 1;
    while (last > 0 && column_is_taken(self, last)) {
        last--;
    }
    return last;
}

/* Rows to predict need no label: leaves its column out where it is dropped, or has no label among
 * the first rows. */
static void leave_out_label(column_plan *self, const char *file, const column_guess *guess,
                            const reader_options *options, const cnm_callbacks *callbacks) {
    char where[COLUMN_SHOWN_SIZE];
    if (!options->expects || self->label == NO_COLUMN) {
        return;
    }
    if (!self->dropped[self->label] && guess->blank != NULL && guess->blank[self->label]) {
        self->dropped[self->label] = true;
        notice_send(callbacks, "%s: %s has no labels, so the rows are predicted without", file,
                    column_plan_show(self, self->label, where));
    }
    self->label = self->dropped[self->label] ? NO_COLUMN : self->label;
}

static cnm_status find_label(column_plan *self, const char *file, const column_guess *guess,
                             const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    const char *wanted = options->label_column;
    if (is_open(wanted)) {
        const bool grouped = guess->label != NO_COLUMN && guess->label == self->group;
        self->label = grouped ? column_last(self) : guess->label;
        self->label_reason = grouped ? NULL : guess->label_reason;
    } else if (strcmp(wanted, "none") == 0) {
        self->label = NO_COLUMN;
    } else if (strcmp(wanted, "first") == 0) {
        self->label = first_column(self);
    } else if (strcmp(wanted, "last") == 0) {
        self->label = column_last(self);
    } else {
        TRY(find_column(self, file, "label", wanted, options->expects, &self->label, err));
    }
    leave_out_label(self, file, guess, options, callbacks);
    self->label_measured = self->label != NO_COLUMN && guess->measured != NULL && guess->measured[self->label];
    if (self->label != NO_COLUMN && column_is_taken(self, self->label)) {
        return error_set(err, CNM_BAD_ARGUMENT, "%s: column %zu cannot be both label and %s", file, self->label + 1,
                         self->label == self->weight  ? "weight"
                         : self->label == self->group ? "group"
                                                      : "left out");
    }
    return CNM_OK;
}

cnm_status column_roles_find(column_plan *self, const char *file, const column_guess *guess,
                             const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err) {
    self->row_names = find_row_names(self, guess->row_names, options);
    TRY(find_weight(self, file, options, err));
    TRY(find_group(self, file, options, err));
    TRY(find_id(self, file, options, err));
    return find_label(self, file, guess, options, callbacks, err);
}
