/* A hash index over words that are owned one by one. */
#include "data/table/dictionary.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

/* Returns the FNV-1a hash of a text. */
static uint64_t hash(const char *text, size_t length) {
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        value = (value ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return value;
}

static bool is_text(const char *word, const char *text, size_t length) {
    return strncmp(word, text, length) == 0 && word[length] == '\0';
}

static bool is_word(const dictionary *self, int32_t number, const char *text, size_t length, uint64_t hashed) {
    return self->hashes[number] == hashed && is_text(self->texts[number], text, length);
}

/* Returns the slot of a word, or the free slot where it belongs. */
static size_t find_slot(const dictionary *self, const char *text, size_t length, uint64_t hashed) {
    size_t slot = (size_t)hashed & (self->slot_count - 1);
    while (self->slots[slot] >= 0 && !is_word(self, self->slots[slot], text, length, hashed)) {
        slot = (slot + 1) & (self->slot_count - 1);
    }
    return slot;
}

/* Returns the first free slot for a word that has none. */
static size_t free_slot(const int32_t *slots, size_t count, uint64_t hashed) {
    size_t slot = (size_t)hashed & (count - 1);
    while (slots[slot] >= 0) {
        slot = (slot + 1) & (count - 1);
    }
    return slot;
}

static cnm_status grow_slots(dictionary *self, cnm_error *err) {
    const size_t size = self->slot_count == 0 ? 64 : self->slot_count * 2;
    int32_t *slots;
    TRY(memory_take(&slots, size, sizeof *slots, "words", err));
    memset(slots, 0xff, size * sizeof *slots);
    memory_free(self->slots);
    self->slots = slots;
    self->slot_count = size;
    for (size_t i = 0; i < self->count; i++) {
        slots[free_slot(slots, size, self->hashes[i])] = (int32_t)i;
    }
    return CNM_OK;
}

cnm_status dictionary_begin(dictionary *self, cnm_error *err) {
    return memory_grow(&self->texts, &self->capacity, self->count + 1, sizeof *self->texts, "words", err);
}

cnm_status dictionary_add(dictionary *self, const char *text, size_t length, int32_t *code, cnm_error *err) {
    if (self->count * 2 >= self->slot_count) {
        TRY(grow_slots(self, err));
    }
    const uint64_t hashed = hash(text, length);
    const size_t slot = find_slot(self, text, length, hashed);
    if (self->slots[slot] < 0) {
        if (self->count >= INT32_MAX) {
            return error_set(err, CNM_BAD_DATA, "more than %d different words", INT32_MAX);
        }
        char *word;
        TRY(dictionary_begin(self, err));
        TRY(memory_grow(&self->hashes, &self->hash_capacity, self->count + 1, sizeof *self->hashes, "words", err));
        TRY(memory_take(&word, length + 1, 1, "words", err));
        memcpy(word, text, length);
        word[length] = '\0';
        self->slots[slot] = (int32_t)self->count;
        self->hashes[self->count] = hashed;
        self->texts[self->count++] = word;
    }
    *code = self->slots[slot];
    return CNM_OK;
}

int32_t dictionary_find(const dictionary *self, const char *text, size_t length) {
    return self->slot_count == 0 ? -1 : self->slots[find_slot(self, text, length, hash(text, length))];
}

cnm_status dictionary_copy(dictionary *out, const dictionary *from, cnm_error *err) {
    cnm_status status;
    *out = (dictionary){0};
    TRY_DONE(dictionary_begin(out, err));
    for (size_t i = 0; i < from->count; i++) {
        int32_t code;
        TRY_DONE(dictionary_add(out, from->texts[i], strlen(from->texts[i]), &code, err));
    }
    return CNM_OK;
done:
    dictionary_free(out);
    return status;
}

void dictionary_free(dictionary *self) {
    for (size_t i = 0; i < self->count; i++) {
        memory_free(self->texts[i]);
    }
    memory_free(self->texts);
    memory_free(self->hashes);
    memory_free(self->slots);
    *self = (dictionary){0};
}
