/* Rows of separated values. A quoted cell may extend over several lines; a row's position is that
 * of its first line. */
#include "data/formats/csv_rows.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/try.h"
#include "data/read/text_row.h"
#include "math/parse/parse_numbers.h"

enum { QUOTED_SIZE = 1 << 20 };

/* How the quotes of a row end. */
typedef enum quote_end { QUOTES_CLOSED, QUOTES_OPEN, QUOTES_LONG } quote_end;

/* Joins lines to a line while a quoted cell goes on, up to QUOTED_SIZE bytes: a forgotten quote
 * must not swallow the file. */
static cnm_status join_quotes(csv_rows *self, char **line, size_t *length, cell_scan *scan, quote_end *end,
                              cnm_error *err) {
    const char separator[] = {self->style->separator, '\0'};
    const size_t first = *length;
    size_t scanned = 0;
    *scan = (cell_scan){.separators = *separator == ' ' ? " \t" : separator};
    for (;;) {
        cell_scan_text(scan, *line + scanned, *line + *length);
        if (!scan->inside) {
            *end = QUOTES_CLOSED;
            return CNM_OK;
        }
        scanned = *length;
        TRY(lines_join(&self->lines, line, length, err));
        if (*line == NULL || *length - first > QUOTED_SIZE) {
            *end = *line == NULL ? QUOTES_OPEN : QUOTES_LONG;
            return CNM_OK;
        }
    }
}

static cnm_status finish_quotes(csv_rows *self, char **line, size_t *length, cnm_error *err) {
    char where[COLUMN_SHOWN_SIZE];
    cell_scan scan;
    quote_end end;
    TRY(join_quotes(self, line, length, &scan, &end, err));
    if (end == QUOTES_CLOSED) {
        return CNM_OK;
    }
    return error_set(err, CNM_BAD_FORMAT,
                     "%s:%zu: found a quote in %s that is never closed, expected its end within %d KiB",
                     byte_source_name(self->lines.source), self->lines.line + scan.quote,
                     column_plan_show(self->columns, scan.cell, where), QUOTED_SIZE / 1024);
}

cnm_status csv_rows_line(csv_rows *self, char **line, size_t *length, cnm_error *err) {
    do {
        TRY(lines_next(&self->lines, line, length, err));
    } while (*line != NULL && cell_first(self->style, *line, *line + *length) == NULL);
    const bool quoted = *line != NULL && !self->unquoted && memchr(*line, '"', *length) != NULL;
    return quoted ? finish_quotes(self, line, length, err) : CNM_OK;
}

bool csv_rows_are_plain(const column_plan *columns) {
    const size_t others = columns->label != NO_COLUMN;
    bool plain = columns->features + others == columns->count && columns->id == NO_COLUMN;
    for (size_t j = 0; plain && j < columns->count; j++) {
        plain = (j == columns->label || columns->target[j] == j - (columns->label < j)) && column_is_fast(columns, j);
    }
    return plain;
}

_Static_assert((int)LINES_PADDING >= (int)NUMBERS_REACH, "numbers are searched behind the end of a block");

/* Reads lines ahead; returns false when none could be. Where few could, the next lines are read one
 * by one, so many that trying again costs little. */
static bool read_ahead(csv_rows *self) {
    enum { LONGEST_PAUSE = 1024 };
    csv_ahead *ahead = &self->ahead;
    if (ahead->rest > 0) {
        ahead->rest--;
        return false;
    }
    line_reader *lines = &self->lines;
    const char *from = lines->bytes + lines->start;
    number_text text = {from, lines->bytes + lines->end, self->style->separator, SIZE_MAX, ahead->cells};
    ahead->lines = parse_number_lines(&text, self->columns->count);
    ahead->at = 0;
    lines->start += (size_t)(text.at - from);
    const bool few = ahead->lines < NUMBERS_TILE / self->columns->count / 2;
    ahead->pause = !few ? 1 : ahead->pause < LONGEST_PAUSE ? 2 * ahead->pause + 1 : LONGEST_PAUSE;
    ahead->rest = few ? ahead->pause : 0;
    return ahead->lines > 0;
}

/* Takes the next row of those read ahead, in the cells where they are; returns false when the next
 * line is to be read by itself. */
static bool take_ahead(csv_rows *self, dense_row *row) {
    csv_ahead *ahead = &self->ahead;
    if (ahead->at == ahead->lines && !read_ahead(self)) {
        return false;
    }
    const size_t label = self->columns->label;
    row->cells = ahead->cells + ahead->at++ * self->columns->count;
    if (label != NO_COLUMN) {
        row->label_number = row->cells[label];
        row->label_is_number = true;
        if (label < self->columns->features) { /* closes the gap that the label leaves */
            memmove(row->cells + 1, row->cells, label * sizeof *row->cells);
            row->cells++;
        }
    }
    row->full = true;
    self->lines.line += self->lines.joined + 1;
    self->lines.joined = 0;
    row->position = self->lines.line;
    return true;
}

cnm_status csv_rows_next(void *state, dense_row *row, bool *more, cnm_error *err) {
    csv_rows *self = state;
    char *line;
    size_t length;
    if (self->ahead.cells != NULL && take_ahead(self, row)) {
        *more = true;
        return CNM_OK;
    }
    *more = false;
    TRY(csv_rows_line(self, &line, &length, err));
    if (line == NULL) {
        return CNM_OK;
    }
    *more = true;
    row->position = self->lines.line;
    return text_row_read(self->columns, self->style, line, line + length, row, &self->lines, err);
}

/* Returns the bytes of the block that are whole rows: all of them when the last quote is closed, or
 * when an open quote there is an error. */
static size_t whole_rows(const csv_rows *self, const line_block *block) {
    csv_rows rows = {.style = self->style, .lines = line_block_reader(self->lines.source, block)};
    for (;;) {
        char *line;
        size_t length;
        cell_scan scan;
        quote_end end = QUOTES_CLOSED;
        const size_t before = rows.lines.start;
        if (lines_next(&rows.lines, &line, &length, NULL) != CNM_OK || line == NULL) {
            return block->size;
        }
        if (memchr(line, '"', length) != NULL && join_quotes(&rows, &line, &length, &scan, &end, NULL) != CNM_OK) {
            return block->size;
        }
        if (end != QUOTES_CLOSED) {
            return end == QUOTES_OPEN ? before : block->size;
        }
    }
}

bool csv_rows_cut(csv_rows *self, line_block *block) {
    if (block->size == 0 || memchr(block->bytes, '"', block->size) == NULL) {
        return false;
    }
    for (;;) {
        const size_t whole = whole_rows(self, block);
        if (whole == block->size || (block->last && block->status == CNM_OK)) {
            return true; /* at the end of the file an open quote is an error */
        }
        if (block->status != CNM_OK) {
            block->size = whole; /* the rest of the row could not be read */
            return true;
        }
        if (whole > 0) {
            line_block_cut(&self->lines, block, whole);
            return true;
        }
        line_block_extend(&self->lines, block);
    }
}
