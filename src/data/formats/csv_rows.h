/* Rows of separated values, one after the other, from any reader of lines. Only the files of this
 * module use it. */
#ifndef CNM_DATA_FORMATS_CSV_ROWS_H
#define CNM_DATA_FORMATS_CSV_ROWS_H

#include "data/read/dense_rows.h"
#include "data/read/line_blocks.h"
#include "data/read/text_cells.h"

/* Lines of numbers alone, many of which are read at once. */
typedef struct csv_ahead {
    double *cells;      /* (NUMBERS_ROOM), borrowed: (lines, columns); NULL: every line by itself */
    size_t lines, at;   /* rows in cells, and how many of them were taken */
    size_t pause, rest; /* lines to read one by one after other text, and how many are left */
} csv_ahead;

typedef struct csv_rows {
    const cell_style *style;
    const column_plan *columns; /* only for messages until rows are read */
    line_reader lines;
    bool unquoted; /* lines were searched, and none has a quote */
    csv_ahead ahead;
} csv_rows;

/* Reads the next line that is not blank, joined with the lines over which its quoted cells extend;
 * *line = NULL at the end. */
cnm_status csv_rows_line(csv_rows *self, char **line, size_t *length, cnm_error *err);

/* Reads the next row: the dense_next of a csv_rows. */
cnm_status csv_rows_next(void *state, dense_row *row, bool *more, cnm_error *err);

/* Returns whether lines of these columns may be read ahead: all are plain numbers, and features but
 * for the label. */
bool csv_rows_are_plain(const column_plan *columns);

/* Cuts a block of lines, read from self->lines, at the end of a row: no quoted cell goes on behind
 * the end, unless that is an error. Returns false where the block has no quote. */
bool csv_rows_cut(csv_rows *self, line_block *block);

#endif
