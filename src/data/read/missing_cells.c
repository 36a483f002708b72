/* Missing cells where none are allowed: counted to the end of the file, so that one message covers
 * all. */
#include <math.h>

#include "base/core/error.h"
#include "data/read/dense_rows.h"

void missing_cells_note(missing_cells *self, const dense_row *row, size_t features) {
    const size_t before = self->cells;
    for (size_t j = 0; j < features; j++) {
        if (isnan(row->cells[j])) {
            self->column = self->cells == 0 ? j : self->column;
            self->cells++;
        }
    }
    self->position = before == 0 ? row->position : self->position;
    self->rows += self->cells > before;
}

void missing_cells_add(missing_cells *self, const missing_cells *behind) {
    if (self->rows == 0) {
        *self = *behind;
        return;
    }
    self->cells += behind->cells;
    self->rows += behind->rows;
}

cnm_status missing_cells_count(const dense_rows *self, void *state, const dense_row *scratch, missing_cells *missing,
                               cnm_error *err) {
    for (;;) {
        dense_row row = {.cells = scratch->cells, .types = scratch->types, .weight = 1};
        bool more = true;
        const cnm_status status = self->next(state, &row, &more, err);
        if (status != CNM_OK || !more) {
            return status;
        }
        missing_cells_note(missing, &row, self->columns->features);
    }
}

cnm_status missing_cells_error(const dense_rows *self, const missing_cells *missing, cnm_error *err) {
    char shown[COLUMN_SHOWN_SIZE];
    (void)error_set(err, CNM_BAD_DATA,
                    "found a missing value in %s, expected a number; the file has %zu missing value%s in %zu row%s, "
                    "which --missing mean would fill",
                    column_plan_show(self->columns, column_plan_source(self->columns, missing->column), shown),
                    missing->cells, missing->cells == 1 ? "" : "s", missing->rows, missing->rows == 1 ? "" : "s");
    return dense_rows_position(self, missing->position, CNM_BAD_DATA, err);
}
