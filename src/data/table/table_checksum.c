/* A checksum by which rows are recognised. */
#include <string.h>

#include "base/core/checksum.h"
#include "data/table/table.h"

static uint64_t add_array(uint64_t sum, const void *values, size_t count, size_t size) {
    return values == NULL ? sum : checksum_update(sum, values, count * size);
}

static uint64_t add_words(uint64_t sum, const dictionary *words) {
    for (size_t i = 0; i < words->count; i++) {
        sum = checksum_update(sum, words->texts[i], strlen(words->texts[i]) + 1);
    }
    return sum;
}

static uint64_t add_labels(uint64_t sum, const label_column *labels) {
    if (labels->words.texts == NULL) {
        return add_array(sum, labels->numbers, labels->rows, sizeof *labels->numbers);
    }
    return add_array(add_words(sum, &labels->words), labels->codes, labels->rows, sizeof *labels->codes);
}

/* Adds the kinds of columns, and their words. Plain numbers add nothing. */
static uint64_t add_types(uint64_t sum, const table *self) {
    for (size_t j = 0; self->types != NULL && j < self->columns; j++) {
        const uint64_t kept = self->types[j].categories ? 256 : 0;
        const uint64_t kind[] = {j, self->types[j].kind + kept, self->types[j].words.count};
        if (self->types[j].kind != COLUMN_NUMBER) {
            sum = add_words(checksum_update(sum, kind, sizeof kind), &self->types[j].words);
        }
    }
    return sum;
}

/* Adds the lengths of sparse rows, not their starts, which need not begin at 0. */
static uint64_t add_sparse(uint64_t sum, const rows_view *rows) {
    const size_t first = rows->starts[0], cells = rows->starts[rows->rows] - first;
    for (size_t i = 0; i < rows->rows; i++) {
        sum = sum * UINT64_C(0x9e3779b97f4a7c15) + (rows->starts[i + 1] - rows->starts[i]);
    }
    if (cells > 0) {
        sum = add_array(sum, rows->values + first, cells, sizeof *rows->values);
        sum = add_array(sum, rows->index + first, cells, sizeof *rows->index);
    }
    return sum;
}

static uint64_t add_dense(uint64_t sum, const rows_view *rows) {
    const bool whole = rows->stride == rows->columns;
    const size_t pieces = whole ? rows->rows > 0 : rows->rows,
                 length = whole ? rows->rows * rows->columns : rows->columns;
    for (size_t i = 0; i < pieces; i++) {
        sum = add_array(sum, rows->values + i * rows->stride, length, sizeof *rows->values);
    }
    return add_array(sum, rows->base, rows->columns, sizeof *rows->base);
}

uint64_t table_checksum(const table *self) {
    const rows_view rows = table_view(self);
    const uint64_t shape[] = {self->rows, self->columns, rows_are_sparse(&rows)};
    uint64_t sum = checksum_update(0, shape, sizeof shape);
    sum = rows_are_sparse(&rows) ? add_sparse(sum, &rows) : add_dense(sum, &rows);
    sum = add_types(sum, self);
    sum = self->labelled ? add_labels(sum, &self->labels) : sum;
    sum = add_array(sum, self->weights, self->rows, sizeof *self->weights);
    return add_array(sum, self->groups, self->rows, sizeof *self->groups);
}
