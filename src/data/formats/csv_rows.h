/* Rows of separated values, one after the other, from any reader of lines. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_CSV_ROWS_H
#define CNM_DATA_FORMATS_CSV_ROWS_H

#include "data/read/text_cells.h"
#include "data/read/dense_rows.h"
#include "data/read/lines.h"

/* Lines of numbers alone, read many at once. */
typedef struct csv_ahead {
    double *cells;      /* (NUMBERS_ROOM), borrowed: (lines, columns); NULL where every line is read by itself */
    size_t lines, at;   /* rows there, and how many of them were taken */
    size_t pause, rest; /* lines to be read one by one after others were found, and how many of these are left */
} csv_ahead;

typedef struct csv_rows {
    const cell_style *style;
    const column_plan *columns; /* for messages until rows are read */
    line_reader lines;
    bool unquoted; /* no line has a quote: it was looked for */
    csv_ahead ahead;
} csv_rows;

/* The next line that is not blank, and with it those over which its quoted cells go; *line = NULL at the end. */
cnm_status csv_rows_line(csv_rows *self, char **line, size_t *length, cnm_error *err);

/* dense_next for a csv_rows. */
cnm_status csv_rows_next(void *state, dense_row *row, bool *more, cnm_error *err);

/* Whether lines of these columns may be read ahead: all are features, but for the label. */
bool csv_rows_are_plain(const column_plan *columns);

/* Cuts a block of lines, read from self->lines, at the end of a row: no quoted cell goes on behind it, unless that is an error.
 * False where there is no quote in it. */
bool csv_rows_cut(csv_rows *self, text_block *block);

#endif
