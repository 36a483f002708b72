/* A list, looked through from its start: words are few. */
#include "data/read/one_hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"

cnm_status word_codes_add(word_codes *self, const char *text, size_t length, size_t feature, cnm_error *err) {
    char *word;
    cnm_status status =
        memory_grow(&self->words, &self->words_capacity, self->count + 1, sizeof *self->words, "words", err);
    if (status == CNM_OK) {
        status = memory_grow(&self->features, &self->features_capacity, self->count + 1, sizeof *self->features,
                             "words", err);
    }
    if (status == CNM_OK) {
        status = memory_take(&word, length + 1, 1, "words", err);
    }
    if (status == CNM_OK) {
        memcpy(word, text, length);
        word[length] = '\0';
        self->words[self->count] = word;
        self->features[self->count++] = feature;
    }
    return status;
}

void word_codes_free(word_codes *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    memory_free(self->features);
    *self = (word_codes){0};
}

size_t word_codes_find(const word_codes *self, const char *text, size_t length) {
    size_t i = 0;
    while (i < self->count && (strlen(self->words[i]) != length || memcmp(self->words[i], text, length) != 0)) {
        i++;
    }
    return i;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void word_codes_sort(word_codes *self) {
    if (self->count > 0) {
        qsort(self->words, self->count, sizeof *self->words, compare);
    }
}
