/* Detects the shape of a file of separated values from its first lines: separator, header, label
 * column.
 *
 * Separator: the one of , ; tab | blank that cuts most lines into the same number (> 1) of cells;
 * then the one that makes more of the cells numbers; then that order.
 *
 * Header: there is one when some column has a word in the first line and only numbers (or missing
 * cells) below, at least one; or when the first line counts the columns; or when it holds words
 * alone, none of which occurs again below the line.
 *
 * Label: see csv_label.c. */
#include "data/formats/csv_sniff.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/formats/csv_categories.h"
#include "data/formats/csv_label.h"
#include "data/formats/csv_sample.h"
#include "data/read/column_list.h"

static const char SEPARATORS[] = ",;\t| ";

/* Returns the number of cells of a line; adds to *numbers those that are numbers. Decodes quoted
 * cells in place. */
static size_t count_cells(const cell_style *style, char *at, char *end, size_t *numbers) {
    size_t count = 0;
    char *first = cell_first(style, at, end);
    while (first != NULL) {
        double value;
        const cell found = cell_next(style, &first, end);
        count++;
        *numbers += cell_is_value(&found, &value) || cell_is_missing(&found);
    }
    return count;
}

/* Returns the number of cells of a line with quotes, which are left as they are: separators inside
 * quotes do not count. */
static size_t count_quoted(char separator, const char *at, const char *end) {
    size_t count = 1;
    bool inside = false;
    for (; at < end; at++) {
        inside ^= *at == '"';
        count += !inside && *at == separator;
    }
    return count;
}

/* Returns how many lines have the commonest number of cells. Sets *cells to that number and
 * *fraction to the share of cells that are numbers. Quotes are not decoded here, since the same
 * lines are cut again by other separators. */
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

/* Returns whether a separator occurs in the lines: one that does not would leave a single cell in
 * each. */
static bool occurs(const csv_sample *self, char separator) {
    const size_t size = (size_t)(self->ends[self->count - 1] - self->lines[0]);
    return memchr(self->lines[0], separator, size) != NULL ||
           (separator == ' ' && memchr(self->lines[0], '\t', size) != NULL);
}

