/* A hash index over words whose texts lie in blocks. Numbers of words, and so all that is made of
 * them, depend on the order of words alone, never on hashes. */
#include "data/table/dictionary.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"

struct word_block {
    word_block *next;
    size_t size, used;
    char bytes[];
};

/* Blocks double from one size to the other, so that a column of few words stays small. */
enum { LEAST_BLOCK = 256, LARGEST_BLOCK = 1 << 18 };

/* Takes place for so many bytes, which stay where they are. */
static cnm_status take_bytes(dictionary *self, size_t size, char **out, cnm_error *err) {
    word_block *block = self->blocks;
    if (block == NULL || block->size - block->used < size) {
        const size_t before = block == NULL ? LEAST_BLOCK / 2 : block->size;
        const size_t usual = before < LARGEST_BLOCK / 2 ? 2 * before : LARGEST_BLOCK;
        const size_t room = size > usual ? size : usual;
        if (room > SIZE_MAX - sizeof *block) {
            return error_set(err, CNM_NO_MEMORY, "out of memory: words");
        }
        TRY(memory_take(&block, sizeof *block + room, 1, "words", err));
        *block = (word_block){.next = self->blocks, .size = room};
        self->blocks = block;
    }
    *out = block->bytes + block->used;
    block->used += size;
    return CNM_OK;
}

/* Returns a hash of a text, eight bytes at a time. Bytes behind the text count as 0, and its length
 * tells it from the text with those. */
static uint64_t hash(const char *text, size_t length) {
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t value = (uint64_t)length * factor, word;
    for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
        memcpy(&word, text, sizeof word);
        value = (value ^ word) * factor;
        value ^= value >> 32;
    }
    word = 0;
    for (size_t i = 0; i < length; i++) {
        word = word << 8 | (unsigned char)text[i];
    }
    value = (value ^ word) * factor;
    return value ^ value >> 29;
}

static uint32_t tag_of(uint64_t hashed) { return (uint32_t)(hashed >> 32); }

static bool is_text(const char *word, const char *text, size_t length) {
    return strncmp(word, text, length) == 0 && word[length] == '\0';
}

/* Returns the slot of a word, or the free slot where it belongs. */
static size_t find_slot(const dictionary *self, const char *text, size_t length, uint64_t hashed) {
    size_t slot = (size_t)hashed & (self->slot_count - 1);
    for (;; slot = (slot + 1) & (self->slot_count - 1)) {
        const word_slot *at = &self->slots[slot];
        if (at->number < 0 || (at->tag == tag_of(hashed) && is_text(self->texts[at->number], text, length))) {
            return slot;
        }
    }
}

/* Returns the first free slot for a word that has none. */
static size_t free_slot(const word_slot *slots, size_t count, uint64_t hashed) {
    size_t slot = (size_t)hashed & (count - 1);
    while (slots[slot].number >= 0) {
        slot = (slot + 1) & (count - 1);
    }
    return slot;
}

static cnm_status grow_slots(dictionary *self, cnm_error *err) {
    const size_t size = self->slot_count == 0 ? 64 : self->slot_count * 2;
    word_slot *slots;
    TRY(memory_take(&slots, size, sizeof *slots, "words", err));
    memset(slots, 0xff, size * sizeof *slots);
    memory_free(self->slots);
    self->slots = slots;
    self->slot_count = size;
    for (size_t i = 0; i < self->count; i++) {
        slots[free_slot(slots, size, self->hashes[i])] = (word_slot){(int32_t)i, tag_of(self->hashes[i])};
    }
    return CNM_OK;
}

cnm_status dictionary_begin(dictionary *self, cnm_error *err) {
    return memory_grow(&self->texts, &self->capacity, self->count + 1, sizeof *self->texts, "words", err);
}

/* Adds a word at its slot. */
static cnm_status add_word(dictionary *self, const char *text, size_t length, uint64_t hashed, size_t slot,
                           cnm_error *err) {
    char *word = NULL;
    if (self->count >= INT32_MAX) {
        return error_set(err, CNM_BAD_DATA, "more than %d different words", INT32_MAX);
    }
    TRY(dictionary_begin(self, err));
    TRY(memory_grow(&self->hashes, &self->hash_capacity, self->count + 1, sizeof *self->hashes, "words", err));
    TRY(take_bytes(self, length + 1, &word, err));
    memcpy(word, text, length);
    word[length] = '\0';
    self->slots[slot] = (word_slot){(int32_t)self->count, tag_of(hashed)};
    self->hashes[self->count] = hashed;
    self->texts[self->count++] = word;
    return CNM_OK;
}

static cnm_status add_hashed(dictionary *self, const char *text, size_t length, uint64_t hashed, int32_t *code,
                             cnm_error *err) {
    if (self->count * 2 >= self->slot_count) {
        TRY(grow_slots(self, err));
    }
    const size_t slot = find_slot(self, text, length, hashed);
    if (self->slots[slot].number < 0) {
        TRY(add_word(self, text, length, hashed, slot, err));
    }
    *code = self->slots[slot].number;
    return CNM_OK;
}

cnm_status dictionary_add(dictionary *self, const char *text, size_t length, int32_t *code, cnm_error *err) {
    return add_hashed(self, text, length, hash(text, length), code, err);
}

cnm_status dictionary_add_from(dictionary *self, const dictionary *from, size_t number, int32_t *code, cnm_error *err) {
    const char *text = from->texts[number];
    return add_hashed(self, text, strlen(text), from->hashes[number], code, err);
}

int32_t dictionary_find(const dictionary *self, const char *text, size_t length) {
    return self->slot_count == 0 ? -1 : self->slots[find_slot(self, text, length, hash(text, length))].number;
}

cnm_status dictionary_copy(dictionary *out, const dictionary *from, cnm_error *err) {
    cnm_status status;
    *out = (dictionary){0};
    TRY_DONE(dictionary_begin(out, err));
    for (size_t i = 0; i < from->count; i++) {
        int32_t code;
        TRY_DONE(dictionary_add_from(out, from, i, &code, err));
    }
    return CNM_OK;
done:
    dictionary_free(out);
    return status;
}

void dictionary_free(dictionary *self) {
    while (self->blocks != NULL) {
        word_block *next = self->blocks->next;
        memory_free(self->blocks);
        self->blocks = next;
    }
    memory_free(self->texts);
    memory_free(self->hashes);
    memory_free(self->slots);
    *self = (dictionary){0};
}
