/* Detects the shape of a file of separated values from its first lines: separator, header, types of
 * the columns, label column.
 *
 * Separator: the one of , ; tab | blank that cuts most lines into the same number (> 1) of cells;
 * then the one that makes more of the cells numbers; then that order.
 *
 * Header: there is one when the first cell of some column of numbers or times is neither; or when
 * the first line counts the columns; or when it holds words alone, none of which occurs again below
 * the line; or when it has a model's names.
 *
 * Types: see csv_types.c. Label: see csv_label.c. */
#include "data/formats/csv_sniff.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/encode/cell_read.h"
#include "data/formats/csv_label.h"
#include "data/formats/csv_sample.h"
#include "data/formats/csv_types.h"
#include "data/read/column_list.h"

static const char SEPARATORS[] = ",;\t| ";

/* Returns whether a cell is a number, with a decimal comma where those do not separate cells. */
static bool counts_as_number(const cell_style *style, const cell *found) {
    static const column_type COMMAS = {.kind = COLUMN_NUMBER, .format = {.decimal = ',', .thousands = '.'}};
    double value;
    return cell_is_value(found, &value) || cell_stands_for_missing(found->text, found->length, NULL) ||
           (style->separator != ',' && cell_read(&COMMAS, found->text, found->length, &value));
}

/* Returns the number of cells of a line; adds to *numbers those that are numbers. Decodes quoted
 * cells in place. */