static cnm_status find_separator(const csv_sample *self, char *separator, cnm_error *err) {
    size_t *counts, best = 0;
    double best_fraction = 0;
    TRY(memory_take(&counts, self->count, sizeof *counts, "the first lines", err));
    *separator = SEPARATORS[0];
    for (const char *candidate = SEPARATORS; *candidate != '\0'; candidate++) {
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
    return CNM_OK;
}

static cnm_status copy_cell(char **out, const cell *found, cnm_error *err) {
    TRY(memory_take(out, found->length + 1, 1, "names", err));
    memcpy(*out, found->text, found->length);
    (*out)[found->length] = '\0';
    return CNM_OK;
}

static bool is_name(const cell *found, const char *name) {
    return name != NULL && strlen(name) == found->length && memcmp(name, found->text, found->length) == 0;
}

/* Cuts line i into the facts of its columns; ignores cells beyond them. Line 0 must come first: its
 * cells become names. */
static cnm_status note_line(csv_shape *shape, const csv_sample *self, size_t i, sample_facts *facts, cnm_error *err) {
    char *at = cell_first(&shape->style, self->lines[i], self->ends[i]);
    for (size_t j = 0; at != NULL && j < shape->columns; j++) {
        double value = 0;
        const cell found = cell_next(&shape->style, &at, self->ends[i]);
        /* Of all missing cells, only nan reads as a number. */
        const bool read = cell_is_value(&found, &value);
        const bool missing = (!read || isnan(value)) && cell_is_missing(&found), number = read && !missing;
        if (i == 0) {
            facts->columns[j].first_is_word = !missing && !number;
            TRY(copy_cell(&shape->names[j], &found, err));
            continue;
        }
        facts->columns[j].repeats += is_name(&found, shape->names[j]);
        facts->columns[j].words += !missing && !number;
        facts->wordy |= !missing && !number;
        if (number) {
            sample_facts_note(facts, j, j + 1 == shape->columns, value);
        }
    }
    return CNM_OK;
}

static bool read_name(const csv_shape *shape, size_t column, double *value) {
    const char *name = shape->names[column];
    const cell found = {.text = name, .length = strlen(name)};
    return !cell_is_missing(&found) && cell_is_value(&found, value);
}

/* Returns whether the first line counts the columns, 0, 1, 2 and so on, as pandas names columns
 * without names; words may be between, and the cell over names of the rows may be empty. No row
 * looks like that by chance where there are many columns, or numbers of another kind below. */
static bool names_are_counted(const csv_shape *shape, const column_facts *columns) {
    enum { ENOUGH = 3, MANY = 8 };
    size_t count = 0;
    bool others = false;
    for (size_t j = 0; j < shape->columns; j++) {
        double value;
        if (read_name(shape, j, &value)) {
            if (value != (double)count++) {
                return false;
            }
            others |= columns[j].uncounted;
        } else if (!columns[j].first_is_word && j > 0) {
            return false;
        }
    }
    return count >= (others ? ENOUGH : MANY);
}

/* Returns whether a model's names are in the first line, in their order. */
static bool names_are_known(const csv_shape *shape, const reader_options *options) {
    size_t known = 0;
    if (!options->expects || options->names == NULL || options->columns == 0) {
        return false;
    }
    for (size_t j = 0; j < shape->columns && known < options->columns; j++) {
        known += strcmp(shape->names[j], options->names[known]) == 0;
    }
    return known == options->columns;
}

static bool has_words_over_numbers(const csv_shape *shape, const column_facts *columns) {
    for (size_t j = 0; j < shape->columns; j++) {
        if (columns[j].first_is_word && columns[j].words == 0 && columns[j].numbers > 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether the first line has only words that never occur again: a header over any
 * columns. */
static bool has_words_alone(const csv_shape *shape, const column_facts *columns) {
    for (size_t j = 0; j < shape->columns; j++) {
        if (!columns[j].first_is_word || columns[j].repeats > 0) {
            return false;
        }
    }
    return true;
}

static void find_header(csv_shape *shape, const column_facts *columns, const reader_options *options) {
    if (options->header != 0) {
        shape->header = options->header > 0;
        return;
    }
    shape->header =
        has_words_over_numbers(shape, columns) || has_words_alone(shape, columns) || names_are_known(shape, options);
    shape->counted = !shape->header && names_are_counted(shape, columns);
    shape->header = shape->header || shape->counted;
}

/* Notes the numbers of a first line that is no header. */
static void note_names(const csv_shape *shape, sample_facts *facts) {
    for (size_t j = 0; j < shape->columns; j++) {
        double value;
        if (read_name(shape, j, &value)) {
            sample_facts_note(facts, j, j + 1 == shape->columns, value);
        }
    }
}

static cnm_status note_all(csv_shape *shape, const csv_sample *self, const char *file, const reader_options *options,
                           cnm_error *err) {
    cnm_status status;
    sample_facts facts = {0};
    TRY(memory_zeroed(&facts.columns, shape->columns, sizeof *facts.columns, "columns", err));
    TRY_DONE(memory_zeroed(&shape->names, shape->columns, sizeof *shape->names, "names", err));
    for (size_t i = 0; i < self->count; i++) {
        TRY_DONE(note_line(shape, self, i, &facts, err));
    }
    find_header(shape, facts.columns, options);
    if (!shape->header) {
        note_names(shape, &facts);
    }
    TRY_DONE(memory_zeroed(&shape->dropped, shape->columns, sizeof *shape->dropped, "columns", err));
    TRY_DONE(column_list_mark(options->drop, shape->header ? shape->names : NULL, shape->columns, file, "--drop",
                              shape->dropped, err));
    csv_label_find(shape, &facts, options);
    shape->wordy = facts.wordy;
done:
    memory_free(facts.columns);
    return status;
}

/* Fills a shape from lines, which are a copy of bytes (size) and are decoded in place. */
static cnm_status sniff_lines(csv_shape *out, const csv_sample *lines, const char *bytes, size_t size, const char *file,
                              const reader_options *options, cnm_error *err) {
    size_t numbers = 0;
    out->skipped = lines->skipped;
    if (lines->count == 0) {
        return CNM_OK;
    }
    if (out->style.separator == 0) {
        TRY(find_separator(lines, &out->style.separator, err));
    }
    out->columns = count_cells(&out->style, lines->lines[0], lines->ends[0], &numbers);
    memcpy(lines->bytes, bytes, size); /* counting has decoded quotes in place */
    TRY(note_all(out, lines, file, options, err));
    if (!out->header || !out->wordy || options->expects) {
        return CNM_OK;
    }
    memcpy(lines->bytes, bytes, size);
    return csv_categories_find(out, lines, err);
}

cnm_status csv_sniff(csv_shape *out, const char *bytes, size_t size, const char *file, const reader_options *options,
                     cnm_error *err) {
    const char given[] = {options->separator, '\0'};
    const char *separators = *given == '\0' ? SEPARATORS : *given == ' ' ? " \t" : given;
    csv_sample lines;
    *out =
        (csv_shape){.style = {.separator = options->separator, .quotes = "\""}, .guess = {NO_COLUMN, NO_COLUMN, NULL}};
    TRY(csv_sample_create(&lines, bytes, size, separators, err));
    const cnm_status status = sniff_lines(out, &lines, bytes, size, file, options, err);
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
    memory_free(self->dropped);
    csv_categories_free(self);
    *self = (csv_shape){0};
}
