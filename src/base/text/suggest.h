/* "Did you mean ...?": the nearest word by edit distance. */
#ifndef CNM_BASE_TEXT_SUGGEST_H
#define CNM_BASE_TEXT_SUGGEST_H

#include <stddef.h>

/* How unlike `given` and the word of `length` bytes are: insertions, deletions, replacements and
 * swaps of neighbours that turn one into the other; a `given` that begins the word counts 1.
 * SIZE_MAX when that is too many to be a slip. */
size_t suggest_distance(const char *given, const char *word, size_t length);

/* The nearest word of a list "one|two|three", or NULL; *length is its length. */
const char *suggest_word(const char *given, const char *list, size_t *length);

#endif
