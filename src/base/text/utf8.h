/* Checks UTF-8: the encoding of model files, and with them of names and labels. */
#ifndef CNM_BASE_TEXT_UTF8_H
#define CNM_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns how many bytes the character at `at` has, at < end; 0 where there is no valid one (cut,
 * overlong, a surrogate, above 10ffff). */
size_t utf8_size(const char *at, const char *end);

bool utf8_is_valid(const char *text, size_t length);

#endif
