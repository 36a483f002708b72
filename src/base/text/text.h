/* Converts text to numbers and back, without the locale, exactly rounded both ways. */
#ifndef CNM_BASE_TEXT_TEXT_H
#define CNM_BASE_TEXT_TEXT_H

#include <stdbool.h>

#include "cnm/types.h"

enum { TEXT_DOUBLE_SIZE = 32 };

/* Reads a decimal number at [text, end): optional sign, digits with '.', optional exponent; also
 * inf, infinity, nan in any case. Returns the first character after it, or NULL when there is no
 * number there. Correctly rounded (ties to even); overflow gives infinity, underflow denormals or
 * 0. Never reads *end. */
const char *text_read_double(const char *text, const char *end, double *value);

/* Reads [text, end) as one number; returns whether the whole of it is one (no surrounding
 * blanks). */
bool text_is_double(const char *text, const char *end, double *value);

/* Reads [text, end) as an unsigned decimal integer; returns whether the whole of it is one that
 * fits. */
bool text_is_count(const char *text, const char *end, uint64_t *value);

/* Writes the shortest decimal that reads back to the same double ("0.1", "1e-07", "-3", "inf",
 * "nan"); returns its length. */
size_t text_from_double(char out[TEXT_DOUBLE_SIZE], double value);

/* Writes the shortest decimal that reads back to the same float; returns its length. */
size_t text_from_float(char out[TEXT_DOUBLE_SIZE], float value);

/* Writes value with `decimals` digits after the point (0 to 9), rounded to nearest; "nan" and "inf"
 * for those. */
size_t text_fixed(char out[TEXT_DOUBLE_SIZE + 320], double value, int decimals);

/* A growing text, for metadata and reports. Zero-initialise; free with text_free. */
typedef struct text_buffer {
    char *bytes; /* always NUL-terminated once anything was added; NULL before */
    size_t length, capacity;
} text_buffer;

cnm_status text_add(text_buffer *self, const char *bytes, size_t length, cnm_error *err);
cnm_status text_add_string(text_buffer *self, const char *string, cnm_error *err);
cnm_status text_add_count(text_buffer *self, uint64_t value, cnm_error *err);
/* Adds a JSON string with its quotes; control characters, quotes and backslashes are escaped. */
cnm_status text_add_json(text_buffer *self, const char *string, cnm_error *err);
void text_free(text_buffer *self);

#endif
