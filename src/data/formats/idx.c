/* The header of IDX files (MNIST's): bytes 0 and 1 are 0, byte 2 the element type, byte 3 the
 * number of dimensions, then that many 32-bit sizes; everything is big-endian. */
#include "base/core/error.h"
#include "base/core/memory.h"
#include "data/formats/array_values.h"

static const struct {
    unsigned code;
    char kind;
    size_t size;
} TYPES[] = {{0x08, 'u', 1}, {0x09, 'i', 1}, {0x0B, 'i', 2}, {0x0C, 'i', 4}, {0x0D, 'f', 4}, {0x0E, 'f', 8}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

/* Returns the index in TYPES, or TYPE_COUNT. */
static size_t find_type(unsigned code) {
    size_t i = 0;
    while (i < TYPE_COUNT && TYPES[i].code != code) {
        i++;
    }
    return i;
}

int idx_recognise(const unsigned char *bytes, size_t size, const char *path) {
    (void)path;
    return size >= 8 && bytes[0] == 0 && bytes[1] == 0 && find_type(bytes[2]) < TYPE_COUNT && bytes[3] > 0 ? 99 : 0;
}

cnm_status idx_layout(array_layout *out, const unsigned char *bytes, size_t size, const char *file, cnm_error *err) {
    *out = (array_layout){.big_endian = true, .rows = 0, .columns = 1};
    if (size < 4 || bytes[0] != 0 || bytes[1] != 0) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the file does not start as idx does, expected two zero bytes", file);
    }
    const size_t type = find_type(bytes[2]);
    if (type == TYPE_COUNT) {
        return error_set(err, CNM_UNSUPPORTED, "%s: found idx type 0x%02X, expected 08, 09, 0B, 0C, 0D or 0E", file,
                         (unsigned)bytes[2]);
    }
    out->kind = TYPES[type].kind;
    out->size = TYPES[type].size;
    out->dimensions = bytes[3];
    out->offset = 4 + 4 * out->dimensions;
    if (out->dimensions == 0 || size < out->offset) {
        return error_set(err, CNM_BAD_FORMAT,
                         "%s: found %zu bytes and %zu dimensions, expected an idx header of %zu bytes", file, size,
                         out->dimensions, out->offset);
    }
    for (size_t i = 0; i < out->dimensions; i++) {
        const unsigned char *at = bytes + 4 + 4 * i;
        const size_t length = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
        if (i == 0) {
            out->rows = length;
        } else if (!size_multiply(out->columns, length, &out->columns)) {
            return error_set(err, CNM_BAD_FORMAT, "%s: the product of the %zu dimensions is too large", file,
                             out->dimensions);
        }
    }
    return CNM_OK;
}
