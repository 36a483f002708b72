/* Whether bytes are UTF-8: what model files, and with them names and labels, are written in. */
#ifndef CNM_BASE_TEXT_UTF8_H
#define CNM_BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the character at `at` has, at < end; 0 when it is none: cut, overlong, a surrogate, above 10ffff. */
size_t utf8_size(const char *at, const char *end);

bool utf8_is_valid(const char *text, size_t length);

#endif
