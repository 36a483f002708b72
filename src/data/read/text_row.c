/* Reads one line of separated values into a dense row. Plain numbers take a fast path; quotes,
 * missing cells, words, times and numbers with separators or units the general one. */
#include "data/read/text_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/encode/cell_read.h"
#include "data/table/group_hash.h"
#include "data/table/table_types.h"
#include "math/parse/parse_numbers.h"

/* Returns what a cell of this type looks like. */
static const char *expectation(const column_type *type) {
    static const char *const TIMES[] = {"a date as 2023-10-13", "a date as 13.10.2023", "a date as 10/13/2023",
                                        "a time of day as 23:59"};
    if (type->kind == COLUMN_TIME) {
        return TIMES[type->format.order];
    }
    return type->format.decimal == ',' ? "a number with a decimal comma" : "a number";
}

/* Adds how a cell that is no number can be settled: where most cells are numbers, it is a marker of
 * a missing value, a mistake, or a sign that the column is not worth reading, unless a model wants
 * it. */
static void add_ways_out(const column_plan *columns, size_t column, const cell *found, cnm_error *err) {
    enum { LONGEST = 40 };
    char shown[SHOWN_SIZE], number[24];
    size_t used = strlen(err->message);
    const char *name = columns->found != NULL && columns->found[column][0] != '\0' ? columns->found[column] : NULL;
    bool listable = found->length <= LONGEST;
    for (size_t i = 0; i < found->length && listable; i++) {
        listable = found->text[i] != ',' && found->text[i] != '\'' && (unsigned char)found->text[i] >= ' ';
    }
    (void)snprintf(err->message + used, sizeof err->message - used, "; %s%s%s", listable ? "--na " : "correct it",
                   listable ? show(shown, found->text, found->length) : "",
                   listable ? " takes it for a missing value" : "");
    if (!columns->recalled) {
        used = strlen(err->message);
        (void)snprintf(number, sizeof number, "%zu", column + 1);
        (void)snprintf(err->message + used, sizeof err->message - used, ", %s--drop %s leaves the column out",
                       listable ? "" : "or ",
                       name != NULL && strlen(name) <= LONGEST && strchr(name, ',') == NULL ? name : number);
    }
}

static cnm_status cell_error(const column_plan *columns, size_t column, const cell *found, const char *expected,
                             bool may_be_missing, const line_reader *lines, cnm_error *err) {
    char shown[SHOWN_SIZE], where[COLUMN_SHOWN_SIZE];
    cnm_error own = {0};
    (void)error_set(&own, CNM_BAD_DATA, "found %s in %s, expected %s", show(shown, found->text, found->length),
                    column_plan_show(columns, column, where), expected);
    if (may_be_missing && columns->target[column] != NO_COLUMN) {
        add_ways_out(columns, column, found, &own);
    }
    (void)error_set(err, CNM_BAD_DATA, "%s", own.message);
    return lines_position(lines, CNM_BAD_DATA, err);
}

static cnm_status open_error(const column_plan *columns, size_t column, const line_reader *lines, cnm_error *err) {
    char where[COLUMN_SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_FORMAT, "found a quote in %s that is never closed, expected its end on the same line",
                    column_plan_show(columns, column, where));
    return lines_position(lines, CNM_BAD_FORMAT, err);
}

/* Reads a label: text, or a number where its column has numbers that no classes are. */
static cnm_status read_label(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                             const line_reader *lines, cnm_error *err) {
    const column_type *type = &columns->cells[column];
    char where[COLUMN_SHOWN_SIZE];
    row->label = found->text;
    row->label_length = found->length;
    if (cell_stands_for_missing_label(found->text, found->length, columns->missing_words)) {
        (void)error_set(err, CNM_BAD_DATA, "found no label in %s, expected a number or a word",
                        column_plan_show(columns, column, where));
        return lines_position(lines, CNM_BAD_DATA, err);
    }
    if (!columns->label_measured) {
        return CNM_OK;
    }
    if (!cell_read(type, found->text, found->length, &row->label_number)) {
        return cell_error(columns, column, found, "a number, as the other labels are", false, lines, err);
    }
    row->label_is_number = isfinite(row->label_number) != 0;
    return CNM_OK;
}

