/* Different words, numbered from 0 in order of first appearance. */
#ifndef CNM_DATA_TABLE_DICTIONARY_H
#define CNM_DATA_TABLE_DICTIONARY_H

#include "cnm/types.h"

typedef struct dictionary {
    char **texts; /* (count), or NULL before dictionary_begin */
    size_t count, capacity, hash_capacity;
    uint64_t *hashes; /* (count): different words are told apart by them */
    /* A hash table with open addressing: (slot_count, a power of two) word numbers, -1 is free; at
     * most half are taken. */
    int32_t *slots;
    size_t slot_count;
} dictionary;

/* Makes texts non-NULL. Adding a word does so, too. */
cnm_status dictionary_begin(dictionary *self, cnm_error *err);
/* *code = the word's number; a new word is added. */
cnm_status dictionary_add(dictionary *self, const char *text, size_t length, int32_t *code, cnm_error *err);
/* Returns the word's number, or -1. */
int32_t dictionary_find(const dictionary *self, const char *text, size_t length);
/* Copies all words, with their numbers. On failure out is empty. */
cnm_status dictionary_copy(dictionary *out, const dictionary *from, cnm_error *err);
void dictionary_free(dictionary *self);

#endif