static size_t count_cells(const cell_style *style, char *at, char *end, size_t *numbers) {
    size_t count = 0;
    char *first = cell_first(style, at, end);
    while (first != NULL) {
        const cell found = cell_next(style, &first, end);
        count++;
        *numbers += counts_as_number(style, &found);
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

/* Notes a cell of the first line, which becomes a name. */
static cnm_status note_first(csv_shape *shape, size_t j, const cell *found, const reader_options *options,
                             column_facts *column, cnm_error *err) {
    type_guess guess = {0};
    double value;
    if (!cell_stands_for_missing(found->text, found->length, options->missing_words)) {
        type_guess_note(&guess, found->text, found->length, 1);
        column->first_is_word = type_guess_is_all_words(&guess);
        column->first_is_other = !cell_is_value(found, &value);
    }
    return copy_cell(&shape->names[j], found, err);
}

/* Cuts line i into the facts of its columns; ignores cells beyond them. Line 0 must come first: its
 * cells become names. */
static cnm_status note_line(csv_shape *shape, const csv_sample *self, size_t i, const reader_options *options,
                            sample_facts *facts, cnm_error *err) {
    char *at = cell_first(&shape->style, self->lines[i], self->ends[i]);
    for (size_t j = 0; at != NULL && j < shape->columns; j++) {
        double value = 0;
        const cell found = cell_next(&shape->style, &at, self->ends[i]);
        if (i == 0) {
            TRY(note_first(shape, j, &found, options, &facts->columns[j], err));
            continue;
        }
        facts->columns[j].repeats += is_name(&found, shape->names[j]);
        const bool number = cell_is_value(&found, &value) && !isnan(value); /* nan reads as a number */
        if (number && (options->missing_words == NULL ||
                       !cell_stands_for_missing(found.text, found.length, options->missing_words))) {
            sample_facts_note(facts, j, j + 1 == shape->columns, value);
        } else if (!cell_stands_for_missing(found.text, found.length, options->missing_words)) {
            facts->columns[j].words++;
        } else {
            facts->columns[j].filled += found.length > 0;
        }
    }
    return CNM_OK;
}

static bool read_name(const csv_shape *shape, size_t column, double *value) {
    const char *name = shape->names[column];
    const cell found = {.text = name, .length = strlen(name)};
    return cell_is_value(&found, value) && !isnan(*value);
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

/* Returns whether all of a model's names are in the first line. */
static bool names_are_known(const csv_shape *shape, const reader_options *options) {
    if (!options->expects || options->names == NULL || options->columns == 0) {
        return false;
    }
    for (size_t k = 0; k < options->columns; k++) {
        size_t j = 0;
        while (j < shape->columns && strcmp(shape->names[j], options->names[k]) != 0) {
            j++;
        }
        if (j == shape->columns) {
            return false;
        }
    }
    return true;
}

/* Returns whether the first line does not fit a column of numbers or times below it. */
static bool has_words_over_numbers(const csv_shape *shape, const reader_options *options, const sample_facts *facts) {
    const char decimal = csv_types_decimal(shape, options, facts);
    for (size_t j = 0; j < shape->columns; j++) {
        const column_facts *column = &facts->columns[j];
        const column_type type = csv_types_of(column, decimal);
        const char *name = shape->names[j];
        double value;
        if (column->first_is_other && column->numbers + column->words > 0 && type.kind != COLUMN_WORDS &&
            !cell_read(&type, name, strlen(name), &value)) {
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

static void find_header(csv_shape *shape, const sample_facts *facts, const reader_options *options) {
    if (options->header != 0) {
        shape->header = options->header > 0;
        return;
    }
    shape->header = has_words_over_numbers(shape, options, facts) || has_words_alone(shape, facts->columns) ||
                    names_are_known(shape, options);
    shape->counted = !shape->header && names_are_counted(shape, facts->columns);
    shape->header = shape->header || shape->counted;
}

/* Returns the first of the last columns whose cells are all empty, with their names where there is
 * a header: all rows end with one or more separators. NO_COLUMN where they do not. */
static size_t find_empty(const csv_shape *shape, const sample_facts *facts) {
    size_t first = shape->columns;
    for (bool empty = shape->style.separator != ' '; empty && first > 1; first -= empty) {
        const column_facts *column = &facts->columns[first - 1];
        empty = column->numbers + column->words + column->filled == 0 && shape->names[first - 1][0] == '\0';
    }
    return first < shape->columns ? first : NO_COLUMN;
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

/* Returns whether all rows below the first line have one cell more than that, which is empty. */
static bool rows_end_empty(const csv_shape *shape, const csv_sample *self) {
    bool longer = self->count > 1 && shape->style.separator != ' ';
    for (size_t i = 1; longer && i < self->count; i++) {
        size_t count = 0;
        cell last = {0};
        for (char *at = cell_first(&shape->style, self->lines[i], self->ends[i]); at != NULL; count++) {
            last = cell_next(&shape->style, &at, self->ends[i]);
        }
        longer = count == shape->columns + 1 && last.length == 0;
    }
    return longer;
}

static void facts_free(sample_facts *self, size_t columns) {
    for (size_t j = 0; self->columns != NULL && j < columns; j++) {
        dictionary_free(&self->columns[j].different);
    }
    memory_free(self->columns);
}

/* Fills the facts, and with them names and header of the shape. */
static cnm_status note_all(csv_shape *shape, const csv_sample *self, const reader_options *options, sample_facts *facts,
                           cnm_error *err) {
    TRY(memory_zeroed(&facts->columns, shape->columns, sizeof *facts->columns, "columns", err));
    TRY(memory_zeroed(&shape->names, shape->columns, sizeof *shape->names, "names", err));
    for (size_t i = 0; i < self->count; i++) {
        TRY(note_line(shape, self, i, options, facts, err));
    }
    if (shape->names[shape->columns - 1] == NULL) { /* rows_end_empty */
        TRY(memory_copy_text(&shape->names[shape->columns - 1], "", err));
    }
    TRY(csv_types_note(shape, self, options, facts, err));
    find_header(shape, facts, options);
    if (!shape->header) {
        note_names(shape, facts);
        TRY(csv_types_note_names(shape, self, options, facts, err));
    }
    return CNM_OK;
}

/* Decides what each column is. */
static cnm_status end_columns(csv_shape *shape, const char *file, const reader_options *options,
                              const sample_facts *facts, cnm_error *err) {
    TRY(memory_zeroed(&shape->dropped, shape->columns, sizeof *shape->dropped, "columns", err));
    TRY(column_list_mark(options->drop, shape->header ? shape->names : NULL, shape->columns, file, "--drop",
                         shape->dropped, err));
    shape->guess.empty = find_empty(shape, facts);
    TRY(csv_types_end(shape, options, facts, err));
    return csv_label_find(shape, facts, options, err);
}

/* Fills a shape from lines. */
static cnm_status sniff_lines(csv_shape *out, const csv_sample *lines, const char *file, const reader_options *options,
                              cnm_error *err) {
    cnm_status status;
    sample_facts facts = {0};
    size_t numbers = 0;
    out->skipped = lines->skipped;
    if (lines->count == 0) {
        return CNM_OK;
    }
    if (out->style.separator == 0) {
        TRY(find_separator(lines, &out->style.separator, err));
    }
    out->columns = count_cells(&out->style, lines->lines[0], lines->ends[0], &numbers);
    out->columns += rows_end_empty(out, lines);
    csv_sample_restore(lines);
    TRY_DONE(note_all(out, lines, options, &facts, err));
    facts.cut = lines->cut;
    facts.rows = lines->count - 1;
    TRY_DONE(end_columns(out, file, options, &facts, err));
done:
    facts_free(&facts, out->columns);
    return status;
}

cnm_status csv_sniff(csv_shape *out, const char *bytes, size_t size, bool more, const char *file,
                     const reader_options *options, cnm_error *err) {
    const char given[] = {options->separator, '\0'};
    const char *separators = *given == '\0' ? SEPARATORS : *given == ' ' ? " \t" : given;
    csv_sample lines;
    *out = (csv_shape){.style = {.separator = options->separator, .quotes = "\""},
                       .guess = {.label = NO_COLUMN, .row_names = NO_COLUMN, .empty = NO_COLUMN}};
    TRY(csv_sample_create(&lines, bytes, size, separators, err));
    lines.cut = lines.cut || more;
    const cnm_status status = sniff_lines(out, &lines, file, options, err);
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
    memory_free(self->guess.types);
    memory_free(self->guess.measured);
    memory_free(self->guess.blank);
    *self = (csv_shape){0};
}
