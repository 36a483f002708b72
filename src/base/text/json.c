/* Reads strings and unsigned integers of an untrusted JSON text. */
#include "base/text/json.h"

#include <string.h>

#include "base/core/error.h"
#include "base/text/text.h"
#include "base/text/utf8.h"

cnm_status json_fail(const json_cursor *self, const char *expected) {
    return error_set(self->err, CNM_BAD_FORMAT, "%s: not a sound safetensors file: expected %s at byte %zu", self->file,
                     expected, self->offset + (size_t)(self->at - self->begin));
}

static void skip_blanks(json_cursor *self) {
    while (self->at < self->end && *self->at != '\0' && strchr(" \t\r\n", *self->at) != NULL) {
        self->at++;
    }
}

bool json_at_end(json_cursor *self) {
    skip_blanks(self);
    return self->at == self->end;
}

bool json_take(json_cursor *self, char c) {
    skip_blanks(self);
    if (self->at == self->end || *self->at != c) {
        return false;
    }
    self->at++;
    return true;
}

cnm_status json_expect(json_cursor *self, char c, const char *expected) {
    return json_take(self, c) ? CNM_OK : json_fail(self, expected);
}

/* The target of a string's bytes. */
typedef struct string_sink {
    char *out;
    size_t room, length;
} string_sink;

static void put_byte(string_sink *sink, uint32_t byte) {
    if (sink->length < sink->room) {
        sink->out[sink->length] = (char)byte;
    }
    sink->length++;
}

/* The forms of a character of 2, 3 and 4 bytes: the bits that mark the first byte, and the lowest
 * character that needs the form. */
static const struct {
    unsigned char lead;
    uint32_t lowest;
} FORMS[] = {{0xc0, 0x80}, {0xe0, 0x800}, {0xf0, 0x10000}};

enum { FORM_COUNT = sizeof FORMS / sizeof FORMS[0] };

static bool is_surrogate(uint32_t character) { return character >= 0xd800 && character <= 0xdfff; }

static void put_character(string_sink *sink, uint32_t character) {
    int form = FORM_COUNT;
    while (form > 0 && character < FORMS[form - 1].lowest) {
        form--;
    }
    if (form == 0) {
        put_byte(sink, character);
        return;
    }
    put_byte(sink, FORMS[form - 1].lead | character >> 6 * form);
    for (int rest = form - 1; rest >= 0; rest--) {
        put_byte(sink, 0x80 | (character >> 6 * rest & 0x3f));
    }
}

/* Copies one character of two or more bytes; returns false when it is not valid UTF-8. */
static bool copy_character(json_cursor *self, string_sink *sink) {
    const size_t size = utf8_size(self->at, self->end);
    for (size_t i = 0; i < size; i++) {
        put_byte(sink, (unsigned char)*self->at++);
    }
    return size > 0;
}

/* Reads the four hexadecimal digits of \uXXXX. */
static bool take_hex(json_cursor *self, uint32_t *value) {
    static const char HEX[] = "0123456789abcdef0123456789ABCDEF";
    *value = 0;
    if (self->end - self->at < 4) {
        return false;
    }
    for (int i = 0; i < 4; i++, self->at++) {
        const char *digit = *self->at == '\0' ? NULL : strchr(HEX, *self->at);
        if (digit == NULL) {
            return false;
        }
        *value = *value << 4 | ((uint32_t)(digit - HEX) & 15);
    }
    return true;
}

/* Reads what follows "\u": one character, or the two surrogates of a character above ffff. */
static bool take_unicode(json_cursor *self, string_sink *sink) {
    uint32_t character, second;
    if (!take_hex(self, &character) || character == 0) {
        return false;
    }
    if (is_surrogate(character)) {
        if (character >= 0xdc00 || self->end - self->at < 2 || self->at[0] != '\\' || self->at[1] != 'u') {
            return false;
        }
        self->at += 2;
        if (!take_hex(self, &second) || second < 0xdc00 || second > 0xdfff) {
            return false;
        }
        character = 0x10000 + ((character - 0xd800) << 10) + (second - 0xdc00);
    }
    put_character(sink, character);
    return true;
}

/* Reads what follows a backslash. */
static bool take_escape(json_cursor *self, string_sink *sink) {
    static const char LETTERS[] = "\"\\/bfnrt";
    static const char MEANINGS[] = "\"\\/\b\f\n\r\t";
    if (self->at == self->end || *self->at == '\0') {
        return false;
    }
    const char letter = *self->at++;
    const char *known = strchr(LETTERS, letter);
    if (known == NULL) {
        return letter == 'u' && take_unicode(self, sink);
    }
    put_byte(sink, (unsigned char)MEANINGS[known - LETTERS]);
    return true;
}

cnm_status json_string(json_cursor *self, char *out, size_t room, size_t *length) {
    string_sink sink = {out, room, 0};
    if (!json_take(self, '"')) {
        return json_fail(self, "a string");
    }
    while (self->at < self->end) {
        const unsigned char byte = (unsigned char)*self->at;
        bool good = byte >= 0x20;
        if (byte == '"') {
            self->at++;
            *length = sink.length;
            return CNM_OK;
        }
        if (byte == '\\') {
            self->at++;
            good = take_escape(self, &sink);
        } else if (byte >= 0x80) {
            good = copy_character(self, &sink);
        } else if (good) {
            put_byte(&sink, byte);
            self->at++;
        }
        if (!good) {
            return json_fail(self, "a character of a string");
        }
    }
    return json_fail(self, "the end of a string");
}

cnm_status json_count(json_cursor *self, uint64_t *value) {
    skip_blanks(self);
    const char *start = self->at;
    const char *stop = start;
    while (stop < self->end && *stop >= '0' && *stop <= '9') {
        stop++;
    }
    if ((stop - start > 1 && *start == '0') || !text_is_count(start, stop, value)) {
        return json_fail(self, "an integer from 0 to 2^64 - 1");
    }
    self->at = stop;
    return CNM_OK;
}
