/* Texts of rows in one run of bytes. */
#include "data/table/text_column.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

cnm_status texts_add(text_column *self, const char *text, size_t length, cnm_error *err) {
    const size_t held = self->rows > 0 ? self->ends[self->rows - 1] : 0;
    TRY(memory_grow(&self->bytes, &self->byte_capacity, held + length, 1, "texts of rows", err));
    TRY(memory_grow(&self->ends, &self->end_capacity, self->rows + 1, sizeof *self->ends, "texts of rows", err));
    if (length > 0) {
        memcpy(self->bytes + held, text, length);
    }
    self->ends[self->rows++] = held + length;
    return CNM_OK;
}

cnm_status texts_append(text_column *self, const text_column *other, size_t first, size_t count, cnm_error *err) {
    for (size_t i = first; i < first + count; i++) {
        size_t length;
        const char *text = texts_at(other, i, &length);
        TRY(texts_add(self, text, length, err));
    }
    return CNM_OK;
}

const char *texts_at(const text_column *self, size_t row, size_t *length) {
    const size_t from = row > 0 ? self->ends[row - 1] : 0;
    *length = self->ends[row] - from;
    return self->bytes != NULL ? self->bytes + from : ""; /* all texts are empty */
}

void texts_free(text_column *self) {
    memory_free(self->bytes);
    memory_free(self->ends);
    *self = (text_column){0};
}
