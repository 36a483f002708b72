/* Rows of numbers stored as an array of one element type, some rows at a time. */
#include "data/formats/array_values.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

/* CHUNK: bytes of rows read at once; STRIP: the same where the columns are stored one by one. */
enum { FIRST_BYTES = 1 << 16, CHUNK = 1 << 18, STRIP = 1 << 20 };

bool array_is_exact(const array_layout *layout) { return layout->size <= (layout->kind == 'f' ? 4u : 2u); }

/* Returns one element as double; rounds 64-bit integers. */
static double element(const array_layout *layout, const unsigned char *bytes) {
    uint64_t bits = 0;
    const size_t size = layout->size;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[layout->big_endian ? i : size - 1 - i];
    }
    if (layout->kind == 'f' && size == 4) {
        const uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    if (layout->kind == 'f') {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (layout->kind == 'u') {
        return (double)bits;
    }
    /* Two's complement. */
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return bits & sign ? -(double)(~(bits | ~(sign * 2 - 1)) + 1) : (double)bits;
}

static cnm_status truncated(const array_values *self, size_t found, cnm_error *err) {
    const array_layout *layout = &self->layout;
    return error_set(err, CNM_BAD_FORMAT,
                     "%s: found %zu bytes of values, expected more: %zu rows of %zu columns of %zu byte%s each",
                     byte_source_name(self->source), found, layout->rows, layout->columns, layout->size,
                     layout->size == 1 ? "" : "s");
}

/* Reads `wanted` bytes into buffer, which grows as they arrive. */
static cnm_status read_bytes(array_values *self, size_t wanted, size_t before, cnm_error *err) {
    size_t held = 0;
    while (held < wanted) {
        const size_t next = held < FIRST_BYTES ? FIRST_BYTES : held > wanted / 2 ? wanted : held * 2;
        const size_t goal = next < wanted ? next : wanted;
        TRY(memory_grow(&self->buffer, &self->capacity, goal, 1, "an array", err));
        while (held < goal) {
            size_t got = 0;
            TRY(byte_source_read(self->source, self->buffer + held, goal - held, &got, err));
            if (got == 0) {
                return truncated(self, before + held, err);
            }
            held += got;
        }
    }
    return CNM_OK;
}

/* Skips the header of a stream; it was peeked, so it is there. */
static cnm_status skip_header(array_values *self, cnm_error *err) {
    unsigned char unused[256];
    size_t left = self->layout.offset;
    while (left > 0) {
        size_t got = 0;
        TRY(byte_source_read(self->source, unused, left < sizeof unused ? left : sizeof unused, &got, err));
        if (got == 0) {
            return CNM_OK;
        }
        left -= got;
    }
    return CNM_OK;
}

/* Reads the first values. total: bytes of all values; row: of one row. */
static cnm_status open_values(array_values *self, size_t total, size_t row, cnm_error *err) {
    const array_layout *layout = &self->layout;
    size_t size;
    self->plain = byte_source_is_plain(self->source, &size);
    if (self->plain && (size < layout->offset || size - layout->offset < total)) {
        return truncated(self, size < layout->offset ? 0 : size - layout->offset, err);
    }
    if (self->plain && layout->fortran) {
        return CNM_OK;
    }
    TRY(skip_header(self, err));
    TRY(read_bytes(self, layout->fortran ? total : row, 0, err));
    self->held = layout->fortran ? layout->rows : 1;
    return CNM_OK;
}

cnm_status array_values_open(array_values *out, byte_source *input, const array_layout *layout, cnm_error *err) {
    size_t row, total;
    *out = (array_values){.source = input, .layout = *layout};
    if (layout->rows == 0) {
        return error_set(err, CNM_BAD_DATA, "%s: found no rows, expected at least one", byte_source_name(input));
    }
    if (layout->columns == 0) {
        return error_set(err, CNM_BAD_DATA, "%s: found no columns, expected at least one", byte_source_name(input));
    }
    if (!size_multiply(layout->columns, layout->size, &row) || !size_multiply(layout->rows, row, &total) ||
        total > SIZE_MAX - layout->offset) {
        return error_set(err, CNM_BAD_FORMAT,
                         "%s: found %zu rows of %zu columns, expected sizes that a computer can hold",
                         byte_source_name(input), layout->rows, layout->columns);
    }
    const cnm_status status = open_values(out, total, row, err);
    if (status != CNM_OK) {
        array_values_free(out);
    }
    return status;
}

void array_values_free(array_values *self) {
    memory_free(self->buffer);
    *self = (array_values){0};
}

/* Fills buffer (columns, held) with the next rows of a plain file in Fortran order, each column
 * from its own offset. */
static cnm_status read_strip(array_values *self, cnm_error *err) {
    const array_layout *layout = &self->layout;
    const size_t piece = self->held * layout->size;
    TRY(memory_grow(&self->buffer, &self->capacity, layout->columns * piece, 1, "an array", err));
    for (size_t j = 0; j < layout->columns; j++) {
        const size_t before = (j * layout->rows + self->row) * layout->size;
        unsigned char *column = self->buffer + j * piece;
        for (size_t at = 0; at < piece;) {
            size_t got = 0;
            TRY(byte_source_read_at(self->source, layout->offset + before + at, column + at, piece - at, &got, err));
            if (got == 0) {
                return truncated(self, before + at, err);
            }
            at += got;
        }
    }
    return CNM_OK;
}

/* Reads some more rows into buffer. */
static cnm_status read_rows(array_values *self, size_t row_bytes, cnm_error *err) {
    const size_t most = self->layout.fortran ? STRIP : CHUNK;
    const size_t left = self->layout.rows - self->row, fitting = row_bytes < most ? most / row_bytes : 1;
    self->held = left < fitting ? left : fitting;
    self->held_at = 0;
    return self->layout.fortran ? read_strip(self, err)
                                : read_bytes(self, self->held * row_bytes, self->row * row_bytes, err);
}

cnm_status array_values_next(array_values *self, double *out, bool *more, cnm_error *err) {
    const array_layout *layout = &self->layout;
    const size_t row_bytes = layout->columns * layout->size;
    *more = self->row < layout->rows;
    if (!*more) {
        return CNM_OK;
    }
    if (self->held_at == self->held) {
        TRY(read_rows(self, row_bytes, err));
    }
    const unsigned char *from = self->buffer + self->held_at * (layout->fortran ? layout->size : row_bytes);
    const size_t step = layout->fortran ? self->held * layout->size : layout->size;
    for (size_t j = 0; j < layout->columns; j++) {
        out[j] = element(layout, from + j * step);
    }
    self->held_at++;
    self->row++;
    return CNM_OK;
}
