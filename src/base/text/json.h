/* Reading the few JSON values that a safetensors header is made of: strings and unsigned integers. Not a general parser: the
 * caller walks the known structure, so there is no recursion, no tree and no allocation. Strict: RFC 8259, valid UTF-8. */
#ifndef CNM_BASE_TEXT_JSON_H
#define CNM_BASE_TEXT_JSON_H

#include <stdbool.h>

#include "cnm/types.h"

/* A place in the text [begin, end) of a file. */
typedef struct json_cursor {
    const char *begin, *at, *end;
    const char *file; /* for messages */
    size_t offset;    /* of begin in the file */
    cnm_error *err;
} json_cursor;

/* CNM_BAD_FORMAT: "FILE: expected ... at byte N". */
cnm_status json_fail(const json_cursor *self, const char *expected);

/* Skips blanks, then c where it is next. */
bool json_take(json_cursor *self, char c);

/* Skips blanks to the end of the text. */
bool json_at_end(json_cursor *self);

/* json_take, or a failure that says what was expected. */
cnm_status json_expect(json_cursor *self, char c, const char *expected);

/* A string, its escapes undone. The first `room` bytes go to out, without a NUL; *length counts them all and is never more
 * than the string has bytes in the file. A zero character (\u0000) is refused: the bytes between make a C string. */
cnm_status json_string(json_cursor *self, char *out, size_t room, size_t *length);

/* An integer from 0 to 2^64 - 1: no sign, fraction, exponent or leading zero. */
cnm_status json_count(json_cursor *self, uint64_t *value);

#endif