/* Reads a cell of words as the word's number in the dictionary, to which a new word is added. */
static cnm_status read_word(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                            const line_reader *lines, cnm_error *err) {
    dictionary *words = &row->types[columns->target[column]].words;
    double *out = &row->cells[columns->target[column]];
    int32_t code = dictionary_find(words, found->text, found->length);
    if (code < 0 && cell_stands_for_missing(found->text, found->length, columns->missing_words)) {
        *out = NAN;
        row->full = false;
        return CNM_OK;
    }
    if (code < 0 && !utf8_is_valid(found->text, found->length)) {
        return cell_error(columns, column, found, "text in UTF-8", false, lines, err);
    }
    if (code < 0 && words->count >= MOST_COLUMN_WORDS) {
        return cell_error(columns, column, found, "at most 16777216 different words", false, lines, err);
    }
    TRY(code < 0 ? dictionary_add(words, found->text, found->length, &code, err) : CNM_OK);
    *out = code;
    return CNM_OK;
}

/* Reads a number or a time. */
static cnm_status read_value(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                             const line_reader *lines, cnm_error *err) {
    const column_type *type = &columns->cells[column];
    double value = NAN;
    if (!cell_read(type, found->text, found->length, &value)) {
        if (!cell_stands_for_missing(found->text, found->length, columns->missing_words)) {
            return cell_error(columns, column, found, expectation(type), true, lines, err);
        }
        value = NAN;
    } else if (columns->missing_words != NULL &&
               cell_stands_for_missing(found->text, found->length, columns->missing_words)) {
        value = NAN;
    }
    if (isinf(value)) {
        return cell_error(columns, column, found, "a finite number", false, lines, err);
    }
    row->full = row->full && !isnan(value);
    *(column == columns->weight ? &row->weight : &row->cells[columns->target[column]]) = value;
    return CNM_OK;
}

cnm_status text_row_cell(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                         const line_reader *lines, cnm_error *err) {
    if (found->open) {
        return open_error(columns, column, lines, err);
    }
    if (column == columns->id) {
        row->id = found->text;
        row->id_length = found->length;
    }
    if (column == columns->label) {
        return read_label(columns, column, found, row, lines, err);
    }
    if (column == columns->group) {
        const bool missing = cell_stands_for_missing(found->text, found->length, columns->missing_words);
        row->group = missing ? group_hash_number(NAN) : group_hash_text(found->text, found->length);
        return CNM_OK;
    }
    if (column == columns->weight) {
        return read_value(columns, column, found, row, lines, err);
    }
    if (columns->target[column] == NO_COLUMN) {
        return CNM_OK;
    }
    return columns->cells[column].kind == COLUMN_WORDS ? read_word(columns, column, found, row, lines, err)
                                                       : read_value(columns, column, found, row, lines, err);
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
        (target == NO_COLUMN && column != columns->label) || column == columns->id ||
        !column_is_fast(columns, column)) {
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

/* Returns whether at least half of a row's cells are empty: a total below the rows, or a remark. */
static bool is_mostly_empty(const column_plan *columns, const cell_style *style, const char *line, const char *end) {
    size_t empty = 0;
    bool blank = true;
    for (const char *at = line; at <= end && style->separator != ' '; at++) {
        if (at == end || *at == style->separator) {
            empty += blank;
            blank = true;
        } else {
            blank = blank && is_blank(*at);
        }
    }
    return columns->count > 2 && empty * 2 >= columns->count;
}

/* Adds to the message on a cell that its line may be no row: one without its label, or mostly
 * empty. */
static cnm_status refuse_row(cnm_status status, const column_plan *columns, size_t column, const cell_style *style,
                             const char *line, const char *end, cnm_error *err) {
    const bool suspect = column == columns->label || is_mostly_empty(columns, style, line, end);
    if (err != NULL && status == CNM_BAD_DATA && suspect) {
        const size_t used = strlen(err->message);
        (void)snprintf(err->message + used, sizeof err->message - used, "%s%s",
                       column == columns->label && columns->recalled ? "; --label-column none predicts without labels"
                                                                     : "",
                       "; if the line is no row, remove it, or take the other rows alone by --rows A:B");
    }
    return status;
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
        const cnm_status status = text_row_cell(columns, column, &found, row, lines, err);
        if (status != CNM_OK) {
            return refuse_row(status, columns, column, style, line, end, err);
        }
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
