/* The parts of one line of LIBSVM text, for detecting the format and for reading it. Only the files
 * of this module use it. */
#ifndef CNM_DATA_FORMATS_LIBSVM_LINE_H
#define CNM_DATA_FORMATS_LIBSVM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word of a line: up to the next blank, or the comment. */
typedef struct libsvm_word {
    const char *text, *end;
} libsvm_word;

typedef enum libsvm_pair { PAIR_NONE, PAIR_GROUP, PAIR_BAD_INDEX, PAIR_BAD_VALUE, PAIR_VALUE } libsvm_pair;

/* Moves *at behind the next word; returns false at the end of the line or its comment. */
bool libsvm_next_word(const char **at, const char *end, libsvm_word *word);

/* Returns the kind of a word: index:value, qid:number (a group), or neither (no colon). */
libsvm_pair libsvm_read_pair(libsvm_word word, uint64_t *index, double *value);

/* Returns the confidence that the first bytes of a file are LIBSVM text, 0 to 100: most of the
 * lines are, mistyped values aside. */
int libsvm_recognise(const unsigned char *bytes, size_t size, const char *path);

#endif
