/* The header of NumPy's .npy, versions 1 to 3:
 *
 *   bytes 0-5   \x93NUMPY
 *   bytes 6, 7  version
 *   bytes 8-9   (8-11 from version 2 on) length of the text, little-endian
 *   then        {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 *               a Python literal, padded with blanks
 *
 * Not read: structured types, objects, texts, complex and half-precision numbers. */
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/formats/array_values.h"
#include "data/read/lines.h"

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_SIZE = 6 };

/* The literal from `at` to `end`, and the entries found so far. */
typedef struct npy_text {
    const char *at, *end;
    bool has_type, has_order, has_shape;
} npy_text;

int npy_recognise(const unsigned char *bytes, size_t size, const char *path) {
    (void)path;
    return size >= MAGIC_SIZE && memcmp(bytes, MAGIC, MAGIC_SIZE) == 0 ? 100 : 0;
}

static void skip_blanks(npy_text *self) {
    while (self->at < self->end && (*self->at == ' ' || *self->at == '\n' || *self->at == '\t')) {
        self->at++;
    }
}

/* Takes the byte if it comes next; returns whether it does. */
static bool take(npy_text *self, char byte) {
    skip_blanks(self);
    if (self->at < self->end && *self->at == byte) {
        self->at++;
        return true;
    }
    return false;
}

/* Takes a quoted text without escapes; returns false when there is none. */
static bool take_text(npy_text *self, const char **text, size_t *length) {
    skip_blanks(self);
    if (self->at == self->end || (*self->at != '\'' && *self->at != '"')) {
        return false;
    }
    const char quote = *self->at++;
    const char *close = memchr(self->at, quote, (size_t)(self->end - self->at));
    if (close == NULL) {
        return false;
    }
    *text = self->at;
    *length = (size_t)(close - self->at);
    self->at = close + 1;
    return true;
}

static bool take_word(npy_text *self, const char *word) {
    const size_t length = strlen(word);
    skip_blanks(self);
    if ((size_t)(self->end - self->at) >= length && memcmp(self->at, word, length) == 0) {
        self->at += length;
        return true;
    }
    return false;
}

static cnm_status take_type(npy_text *self, array_layout *out, const char *file, cnm_error *err) {
    static const char *const TYPES[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    const char *text = self->at;
    size_t length = 0;
    char shown[SHOWN_SIZE];
    const bool plain = take_text(self, &text, &length);
    for (size_t i = 0; plain && length == 3 && i < sizeof TYPES / sizeof *TYPES; i++) {
        if (memcmp(text + 1, TYPES[i], 2) == 0 && strchr("<>|=", text[0]) != NULL && text[0] != '\0') {
            out->kind = text[1] == 'b' ? 'u' : text[1];
            out->size = (size_t)(text[2] - '0');
            out->big_endian = text[0] == '>';
            self->has_type = true;
            return CNM_OK;
        }
    }
    return error_set(err, CNM_UNSUPPORTED, "%s: found elements of type %s, expected f4, f8, i1 to i8, u1 to u8 or b1",
                     file, plain ? show(shown, text, length) : "'[...]' (a structured array)");
}

static bool take_size(npy_text *self, size_t *size) {
    skip_blanks(self);
    const char *from = self->at;
    *size = 0;
    for (; self->at < self->end && *self->at >= '0' && *self->at <= '9'; self->at++) {
        const size_t digit = (size_t)(*self->at - '0');
        if (*size > (SIZE_MAX - digit) / 10) {
            return false;
        }
        *size = *size * 10 + digit;
    }
    const bool found = self->at > from;
    (void)take(self, 'L'); /* Python 2 wrote long integers so */
    return found;
}

/* Takes (), (n,), (n, d), (n, d1, d2 ...): the product of all sizes but the first is the number of
 * columns. */
static bool take_shape(npy_text *self, array_layout *out) {
    bool fits = take(self, '(');
    out->rows = out->columns = 1;
    while (fits && !take(self, ')')) {
        size_t size;
        fits = take_size(self, &size);
        if (fits && out->dimensions++ == 0) {
            out->rows = size;
        } else if (fits) {
            fits = size_multiply(out->columns, size, &out->columns);
        }
        if (fits && !take(self, ',')) {
            fits = take(self, ')');
            break;
        }
    }
    self->has_shape = fits;
    return fits;
}

static cnm_status take_entry(npy_text *self, array_layout *out, const char *file, cnm_error *err) {
    const char *key;
    size_t length;
    if (take_text(self, &key, &length) && take(self, ':')) {
        if (length == 5 && memcmp(key, "descr", 5) == 0) {
            return take_type(self, out, file, err);
        }
        if (length == 13 && memcmp(key, "fortran_order", 13) == 0) {
            out->fortran = take_word(self, "True");
            self->has_order = out->fortran || take_word(self, "False");
            if (self->has_order) {
                return CNM_OK;
            }
        }
        if (length == 5 && memcmp(key, "shape", 5) == 0 && take_shape(self, out)) {
            return CNM_OK;
        }
    }
    return error_set(err, CNM_BAD_FORMAT, "%s: the npy header is damaged, expected descr, fortran_order and shape",
                     file);
}

static cnm_status parse(npy_text *self, array_layout *out, const char *file, cnm_error *err) {
    bool open = take(self, '{');
    while (open && !take(self, '}')) {
        TRY(take_entry(self, out, file, err));
        if (!take(self, ',')) {
            open = take(self, '}');
            break;
        }
    }
    if (!(open && self->has_type && self->has_order && self->has_shape)) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the npy header is damaged, expected descr, fortran_order and shape",
                         file);
    }
    if (out->dimensions == 0) {
        return error_set(err, CNM_BAD_DATA, "%s: found a single number, expected an array of rows", file);
    }
    return CNM_OK;
}

cnm_status npy_layout(array_layout *out, const unsigned char *bytes, size_t size, const char *file, cnm_error *err) {
    *out = (array_layout){0};
    if (npy_recognise(bytes, size, file) == 0 || size < MAGIC_SIZE + 2) {
        return error_set(err, CNM_BAD_FORMAT, "%s: the file does not start as npy does, expected \\x93NUMPY", file);
    }
    const unsigned version = bytes[MAGIC_SIZE];
    if (version < 1 || version > 3) {
        return error_set(err, CNM_UNSUPPORTED, "%s: found npy version %u, expected 1, 2 or 3", file, version);
    }
    const size_t start = version == 1 ? 10 : 12;
    size_t length = 0;
    for (size_t i = start; size >= start && i-- > 8;) {
        length = length << 8 | bytes[i];
    }
    if (size < start || length > size - start) {
        return error_set(err, CNM_BAD_FORMAT,
                         "%s: found the end of the file in the npy header, expected %zu bytes of it", file, length);
    }
    out->offset = start + length;
    npy_text text = {.at = (const char *)bytes + start, .end = (const char *)bytes + out->offset};
    return parse(&text, out, file, err);
}
