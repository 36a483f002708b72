/* Words in a list that is searched from its start: they are few. */
#include "data/read/one_hot.h"

#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

cnm_status one_hot_add(one_hot *self, const char *text, size_t length, size_t feature, cnm_error *err) {
    char *word;
    TRY(memory_grow(&self->words, &self->words_capacity, self->count + 1, sizeof *self->words, "words", err));
    TRY(memory_grow(&self->features, &self->features_capacity, self->count + 1, sizeof *self->features, "words", err));
    TRY(memory_take(&word, length + 1, 1, "words", err));
    memcpy(word, text, length);
    word[length] = '\0';
    self->words[self->count] = word;
    self->features[self->count++] = feature;
    return CNM_OK;
}

void one_hot_free(one_hot *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    memory_free(self->features);
    *self = (one_hot){0};
}

size_t one_hot_find(const one_hot *self, const char *text, size_t length) {
    size_t i = 0;
    while (i < self->count && (strlen(self->words[i]) != length || memcmp(self->words[i], text, length) != 0)) {
        i++;
    }
    return i;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void one_hot_sort(one_hot *self) {
    if (self->count > 0) {
        qsort(self->words, self->count, sizeof *self->words, compare);
    }
}
