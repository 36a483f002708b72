/* Reads one line of separated values into a dense row: shared by csv and arff. Only the files of
 * this module use it. */
#ifndef CNM_DATA_READ_TEXT_ROW_H
#define CNM_DATA_READ_TEXT_ROW_H

#include "data/read/dense_rows.h"
#include "data/read/lines.h"
#include "data/read/text_cells.h"

/* Fills row from [line, end); the label stays valid until the line is replaced. Errors give the
 * line number. */
cnm_status text_row_read(const column_plan *columns, const cell_style *style, char *line, char *end, dense_row *row,
                         const line_reader *lines, cnm_error *err);

/* Reads one cell into the row, by the role of its column. */
cnm_status text_row_cell(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                         const line_reader *lines, cnm_error *err);

#endif
