/* One line of separated values into a dense row. Plain numbers take a short way; quotes, missing cells and words the long one. */
#include "data/text_row.h"

#include <math.h>

#include "base/error.h"
#include "base/text.h"

static cnm_status cell_error(const column_plan *columns, size_t column, const cell *found, const char *expected,
                             const line_reader *lines, cnm_error *err) {
    char shown[SHOWN_SIZE], where[COLUMN_SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_DATA, "found %s in %s, expected %s", show(shown, found->text, found->length),
                    columns_show(columns, column, where), expected);
    return lines_place(lines, CNM_BAD_DATA, err);
}

cnm_status text_row_cell(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                         const line_reader *lines, cnm_error *err) {
    char where[COLUMN_SHOWN_SIZE];
    const size_t target = columns->target[column];
    if (found->open) {
        (void)error_set(err, CNM_BAD_FORMAT,
                        "found a quote in %s that is never closed, expected its end on the same line",
                        columns_show(columns, column, where));
        return lines_place(lines, CNM_BAD_FORMAT, err);
    }
    const bool missing = cell_is_missing(found);
    if (column == columns->label) {
        row->label = found->text;
        row->label_length = found->length;
        if (missing) {
            (void)error_set(err, CNM_BAD_DATA, "found no label in %s, expected a number or a word",
                            columns_show(columns, column, where));
            return lines_place(lines, CNM_BAD_DATA, err);
        }
        return CNM_OK;
    }
    if (target == NO_COLUMN && column != columns->weight) {
        return CNM_OK;
    }
    double value = NAN;
    if (!missing && !cell_is_number(found, &value)) {
        return cell_error(columns, column, found, "a number", lines, err);
    }
    if (isinf(value)) {
        return cell_error(columns, column, found, "a finite number", lines, err);
    }
    *(column == columns->weight ? &row->weight : &row->cells[target]) = value;
    return CNM_OK;
}

/* A feature that is a plain number right up to its separator: stores it and returns what follows, else NULL. */
static char *plain_number(const cell_style *style, char *at, const char *end, double *out) {
    double value;
    const char *stop = text_read_double(at, end, &value);
    if (stop == NULL || (stop < end && *stop != style->separator) || !isfinite(value)) {
        return NULL;
    }
    *out = value;
    return (char *)stop;
}

static cnm_status count_error(const column_plan *columns, size_t found, const line_reader *lines, cnm_error *err) {
    (void)error_set(err, CNM_BAD_FORMAT, "found %zu cell%s, expected %zu", found, found == 1 ? "" : "s",
                    columns->count);
    return lines_place(lines, CNM_BAD_FORMAT, err);
}

cnm_status text_row_read(const column_plan *columns, const cell_style *style, char *line, char *end, dense_row *row,
                         const line_reader *lines, cnm_error *err) {
    char *at = cell_first(style, line, end);
    size_t column = 0;
    for (; at != NULL && column < columns->count; column++) {
        const size_t target = columns->target[column];
        char *stop = target != NO_COLUMN ? plain_number(style, at, end, &row->cells[target]) : NULL;
        if (stop != NULL) {
            at = stop < end ? stop + 1 : NULL;
            if (style->separator == ' ' && at != NULL) {
                at = cell_first(style, at, end); /* a run of blanks is one separator */
            }
            continue;
        }
        const cell found = cell_next(style, &at, end);
        const cnm_status status = text_row_cell(columns, column, &found, row, lines, err);
        if (status != CNM_OK) {
            return status;
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
