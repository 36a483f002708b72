/* Rows of separated values of one block of lines. Whatever fails is kept with the rows before it: it counts once all blocks before
 * this one are through. */
#include "data/formats/csv_block.h"

#include "base/core/memory.h"
#include "math/parse/parse_numbers.h"

static cnm_status begin_rows(csv_block *self, const dense_reader *dense, cnm_error *err) {
    label_column *labels = &self->rows.labels;
    if (labels->words != NULL) {
        labels_free(labels);
    }
    labels->rows = 0;
    self->rows.rows = self->rows.missing = 0;
    dense_shape(dense, &self->rows);
    cnm_status status = CNM_OK;
    if (self->cells == NULL) {
        status = memory_take(&self->cells, dense->columns->features, sizeof *self->cells, "columns", err);
    }
    if (status == CNM_OK && self->ahead == NULL) {
        status = memory_take(&self->ahead, (size_t)NUMBERS_ROOM, sizeof *self->ahead, "columns", err);
    }
    return status;
}

void csv_block_read(csv_block *self, const csv_rows *like, const dense_reader *dense) {
    text_block *text = &self->text;
    self->gaps = (dense_gaps){0};
    self->gapped = false;
    self->check = begin_rows(self, dense, &self->check_err);
    if (self->check != CNM_OK || text->size == 0) {
        return;
    }
    csv_rows rows = {.style = like->style,
                     .columns = like->columns,
                     .lines = lines_of_block(like->lines.source, text),
                     .unquoted = !self->quoted,
                     .ahead = {.cells = csv_rows_are_plain(like->columns) ? self->ahead : NULL}};
    dense_end end = {0};
    cnm_status status = dense_read(dense, &rows, self->cells, SIZE_MAX, &self->rows, &end, &self->check_err);
    self->gaps = end.gaps;
    self->gapped = end.gaps.rows > 0;
    if (status != CNM_OK && !end.broken) {
        self->check = status;
        cnm_error err = {0}; /* missing cells of blocks before this one make those behind count */
        status = dense->options->missing == MISSING_ERROR ? dense_count(dense, &rows, self->cells, &self->gaps, &err)
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
    memory_free(self->cells);
    memory_free(self->ahead);
    *self = (csv_block){0};
}
