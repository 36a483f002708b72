/* Appends some rows of a table to another, and reserves memory for them. */
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/table/table.h"

static size_t count_nan(const float *values, size_t count) {
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        missing += values[i] != values[i];
    }
    return missing;
}

cnm_status table_append_rows(table *self, const table *other, size_t first, size_t count, cnm_error *err) {
    table part = *other;
    part.rows = count;
    part.labelled = self->labelled = false; /* labels and ids follow below */
    part.identified = self->identified = false;
    part.weights = other->weights != NULL ? other->weights + first : NULL;
    part.groups = other->groups != NULL ? other->groups + first : NULL;
    if (other->starts != NULL) {
        part.starts += first;
    } else {
        part.values += first * other->columns;
        part.missing = other->missing > 0 ? count_nan(part.values, count * other->columns) : 0;
    }
    const cnm_status status = table_append(self, &part, err);
    self->labelled = other->labelled;
    self->identified = other->identified;
    TRY(status);
    TRY(other->identified ? texts_append(&self->ids, &other->ids, first, count, err) : CNM_OK);
    return other->labelled ? labels_append_rows(&self->labels, &other->labels, first, count, err) : CNM_OK;
}

void table_reserve(table *self, size_t rows, size_t cells) {
    (void)memory_grow(&self->values, &self->cell_capacity, cells, sizeof *self->values, "rows", NULL);
    if (self->starts != NULL) {
        (void)memory_grow(&self->index, &self->index_capacity, cells, sizeof *self->index, "rows", NULL);
        (void)memory_grow(&self->starts, &self->start_capacity, rows + 1, sizeof *self->starts, "rows", NULL);
    }
}
