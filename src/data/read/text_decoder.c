/* Converts blocks of stored bytes. Text that is UTF-8, or may be so far, is not copied: it goes
 * right into the caller's buffer. */
#include "data/read/text_decoder.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/utf8.h"

enum { BLOCK = 1 << 16, LONGEST = 4 }; /* LONGEST: bytes of a character */

struct text_decoder {
    _Atomic int encoding;
    stored_read read;
    void *from;
    const char *name;
    unsigned char *input; /* stored bytes that are not decoded: input[at .. held) */
    size_t input_capacity, at, held;
    unsigned char *output; /* decoded bytes that were not given: output[given .. filled) */
    size_t output_capacity, given, filled;
    size_t lines; /* newlines that were decoded */
    bool ended;   /* all stored bytes are in input */
    cnm_status failed;
    cnm_error failure;
};

void text_decoder_destroy(text_decoder *self) {
    if (self != NULL) {
        memory_free(self->input);
        memory_free(self->output);
        memory_free(self);
    }
}

static cnm_status hold(text_decoder *self, const unsigned char *bytes, size_t size, cnm_error *err) {
    const size_t rest = self->held - self->at;
    TRY(memory_grow(&self->input, &self->input_capacity, size + rest + BLOCK, 1, "text", err));
    memmove(self->input + size, self->input + self->at, rest);
    memcpy(self->input, bytes, size);
    self->at = 0;
    self->held = size + rest;
    return CNM_OK;
}

cnm_status text_decoder_create(text_decoder **out, text_encoding encoding, const unsigned char *first, size_t size,
                               stored_read read, void *from, const char *name, cnm_error *err) {
    text_decoder *self;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "text", err));
    atomic_store(&self->encoding, (int)encoding);
    self->read = read;
    self->from = from;
    self->name = name;
    const cnm_status status = hold(self, first, size, err);
    if (status != CNM_OK) {
        text_decoder_destroy(self);
        return status;
    }
    *out = self;
    return CNM_OK;
}

text_encoding text_decoder_encoding(const text_decoder *self) { return (text_encoding)atomic_load(&self->encoding); }

/* Makes `wanted` stored bytes available in input, fewer only at the end. */
static cnm_status look_ahead(text_decoder *self, size_t wanted, cnm_error *err) {
    if (self->held - self->at < wanted && !self->ended) {
        TRY(hold(self, self->input, 0, err)); /* makes room behind */
    }
    while (self->held - self->at < wanted && !self->ended) {
        size_t got = 0;
        TRY(self->read(self->from, self->input + self->held, self->input_capacity - self->held, &got, err));
        self->held += got;
        self->ended = got == 0;
    }
    return CNM_OK;
}

/* Gives stored bytes as they are. */
static cnm_status pass(text_decoder *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    const size_t held = self->held - self->at;
    if (held == 0) {
        return self->read(self->from, buffer, size, got, err);
    }
    *got = held < size ? held : size;
    memcpy(buffer, self->input + self->at, *got);
    self->at += *got;
    return CNM_OK;
}

/* Returns how many of the bytes are ASCII up to the first that is not. */
static size_t ascii_length(const unsigned char *bytes, size_t size) {
    enum { STRETCH = 1024 };
    size_t at = 0;
    for (; size - at >= STRETCH; at += STRETCH) { /* the compiler vectorises the loop inside */
        unsigned char all = 0;
        for (size_t i = 0; i < STRETCH; i++) {
            all = (unsigned char)(all | bytes[at + i]);
        }
        if (all >= 0x80) {
            break;
        }
    }
    while (at < size && bytes[at] < 0x80) {
        at++;
    }
    return at;
}

/* Gives bytes as they are, up to the first that is not ASCII; there decides on the encoding. */
static cnm_status pass_ascii(text_decoder *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    TRY(pass(self, buffer, size, got, err));
    const size_t length = ascii_length(buffer, *got);
    if (length == *got) {
        return CNM_OK;
    }
    TRY(hold(self, buffer + length, *got - length, err));
    *got = length;
    if (length > 0) {
        return CNM_OK;
    }
    TRY(look_ahead(self, LONGEST, err));
    const char *at = (const char *)self->input + self->at;
    const bool whole = utf8_size(at, (const char *)self->input + self->held) > 0;
    atomic_store(&self->encoding, whole ? ENCODING_UTF8 : ENCODING_LATIN1);
    return CNM_OK;
}

/* ---- Conversion ---- */

