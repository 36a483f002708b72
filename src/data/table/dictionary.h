/* Different words, numbered from 0 in order of first appearance. */
#ifndef CNM_DATA_TABLE_DICTIONARY_H
#define CNM_DATA_TABLE_DICTIONARY_H

#include "cnm/types.h"

/* A place of the hash table. */
typedef struct word_slot {
    int32_t number; /* of the word; -1: free */
    uint32_t tag;   /* the upper half of its hash: it tells most different words apart */
} word_slot;

/* Bytes of many words, one after the other. */
typedef struct word_block word_block;

typedef struct dictionary {
    char **texts; /* (count), or NULL before dictionary_begin */
    size_t count, capacity, hash_capacity;
    uint64_t *hashes; /* (count) */
    /* A hash table with open addressing: (slot_count, a power of two); at most half are taken. */
    word_slot *slots;
    size_t slot_count;
    word_block *blocks; /* what holds the texts; the latest first */
} dictionary;

/* Makes texts non-NULL. Adding a word does so, too. */
cnm_status dictionary_begin(dictionary *self, cnm_error *err);
/* *code = the word's number; a new word is added. */
cnm_status dictionary_add(dictionary *self, const char *text, size_t length, int32_t *code, cnm_error *err);
/* Adds a word of another dictionary: its hash is known. */
cnm_status dictionary_add_from(dictionary *self, const dictionary *from, size_t number, int32_t *code, cnm_error *err);
/* Returns the word's number, or -1. */
int32_t dictionary_find(const dictionary *self, const char *text, size_t length);
/* Copies all words, with their numbers. On failure out is empty. */
cnm_status dictionary_copy(dictionary *out, const dictionary *from, cnm_error *err);
void dictionary_free(dictionary *self);

#endif
