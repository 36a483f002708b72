/* What a file of separated values looks like, told from its first lines: separator, header, label column.
 *
 * Separator: the one of , ; tab | blank that cuts most lines into the same number (> 1) of cells; then the one that makes more
 * of the cells numbers; then that order.
 *
 * Header: there is one when some column has a word in the first line and only numbers (or missing cells) below, at least one.
 *
 * Label: a column named label, class, target or y; else the only column of words (the last of them if it is the last column);
 * else the last column, unless the first one looks like a label and the last does not. "Looks like a label": whole numbers
 * with at least two different values, at most 100, and at most half as many as rows. So covtype (classes last), usps (digits
 * first, grey values last) and wine (classes first, a quantity last) come out right; --label-column settles the rest. */
#include "data/csv_sniff.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "data/csv_sample.h"

enum { MAX_VALUES = 100 };

static const char SEPARATORS[] = ",;\t| ";

/* Per column: what the lines below the first hold. */
typedef struct column_facts {
    size_t numbers, words;
    bool first_is_word;
} column_facts;

/* The numbers of one column. */
typedef struct value_set {
    size_t numbers, whole, distinct;
    double values[MAX_VALUES + 1]; /* different ones, in order of appearance */
} value_set;

typedef struct sample_facts {
    column_facts *columns;
    value_set first, last; /* of the first and the last column */
} sample_facts;

/* Cells of a line; adds how many are numbers. Decodes quoted cells in place. */
static size_t count_cells(const cell_style *style, char *at, char *end, size_t *numbers) {
    size_t count = 0;
    char *first = cell_first(style, at, end);
    while (first != NULL) {
        double value;
        const cell found = cell_next(style, &first, end);
        count++;
        *numbers += cell_is_number(&found, &value) || cell_is_missing(&found);
    }
    return count;
}

/* Cells of a line with quotes, which are left as they are: separators inside them do not count. */
static size_t count_quoted(char separator, const char *at, const char *end) {
    size_t count = 1;
    bool inside = false;
    for (; at < end; at++) {
        inside ^= *at == '"';
        count += !inside && *at == separator;
    }
    return count;
}

/* How many lines have the commonest number of cells, which *cells gets; fraction: cells that are numbers. Quotes are not
 * decoded here, since the same lines are cut again by other separators. */
static size_t agreement(const csv_sample *self, char separator, size_t *counts, size_t *cells, double *fraction) {
    const cell_style style = {.separator = separator, .quotes = ""};
    size_t numbers = 0, total = 0, best = 0;
    for (size_t i = 0; i < self->count; i++) {
        char *at = self->lines[i], *end = self->ends[i];
        const bool quoted = memchr(at, '"', (size_t)(end - at)) != NULL;
        counts[i] = quoted ? count_quoted(separator, at, end) : count_cells(&style, at, end, &numbers);
        total += counts[i];
    }
    for (size_t i = 0; i < self->count && best < self->count; i++) {
        size_t same = 0;
        for (size_t k = 0; k < self->count; k++) {
            same += counts[k] == counts[i];
        }
        if (same > best) {
            best = same;
            *cells = counts[i];
        }
    }
    *fraction = total > 0 ? (double)numbers / (double)total : 0;
    return best;
}

/* Whether a separator stands anywhere in the lines: one that does not would leave a single cell in each. */
static bool occurs(const csv_sample *self, char separator) {
    const size_t size = (size_t)(self->ends[self->count - 1] - self->lines[0]);
    return memchr(self->lines[0], separator, size) != NULL ||
           (separator == ' ' && memchr(self->lines[0], '\t', size) != NULL);
}

static cnm_status find_separator(const csv_sample *self, char *separator, cnm_error *err) {
    size_t *counts, best = 0;
    double best_fraction = 0;
    const cnm_status status = memory_take(&counts, self->count, sizeof *counts, "the first lines", err);
    *separator = SEPARATORS[0];
    for (const char *candidate = SEPARATORS; status == CNM_OK && *candidate != '\0'; candidate++) {
        size_t cells = 0;
        double fraction = 0;
        if (!occurs(self, *candidate)) {
            continue;
        }
        const size_t lines = agreement(self, *candidate, counts, &cells, &fraction);
        if (cells > 1 && (lines > best || (lines == best && fraction > best_fraction))) {
            best = lines;
            best_fraction = fraction;
            *separator = *candidate;
        }
    }
    memory_free(counts);
    return status;
}

static void note_value(value_set *self, double value) {
    self->numbers++;
    self->whole += value == floor(value) && fabs(value) < 1e15;
    size_t i = 0;
    while (i < self->distinct && self->values[i] != value) {
        i++;
    }
    if (i == self->distinct && self->distinct <= MAX_VALUES) {
        self->values[self->distinct++] = value;
    }
}

/* The same for a cell of the first line, when that is no header. */
static void note_text(value_set *self, const char *text) {
    const cell found = {.text = text, .length = strlen(text)};
    double value;
    if (!cell_is_missing(&found) && cell_is_number(&found, &value)) {
        note_value(self, value);
    }
}

static bool looks_like_label(const value_set *self) {
    return self->whole == self->numbers && self->distinct >= 2 && self->distinct <= MAX_VALUES &&
           self->distinct * 2 <= self->numbers;
}

static cnm_status copy_cell(char **out, const cell *found, cnm_error *err) {
    const cnm_status status = memory_take(out, found->length + 1, 1, "names", err);
    if (status == CNM_OK) {
        memcpy(*out, found->text, found->length);
        (*out)[found->length] = '\0';
    }
    return status;
}

