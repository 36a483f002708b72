/* Rows of separated values of one block of lines. A failure is kept with the rows before it: it
 * counts once all blocks before this one are taken. */
#include "data/formats/csv_block.h"

#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/table_types.h"
#include "math/parse/parse_numbers.h"

static cnm_status begin_rows(csv_block *self, const dense_rows *dense, cnm_error *err) {
    label_column *labels = &self->rows.labels;
    if (labels->words.texts != NULL) {
        labels_free(labels);
    }
    labels->rows = 0;
    self->rows.rows = self->rows.missing = self->rows.ids.rows = 0;
    types_free(self->rows.types, self->rows.columns);
    dense_rows_shape(dense, &self->rows);
    TRY(types_copy(&self->rows.types, dense->columns->types, dense->columns->features, false, err));
    if (self->cells == NULL) {
        TRY(memory_take(&self->cells, dense->columns->features, sizeof *self->cells, "columns", err));
    }
    if (self->ahead == NULL) {
        TRY(memory_take(&self->ahead, (size_t)NUMBERS_ROOM, sizeof *self->ahead, "columns", err));
    }
    return CNM_OK;
}

void csv_block_read(csv_block *self, const csv_rows *like, const dense_rows *dense) {
    line_block *text = &self->text;
    self->missing = (missing_cells){0};
    self->ends_missing = false;
    self->check = begin_rows(self, dense, &self->check_err);
    if (self->check != CNM_OK || text->size == 0) {
        return;
    }
    csv_rows rows = {.style = like->style,
                     .columns = like->columns,
                     .lines = line_block_reader(like->lines.source, text),
                     .unquoted = !self->quoted,
                     .ahead = {.cells = csv_rows_are_plain(like->columns) ? self->ahead : NULL}};
    dense_end end = {0};
    cnm_status status = dense_rows_read(dense, &rows, self->cells, SIZE_MAX, &self->rows, &end, &self->check_err);
    self->missing = end.missing;
    self->ends_missing = end.missing.rows > 0;
    if (status != CNM_OK && !end.broken) {
        self->check = status;
        const dense_row scratch = {.cells = self->cells, .types = self->rows.types};
        cnm_error err = {0}; /* missing cells count even here where an earlier block has some */
        status = dense->options->missing == MISSING_ERROR
                     ? missing_cells_count(dense, &rows, &scratch, &self->missing, &err)
                     : CNM_OK;
        if (status != CNM_OK) {
            text->status = status;
            text->err = err;
        }
    } else if (status != CNM_OK) {
        text->status = status;
        text->err = self->check_err;
    }
}

void csv_block_free(csv_block *self) {
    memory_free(self->text.bytes);
    memory_free(self->rows.values);
    memory_free(self->rows.weights);
    memory_free(self->rows.groups);
    labels_free(&self->rows.labels);
    texts_free(&self->rows.ids);
    types_free(self->rows.types, self->rows.columns);
    memory_free(self->cells);
    memory_free(self->ahead);
    *self = (csv_block){0};
}
