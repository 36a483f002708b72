/* Borrowed views of rows: slices and dense copies. */
#include "base/core/rows_view.h"

#include <string.h>

rows_view rows_slice(rows_view self, size_t first, size_t count) {
    if (first > self.rows) {
        first = self.rows;
    }
    self.rows = count < self.rows - first ? count : self.rows - first;
    if (rows_are_sparse(&self)) {
        self.starts += first; /* starts stay absolute, so values and index stay as they are */
    } else {
        self.values += first * self.stride;
    }
    return self;
}

void rows_gather(rows_view self, const size_t *order, size_t count, float *out) {
    for (size_t i = 0; i < count; i++) {
        const size_t row = order == NULL ? i : order[i];
        float *target = out + i * self.columns;
        if (!rows_are_sparse(&self)) {
            memcpy(target, self.values + row * self.stride, self.columns * sizeof *target);
            continue;
        }
        memset(target, 0, self.columns * sizeof *target);
        for (size_t j = self.starts[row]; j < self.starts[row + 1]; j++) {
            target[self.index[j]] = self.values[j];
        }
    }
}

static bool any_nan(const float *values, size_t count) {
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= values[i] != values[i];
    }
    return found;
}

bool rows_have_nan(const rows_view *self) {
    if (rows_are_sparse(self)) {
        const size_t first = self->starts[0];
        return any_nan(self->values + first, self->starts[self->rows] - first);
    }
    for (size_t i = 0; i < self->rows; i++) {
        if (any_nan(self->values + i * self->stride, self->columns)) {
            return true;
        }
    }
    return false;
}
