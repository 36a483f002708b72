/* One-hot coding of a column of words: one feature of 0 and 1 for each word. Only the files of this
 * module use it. */
#ifndef CNM_DATA_READ_ONE_HOT_H
#define CNM_DATA_READ_ONE_HOT_H

#include "cnm/types.h"

typedef struct one_hot {
    size_t count, words_capacity, features_capacity;
    char **words;
    size_t *features; /* the feature that is 1 for a word */
} one_hot;

/* Appends a copy of the word. */
cnm_status one_hot_add(one_hot *self, const char *text, size_t length, size_t feature, cnm_error *err);
void one_hot_free(one_hot *self);

/* Returns the word's index, or count. */
size_t one_hot_find(const one_hot *self, const char *text, size_t length);

/* Sorts words by their bytes. Features are not moved along, so that they must not be set yet. */
void one_hot_sort(one_hot *self);

#endif
