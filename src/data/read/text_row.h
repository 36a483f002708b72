/* One line of separated values into a dense row: shared by csv and arff. Only the files of this room use it. */
#ifndef CNM_DATA_READ_TEXT_ROW_H
#define CNM_DATA_READ_TEXT_ROW_H

#include "data/read/text_cells.h"
#include "data/read/dense_rows.h"
#include "data/read/lines.h"

/* Fills row from [line, end); the label stays valid until the line is replaced. Errors name the line. */
cnm_status text_row_read(const column_plan *columns, const cell_style *style, char *line, char *end, dense_row *row,
                         const line_reader *lines, cnm_error *err);

/* One cell into the row: what its column is decides. */
cnm_status text_row_cell(const column_plan *columns, size_t column, const cell *found, dense_row *row,
                         const line_reader *lines, cnm_error *err);

#endif
