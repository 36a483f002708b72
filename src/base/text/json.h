/* Reads the few JSON values of a safetensors header: strings and unsigned integers. Not a general
 * parser: the caller walks the known structure, so there is no recursion, no tree and no
 * allocation. Strict: RFC 8259, valid UTF-8. */
#ifndef CNM_BASE_TEXT_JSON_H
#define CNM_BASE_TEXT_JSON_H

#include <stdbool.h>

#include "cnm/types.h"

/* A position in the text [begin, end) of a file. */
typedef struct json_cursor {
    const char *begin, *at, *end;
    const char *file; /* for messages */
    size_t offset;    /* of begin in the file */
    cnm_error *err;
} json_cursor;

/* Returns CNM_BAD_FORMAT with "FILE: expected ... at byte N". */
cnm_status json_fail(const json_cursor *self, const char *expected);

/* Skips blanks, then c where it is next; returns whether c was there. */
bool json_take(json_cursor *self, char c);

/* Skips blanks; returns whether the text ends there. */
bool json_at_end(json_cursor *self);

/* Takes c as json_take does, or fails with a message that names what was expected. */
cnm_status json_expect(json_cursor *self, char c, const char *expected);

/* Reads a string and undoes its escapes. The first `room` bytes go to out, without a NUL; *length
 * counts all bytes and is never more than the string has in the file. A zero character (\u0000) is
 * refused: the bytes between make a C string. */
cnm_status json_string(json_cursor *self, char *out, size_t room, size_t *length);

/* Reads an integer from 0 to 2^64 - 1: no sign, fraction, exponent or leading zero. */
cnm_status json_count(json_cursor *self, uint64_t *value);

#endif
