/* Words of one column that stand for features of 0 and 1: one for each word. Only the files of this room use it. */
#ifndef CNM_DATA_READ_ONE_HOT_H
#define CNM_DATA_READ_ONE_HOT_H

#include "cnm/types.h"

typedef struct word_codes {
    size_t count, words_capacity, features_capacity;
    char **words;
    size_t *features; /* that a word makes 1 */
} word_codes;

/* Appends a copy of the word. */
cnm_status word_codes_add(word_codes *self, const char *text, size_t length, size_t feature, cnm_error *err);
void word_codes_free(word_codes *self);

/* Where the word stands, or count. */
size_t word_codes_find(const word_codes *self, const char *text, size_t length);

/* In the order of their bytes. Features are not moved along: before they are known. */
void word_codes_sort(word_codes *self);

#endif
