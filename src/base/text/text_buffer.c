/* Grows a text. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"

cnm_status text_add(text_buffer *self, const char *bytes, size_t length, cnm_error *err) {
    if (length > SIZE_MAX - 1 - self->length) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: a text of %zu and %zu bytes", self->length, length);
    }
    TRY(memory_grow(&self->bytes, &self->capacity, self->length + length + 1, 1, "a text", err));
    if (length > 0) {
        memcpy(self->bytes + self->length, bytes, length);
    }
    self->length += length;
    self->bytes[self->length] = '\0';
    return CNM_OK;
}

cnm_status text_add_string(text_buffer *self, const char *string, cnm_error *err) {
    return text_add(self, string, strlen(string), err);
}

cnm_status text_add_count(text_buffer *self, uint64_t value, cnm_error *err) {
    char digits[20];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return text_add(self, digits + first, sizeof digits - first, err);
}

/* Returns the escape of one byte, NULL for a byte that needs none. */
static const char *json_escape(unsigned char byte, char out[7]) {
    static const char HEX[] = "0123456789abcdef";
    static const struct {
        char byte, letter;
    } SHORT[] = {{'"', '"'}, {'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\b', 'b'}, {'\f', 'f'}};
    for (size_t i = 0; i < sizeof SHORT / sizeof SHORT[0]; i++) {
        if (byte == (unsigned char)SHORT[i].byte) {
            out[0] = '\\';
            out[1] = SHORT[i].letter;
            out[2] = '\0';
            return out;
        }
    }
    if (byte >= 0x20 && byte != 0x7f) {
        return NULL;
    }
    memcpy(out, "\\u00", 4);
    out[4] = HEX[byte >> 4];
    out[5] = HEX[byte & 15];
    out[6] = '\0';
    return out;
}

cnm_status text_add_json(text_buffer *self, const char *string, cnm_error *err) {
    const char *plain = string; /* start of the bytes not yet added */
    TRY(text_add(self, "\"", 1, err));
    for (const char *at = string; *at != '\0'; at++) {
        char escape[7];
        if (json_escape((unsigned char)*at, escape) != NULL) {
            TRY(text_add(self, plain, (size_t)(at - plain), err));
            TRY(text_add_string(self, escape, err));
            plain = at + 1;
        }
    }
    TRY(text_add_string(self, plain, err));
    return text_add(self, "\"", 1, err);
}

void text_free(text_buffer *self) {
    memory_free(self->bytes);
    *self = (text_buffer){NULL, 0, 0};
}