static void put(text_decoder *self, uint32_t code) {
    unsigned char *to = self->output + self->filled;
    self->lines += code == '\n';
    if (code < 0x80) {
        to[0] = (unsigned char)code;
        self->filled += 1;
    } else if (code < 0x800) {
        to[0] = (unsigned char)(0xc0 | code >> 6);
        to[1] = (unsigned char)(0x80 | (code & 0x3f));
        self->filled += 2;
    } else if (code < 0x10000) {
        to[0] = (unsigned char)(0xe0 | code >> 12);
        to[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
        to[2] = (unsigned char)(0x80 | (code & 0x3f));
        self->filled += 3;
    } else {
        to[0] = (unsigned char)(0xf0 | code >> 18);
        to[1] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
        to[2] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
        to[3] = (unsigned char)(0x80 | (code & 0x3f));
        self->filled += 4;
    }
}

static void convert_latin1(text_decoder *self) {
    /* Windows-1252, 80 to 9f; what it leaves open is a control character, as browsers read it */
    static const uint16_t UPPER[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                       0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                       0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                       0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    for (; self->at < self->held; self->at++) {
        const unsigned char byte = self->input[self->at];
        put(self, byte >= 0x80 && byte < 0xa0 ? UPPER[byte - 0x80] : byte);
    }
}

static uint32_t unit_at(const text_decoder *self, bool big_endian, size_t at) {
    const uint32_t first = self->input[at], second = self->input[at + 1];
    return big_endian ? first << 8 | second : second << 8 | first;
}

static void fail(text_decoder *self, const char *found) {
    self->failed = error_set(&self->failure, CNM_BAD_FORMAT, "%s:%zu: found %s, expected text in UTF-16", self->name,
                             self->lines + 1, found);
}

/* Converts the whole characters in input. A byte order mark is no text. */
static void convert_utf16(text_decoder *self, bool big_endian) {
    enum { HIGH = 0xd800, LOW = 0xdc00, BEHIND = 0xe000, MARK = 0xfeff };
    while (self->held - self->at >= 2) {
        const uint32_t unit = unit_at(self, big_endian, self->at);
        if (unit < HIGH || unit >= BEHIND) {
            if (unit != MARK) {
                put(self, unit);
            }
            self->at += 2;
            continue;
        }
        if (self->held - self->at < 4 && !self->ended) {
            return;
        }
        const uint32_t second = self->held - self->at >= 4 ? unit_at(self, big_endian, self->at + 2) : 0;
        if (unit >= LOW || second < LOW || second >= BEHIND) {
            fail(self, "half a surrogate pair");
            return;
        }
        put(self, 0x10000 + ((unit - HIGH) << 10) + (second - LOW));
        self->at += 4;
    }
    if (self->ended && self->held > self->at) {
        fail(self, "half a character at the end");
    }
}

/* Converts a block of input into output, which is empty. */
static cnm_status convert(text_decoder *self, text_encoding encoding, cnm_error *err) {
    enum { GROWTH = 3 }; /* bytes of UTF-8 for one of any encoding */
    TRY(look_ahead(self, LONGEST, err));
    TRY(memory_grow(&self->output, &self->output_capacity, GROWTH * (self->held - self->at) + LONGEST, 1, "text", err));
    self->given = self->filled = 0;
    if (encoding == ENCODING_LATIN1) {
        convert_latin1(self);
    } else {
        convert_utf16(self, encoding == ENCODING_UTF16_BE);
    }
    return CNM_OK;
}

/* Gives what was converted, or converts more. */
static cnm_status give(text_decoder *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    if (self->given == self->filled) {
        if (self->failed != CNM_OK) {
            return error_set(err, self->failed, "%s", self->failure.message);
        }
        TRY(convert(self, text_decoder_encoding(self), err));
    }
    *got = self->filled - self->given < size ? self->filled - self->given : size;
    if (*got > 0) {
        memcpy(buffer, self->output + self->given, *got);
    }
    self->given += *got;
    return CNM_OK;
}

/* Returns whether no more text comes. */
static bool at_end(const text_decoder *self) {
    return self->ended && self->at == self->held && self->given == self->filled && self->failed == CNM_OK;
}

cnm_status text_decoder_read(text_decoder *self, unsigned char *buffer, size_t size, size_t *got, cnm_error *err) {
    *got = 0;
    while (*got == 0 && size > 0) {
        const text_encoding encoding = text_decoder_encoding(self);
        if (encoding == ENCODING_UTF8) {
            return pass(self, buffer, size, got, err);
        }
        if (encoding == ENCODING_OPEN) {
            TRY(pass_ascii(self, buffer, size, got, err));
            if (*got == 0 && text_decoder_encoding(self) == ENCODING_OPEN) {
                return CNM_OK;
            }
            continue;
        }
        if (at_end(self)) {
            return CNM_OK;
        }
        TRY(give(self, buffer, size, got, err));
    }
    return CNM_OK;
}

bool text_is_utf16(const unsigned char *bytes, size_t size, text_encoding *encoding) {
    enum { LOOKED_AT = 64, LEAST = 4 };
    const size_t count = (size < LOOKED_AT ? size : LOOKED_AT) / 2;
    size_t first_zero = 0, second_zero = 0;
    for (size_t i = 0; i < count; i++) {
        first_zero += bytes[2 * i] == 0;
        second_zero += bytes[2 * i + 1] == 0;
    }
    const bool marked = size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
    const bool big = marked ? bytes[0] == 0xfe : first_zero == count;
    *encoding = big ? ENCODING_UTF16_BE : ENCODING_UTF16_LE;
    return marked ||
           (size >= LEAST && first_zero + second_zero == count && (first_zero == count || second_zero == count));
}
