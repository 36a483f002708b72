/* Writes protocol buffers. A field is a key, number * 8 + kind, and a value: kind 0 a varint, kind
 * 2 a length and bytes. */
#include "model/export/onnx/protobuf_writer.h"

#include <string.h>

#include "base/core/memory.h"

enum { KIND_VARINT = 0, KIND_BYTES = 2, RUN = 64 };

void protobuf_free(protobuf_writer *self) { text_free(&self->bytes); }

static void add(protobuf_writer *self, const void *bytes, size_t size) {
    (void)PROTOBUF_TRY(self, text_add(&self->bytes, bytes, size, self->err));
}

/* Adds seven bits a byte, the lowest first; the eighth is set where more follow. */
static void add_varint(protobuf_writer *self, uint64_t value) {
    unsigned char bytes[10];
    size_t size = 0;
    do {
        bytes[size++] = (unsigned char)((value & 127) | (value > 127 ? 128U : 0U));
        value >>= 7;
    } while (value > 0);
    add(self, bytes, size);
}

static void add_key(protobuf_writer *self, unsigned field, unsigned kind) {
    add_varint(self, (uint64_t)field << 3 | kind);
}

void protobuf_add_number(protobuf_writer *self, unsigned field, int64_t value) {
    add_key(self, field, KIND_VARINT);
    add_varint(self, (uint64_t)value);
}

static void add_length(protobuf_writer *self, unsigned field, size_t size) {
    add_key(self, field, KIND_BYTES);
    add_varint(self, size);
}

void protobuf_add_bytes(protobuf_writer *self, unsigned field, const void *bytes, size_t size) {
    add_length(self, field, size);
    add(self, bytes, size);
}

void protobuf_add_text(protobuf_writer *self, unsigned field, const char *text) {
    protobuf_add_bytes(self, field, text, strlen(text));
}

/* Adds numbers of `size` bytes, at most 8, lowest byte first, whatever the order of this
 * machine. */
static void add_numbers(protobuf_writer *self, unsigned field, const void *values, size_t count, size_t size) {
    const unsigned char *from = values;
    add_length(self, field, count * size);
    for (size_t first = 0; first < count; first += RUN) {
        unsigned char bytes[RUN * 8], *to = bytes;
        const size_t end = count - first < RUN ? count : first + RUN;
        for (size_t i = first; i < end; i++) {
            uint64_t wide = 0;
            uint32_t narrow = 0;
            memcpy(size == 4 ? (void *)&narrow : (void *)&wide, from + i * size, size);
            wide = size == 4 ? narrow : wide;
            for (size_t byte = 0; byte < size; byte++) {
                *to++ = (unsigned char)(wide >> (8 * byte) & 255);
            }
        }
        add(self, bytes, (size_t)(to - bytes));
    }
}

void protobuf_add_floats(protobuf_writer *self, unsigned field, const float *values, size_t count) {
    add_numbers(self, field, values, count, sizeof *values);
}

void protobuf_add_doubles(protobuf_writer *self, unsigned field, const double *values, size_t count) {
    add_numbers(self, field, values, count, sizeof *values);
}

void protobuf_add_integers(protobuf_writer *self, unsigned field, const int64_t *values, size_t count) {
    add_numbers(self, field, values, count, sizeof *values);
}

void protobuf_add_inner(protobuf_writer *self, unsigned field, protobuf_writer *inner) {
    (void)PROTOBUF_TRY(self, inner->status);
    protobuf_add_bytes(self, field, inner->bytes.bytes, inner->bytes.length);
    protobuf_free(inner);
}
