/* Frees plans of columns and names columns in messages. */
#include "data/read/column_plan.h"

#include <stdio.h>
#include <string.h>

#include "base/core/memory.h"
#include "data/read/lines.h"

void column_plan_free(column_plan *self) {
    for (size_t j = 0; self->names != NULL && j < self->features; j++) {
        memory_free(self->names[j]);
    }
    for (size_t j = 0; self->found != NULL && j < self->count; j++) {
        memory_free(self->found[j]);
    }
    memory_free(self->cells);
    memory_free(self->types);
    memory_free(self->dropped);
    memory_free(self->listed);
    memory_free(self->names);
    memory_free(self->found);
    memory_free(self->target);
    memory_free(self->until);
    memory_free(self->absent);
    memory_free(self->label_column);
    *self = (column_plan){0};
}

const char *column_plan_show(const column_plan *self, size_t column, char out[COLUMN_SHOWN_SIZE]) {
    char shown[SHOWN_SIZE];
    if (self->found != NULL && column < self->count) {
        const char *name = self->found[column];
        (void)snprintf(out, COLUMN_SHOWN_SIZE, "column %zu (%s)", column + 1, show(shown, name, strlen(name)));
    } else {
        (void)snprintf(out, COLUMN_SHOWN_SIZE, "column %zu", column + 1);
    }
    return out;
}

size_t column_plan_source(const column_plan *self, size_t feature) {
    size_t column = 0;
    while (column + 1 < self->count && self->target[column] != feature) {
        column++;
    }
    return column;
}
