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

/* Returns the slot of a word, or the free slot where it belongs. */
static size_t find_slot(const dictionary *self, const char *text, size_t length) {
    size_t slot = (size_t)hash(text, length) & (self->slot_count - 1);
    while (self->slots[slot] >= 0) {
        const char *word = self->texts[self->slots[slot]];
        if (strncmp(word, text, length) == 0 && word[length] == '\0') {
            break;
        }
        slot = (slot + 1) & (self->slot_count - 1);
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
        slots[find_slot(self, self->texts[i], strlen(self->texts[i]))] = (int32_t)i;
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
    const size_t slot = find_slot(self, text, length);
    if (self->slots[slot] < 0) {
        if (self->count >= INT32_MAX) {
            return error_set(err, CNM_BAD_DATA, "more than %d different words", INT32_MAX);
        }
        char *word;
        TRY(dictionary_begin(self, err));
        TRY(memory_take(&word, length + 1, 1, "words", err));
        memcpy(word, text, length);
        word[length] = '\0';
        self->slots[slot] = (int32_t)self->count;
        self->texts[self->count++] = word;
    }
    *code = self->slots[slot];
    return CNM_OK;
}

int32_t dictionary_find(const dictionary *self, const char *text, size_t length) {
    return self->slot_count == 0 ? -1 : self->slots[find_slot(self, text, length)];
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
    memory_free(self->slots);
    *self = (dictionary){0};
}
