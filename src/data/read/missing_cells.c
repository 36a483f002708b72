/* Missing cells where none may be: counted to the end of the file, so that one sentence tells of all. */
#include <math.h>

#include "base/core/error.h"
#include "data/read/dense_rows.h"

void dense_note_gaps(dense_gaps *self, const dense_row *row, size_t features) {
    const size_t before = self->cells;
    for (size_t j = 0; j < features; j++) {
        if (isnan(row->cells[j])) {
            self->column = self->cells == 0 ? j : self->column;
            self->cells++;
        }
    }
    self->place = before == 0 ? row->place : self->place;
    self->rows += self->cells > before;
}

void dense_add_gaps(dense_gaps *self, const dense_gaps *behind) {
    if (self->rows == 0) {
        *self = *behind;
        return;
    }
    self->cells += behind->cells;
    self->rows += behind->rows;
}

cnm_status dense_count(const dense_reader *self, void *state, double *cells, dense_gaps *gaps, cnm_error *err) {
    for (;;) {
        dense_row row = {.cells = cells, .weight = 1};
        bool more = true;
        const cnm_status status = self->next(state, &row, &more, err);
        if (status != CNM_OK || !more) {
            return status;
        }
        dense_note_gaps(gaps, &row, self->columns->features);
    }
}

cnm_status dense_gaps_error(const dense_reader *self, const dense_gaps *gaps, cnm_error *err) {
    char shown[COLUMN_SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_DATA,
                    "found a missing value in %s, expected a number; the file has %zu missing value%s in %zu row%s, "
                    "which --missing mean would fill",
                    columns_show(self->columns, columns_source(self->columns, gaps->column), shown), gaps->cells,
                    gaps->cells == 1 ? "" : "s", gaps->rows, gaps->rows == 1 ? "" : "s");
    return dense_place(self, gaps->place, CNM_BAD_DATA, err);
}
