/* Reads one line of separated values into a dense row. Plain numbers take a fast path; quotes,
 * missing cells and words the general one. */
#include "data/read/text_row.h"

#include <math.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/table/group_hash.h"
#include "math/parse/parse_numbers.h"

static cnm_status cell_error(const column_plan *columns, size_t column, const cell *found, const char *expected,
                             const line_reader *lines, cnm_error *err) {
    char shown[SHOWN_SIZE], where[COLUMN_SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected %s", show(shown, found->text, found->length),
                    column_plan_show(columns, column, where), expected);
    return lines_position(lines, CNM_BAD_DATA, err);
}

/* Sets the word's feature to 1 and those of the column's other words to 0. */
static void code_word(const one_hot *words, const cell *found, dense_row *row) {
    const size_t at = one_hot_find(words, found->text, found->length);
    for (size_t i = 0; i < words->count; i++) {
        row->cells[words->features[i]] = i == at;
    }
}

cnm_status text_row_cell(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                         const line_reader *lines, cnm_error *err) {
    char where[COLUMN_SHOWN_SIZE];
    const size_t target = columns->target[column];
    if (found->open) {
        (void)error_set(err, CNM_BAD_FORMAT,
                        "found a quote in %s that is never closed, expected its end on the same line",
                        column_plan_show(columns, column, where));
        return lines_position(lines, CNM_BAD_FORMAT, err);
    }
    const bool missing = cell_is_missing(found);
    if (column == columns->label) {
        row->label = found->text;
        row->label_length = found->length;
        if (missing) {
            (void)error_set(err, CNM_BAD_DATA, "found no label in %s, expected a number or a word",
                            column_plan_show(columns, column, where));
            return lines_position(lines, CNM_BAD_DATA, err);
        }
        return CNM_OK;
    }
    if (column == columns->group) {
        row->group = missing ? group_hash_number(NAN) : group_hash_text(found->text, found->length);
        return CNM_OK;
    }
    if (target == NO_COLUMN && column != columns->weight) {
        return CNM_OK;
    }
    if (columns->coded[column].count > 0) {
        code_word(&columns->coded[column], found, row);
        return CNM_OK;
    }
    double value = NAN;
    row->full &= !missing;
    if (!missing && !cell_is_value(found, &value)) {
        return cell_error(columns, column, found, "a number", lines, err);
    }
    if (isinf(value)) {
        return cell_error(columns, column, found, "a finite number", lines, err);
    }
    *(column == columns->weight ? &row->weight : &row->cells[target]) = value;
    return CNM_OK;
}

/* Reads features that are numbers right up to their separators, from *column on; moves *column and
 * returns the first cell that is not a number. *ahead: cells to be searched at once, few where a
 * cell without a number came soon, since the cells behind that one are searched again. */
static char *read_cells(const column_plan *columns, char separator, char *at, const char *end, dense_row *row,
                        size_t *column, size_t *ahead) {
    enum { FEWEST = 8 };
    const size_t until = columns->until[*column];
    for (bool all = true; all && *column < until;) {
        const size_t left = until - *column, wanted = left < *ahead ? left : *ahead;
        number_text text = {at, end, separator, wanted, row->cells + columns->target[*column]};
        const size_t read = parse_numbers(&text);
        at += text.at - at;
        *column += read;
        all = read == wanted;
        *ahead = all && *ahead > NUMBERS_TILE ? *ahead : 2 * read + FEWEST;
    }
    return at;
}

/* Stores a feature or label that is a number right up to its separator or the end, and returns the
 * bytes that follow; returns NULL for every other cell. */
static char *read_number(const column_plan *columns, const cell_style *style, char *at, const char *end, dense_row *row,
                         size_t column) {
    double value;
    const size_t target = columns->target[column];
    const char *stop = at < end && *at == style->separator ? NULL : text_read_double(at, end, &value);
    if (stop == NULL || (stop < end && *stop != style->separator) || !isfinite(value) ||
        (target == NO_COLUMN && column != columns->label) || columns->coded[column].count > 0) {
        return NULL;
    }
    if (target != NO_COLUMN) {
        row->cells[target] = value;
        return (char *)stop;
    }
    row->label = at;
    row->label_length = (size_t)(stop - at);
    row->label_number = value;
    row->label_is_number = true;
    return (char *)stop;
}

/* Returns the start of the next cell, or NULL: a run of blanks is one separator, and no separator
 * at the end of a line. */
static char *next_cell(const cell_style *style, char *at, char *end) {
    return style->separator == ' ' ? cell_first(style, at, end) : at;
}

static cnm_status count_error(const column_plan *columns, size_t found, const line_reader *lines, cnm_error *err) {
    (void)error_set(err, CNM_BAD_FORMAT, "found %zu cell%s, expected %zu", found, found == 1 ? "" : "s",
                    columns->count);
    return lines_position(lines, CNM_BAD_FORMAT, err);
}

cnm_status text_row_read(const column_plan *columns, const cell_style *style, char *line, char *end, dense_row *row,
                         const line_reader *lines, cnm_error *err) {
    const bool padded = lines_limit(lines) - end >= NUMBERS_REACH;
    char *at = cell_first(style, line, end);
    size_t column = 0, ahead = SIZE_MAX;
    row->full = true;
    for (; at != NULL && column < columns->count; column++) {
        if (padded) {
            at = next_cell(style, read_cells(columns, style->separator, at, end, row, &column, &ahead), end);
        }
        if (at == NULL || column == columns->count) {
            break;
        }
        char *stop = read_number(columns, style, at, end, row, column);
        if (stop != NULL) {
            at = stop < end ? next_cell(style, stop + 1, end) : NULL;
            continue;
        }
        const cell found = cell_next(style, &at, end);
        TRY(text_row_cell(columns, column, &found, row, lines, err));
    }
    if (at == NULL && column == columns->count) {
        return CNM_OK;
    }
    while (at != NULL) {
        (void)cell_next(style, &at, end);
        column++;
    }
    return count_error(columns, column, lines, err);
}