/* Cuts line i into the facts of its columns; cells beyond them are ignored. names, for the first line: its words go there. */
static cnm_status note_line(const csv_shape *shape, const csv_sample *self, size_t i, sample_facts *facts, char **names,
                            cnm_error *err) {
    char *at = cell_first(&shape->style, self->lines[i], self->ends[i]);
    cnm_status status = CNM_OK;
    for (size_t j = 0; status == CNM_OK && at != NULL && j < shape->columns; j++) {
        double value = 0;
        const cell found = cell_next(&shape->style, &at, self->ends[i]);
        const bool read = cell_is_number(&found, &value); /* of all missing cells, nan alone reads as a number */
        const bool missing = (!read || isnan(value)) && cell_is_missing(&found), number = read && !missing;
        if (names != NULL) {
            facts->columns[j].first_is_word = !missing && !number;
            status = copy_cell(&names[j], &found, err);
            continue;
        }
        facts->columns[j].numbers += number;
        facts->columns[j].words += !missing && !number;
        if (number && j == 0) {
            note_value(&facts->first, value);
        }
        if (number && j + 1 == shape->columns) {
            note_value(&facts->last, value);
        }
    }
    return status;
}

static bool has_header(const csv_shape *shape, const csv_sample *self, const column_facts *columns) {
    bool all_words = true;
    for (size_t j = 0; j < shape->columns; j++) {
        if (columns[j].first_is_word && columns[j].words == 0 && columns[j].numbers > 0) {
            return true;
        }
        all_words &= columns[j].first_is_word;
    }
    return self->count == 1 && all_words; /* a header and nothing else */
}

/* The last column that is neither weight nor group, which are no label. */
static size_t find_last(const csv_shape *shape, const size_t taken[2]) {
    size_t last = shape->columns - 1;
    while (last > 0 && (last == taken[0] || last == taken[1])) {
        last--;
    }
    return last;
}

/* By name; else a lone column of words, which would be an error among the features; else a column named y. */
static void find_label(csv_shape *shape, const sample_facts *facts, const reader_options *options) {
    char *const *names = shape->header ? shape->names : NULL;
    const size_t taken[] = {columns_find(names, shape->columns, options->weight_column),
                            columns_find(names, shape->columns, options->group_column)};
    const size_t last = find_last(shape, taken);
    const size_t named = columns_named_label(shape->columns, names, true);
    size_t with_words = NO_COLUMN, count = 0;
    for (size_t j = 0; j < shape->columns; j++) {
        const column_facts *column = &facts->columns[j];
        if (j != taken[0] && j != taken[1] && column->words + (!shape->header && column->first_is_word) > 0) {
            with_words = j;
            count++;
        }
    }
    shape->label = named != NO_COLUMN ? named
                   : count == 1       ? with_words
                                      : columns_named_label(shape->columns, names, false);
    if (shape->label != NO_COLUMN) {
        return;
    }
    if (with_words == last) {
        shape->label = with_words;
        return;
    }
    shape->surprise = shape->columns > 1 && last + 1 == shape->columns && taken[0] != 0 && taken[1] != 0 &&
                      looks_like_label(&facts->first) && !looks_like_label(&facts->last);
    shape->label = shape->surprise ? 0 : shape->columns > 1 ? last : NO_COLUMN;
}

static cnm_status note_all(csv_shape *shape, const csv_sample *self, const reader_options *options, cnm_error *err) {
    sample_facts facts = {0};
    cnm_status status = memory_zeroed(&facts.columns, shape->columns, sizeof *facts.columns, "columns", err);
    if (status == CNM_OK) {
        status = memory_zeroed(&shape->names, shape->columns, sizeof *shape->names, "names", err);
    }
    for (size_t i = 1; status == CNM_OK && i < self->count; i++) {
        status = note_line(shape, self, i, &facts, NULL, err);
    }
    if (status == CNM_OK) {
        status = note_line(shape, self, 0, &facts, shape->names, err);
    }
    if (status == CNM_OK) {
        shape->header = options->header != 0 ? options->header > 0 : has_header(shape, self, facts.columns);
        if (!shape->header) {
            note_text(&facts.first, shape->names[0]);
            note_text(&facts.last, shape->names[shape->columns - 1]);
        }
        find_label(shape, &facts, options);
    }
    memory_free(facts.columns);
    return status;
}

cnm_status csv_sniff(csv_shape *out, const char *bytes, size_t size, const reader_options *options, cnm_error *err) {
    csv_sample lines;
    *out = (csv_shape){.style = {.separator = options->separator, .quotes = "\""}, .label = NO_COLUMN};
    const char known[] = {options->separator, '\0'};
    cnm_status status = csv_sample_create(&lines, bytes, size,
                                          *known == '\0'  ? SEPARATORS
                                          : *known == ' ' ? " \t"
                                                          : known,
                                          err);
    if (status != CNM_OK) {
        return status;
    }
    out->skipped = lines.skipped;
    if (lines.count > 0 && out->style.separator == 0) {
        status = find_separator(&lines, &out->style.separator, err);
    }
    if (status == CNM_OK && lines.count > 0) {
        size_t numbers = 0;
        out->columns = count_cells(&out->style, lines.lines[0], lines.ends[0], &numbers);
        memcpy(lines.bytes, bytes, size); /* counting has decoded quotes in place */
        status = note_all(out, &lines, options, err);
    }
    csv_sample_free(&lines);
    if (status != CNM_OK) {
        csv_shape_free(out);
    }
    return status;
}

void csv_shape_free(csv_shape *self) {
    for (size_t j = 0; self->names != NULL && j < self->columns; j++) {
        memory_free(self->names[j]);
    }
    memory_free(self->names);
    *self = (csv_shape){0};
}
