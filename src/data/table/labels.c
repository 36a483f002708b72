/* One label a row: numbers as long as all are numbers, else words in a dictionary. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "data/read/lines.h"
#include "data/table/table.h"

/* A hash table with open addressing: slots (size, a power of two) hold word numbers, -1 is free; at
 * most half are taken. */
typedef struct word_lookup {
    size_t size;
    int32_t *slots;
} word_lookup;

/* Returns the FNV-1a hash of a text. */
static uint64_t hash(const char *text, size_t length) {
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        value = (value ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return value;
}

/* Returns the slot of a word, or the free slot where it belongs. */
static size_t find_slot(const label_column *self, const char *text, size_t length) {
    const word_lookup *lookup = self->lookup;
    size_t slot = (size_t)hash(text, length) & (lookup->size - 1);
    while (lookup->slots[slot] >= 0) {
        const char *word = self->words[lookup->slots[slot]];
        if (strncmp(word, text, length) == 0 && word[length] == '\0') {
            break;
        }
        slot = (slot + 1) & (lookup->size - 1);
    }
    return slot;
}

static cnm_status grow_lookup(label_column *self, cnm_error *err) {
    word_lookup *lookup = self->lookup;
    const size_t size = lookup->size == 0 ? 64 : lookup->size * 2;
    int32_t *slots;
    TRY(memory_take(&slots, size, sizeof *slots, "labels", err));
    memset(slots, 0xff, size * sizeof *slots);
    memory_free(lookup->slots);
    lookup->slots = slots;
    lookup->size = size;
    for (size_t i = 0; i < self->word_count; i++) {
        slots[find_slot(self, self->words[i], strlen(self->words[i]))] = (int32_t)i;
    }
    return CNM_OK;
}

/* Finds the word's number in the dictionary, to which a new word is added. */
static cnm_status word_code(label_column *self, const char *text, size_t length, int32_t *code, cnm_error *err) {
    word_lookup *lookup = self->lookup;
    if (self->word_count * 2 >= lookup->size) {
        TRY(grow_lookup(self, err));
    }
    const size_t slot = find_slot(self, text, length);
    if (lookup->slots[slot] < 0) {
        if (self->word_count >= INT32_MAX) {
            return error_set(err, CNM_BAD_DATA, "more than %d different labels", INT32_MAX);
        }
        char *word;
        TRY(memory_grow(&self->words, &self->word_capacity, self->word_count + 1, sizeof *self->words, "labels", err));
        TRY(memory_take(&word, length + 1, 1, "labels", err));
        memcpy(word, text, length);
        word[length] = '\0';
        lookup->slots[slot] = (int32_t)self->word_count;
        self->words[self->word_count++] = word;
    }
    *code = lookup->slots[slot];
    return CNM_OK;
}

/* Replaces numbers by words; on failure self keeps its numbers. */
static cnm_status become_words(label_column *self, cnm_error *err) {
    cnm_status status;
    label_column changed = {.rows = self->rows, .capacity = self->capacity > 0 ? self->capacity : 1};
    TRY_DONE(memory_take(&changed.codes, changed.capacity, sizeof *changed.codes, "labels", err));
    TRY_DONE(memory_zeroed(&changed.lookup, 1, sizeof(word_lookup), "labels", err));
    TRY_DONE(memory_grow(&changed.words, &changed.word_capacity, 1, sizeof *changed.words, "labels", err));
    for (size_t i = 0; i < self->rows; i++) {
        char text[TEXT_DOUBLE_SIZE];
        const size_t length = text_from_double(text, self->numbers[i]);
        TRY_DONE(word_code(&changed, text, length, &changed.codes[i], err));
    }
    memory_free(self->numbers);
    *self = changed;
    return CNM_OK;
done:
    labels_free(&changed);
    return status;
}

static cnm_status add_word(label_column *self, const char *text, size_t length, cnm_error *err) {
    int32_t code = 0;
    TRY(word_code(self, text, length, &code, err));
    TRY(memory_grow(&self->codes, &self->capacity, self->rows + 1, sizeof *self->codes, "labels", err));
    self->codes[self->rows++] = code;
    return CNM_OK;
}

cnm_status labels_add_number(label_column *self, double value, cnm_error *err) {
    if (!isfinite(value)) {
        return error_set(err, CNM_BAD_DATA, "found a label that is not finite, expected a number or a word");
    }
    value += 0.0; /* -0 and 0 are one label */
    if (self->words != NULL) {
        char text[TEXT_DOUBLE_SIZE];
        return add_word(self, text, text_from_double(text, value), err);
    }
    TRY(memory_grow(&self->numbers, &self->capacity, self->rows + 1, sizeof *self->numbers, "labels", err));
    self->numbers[self->rows++] = value;
    return CNM_OK;
}

cnm_status labels_add_text(label_column *self, const char *text, size_t length, cnm_error *err) {
    char shown[SHOWN_SIZE];
    double value;
    if (text_is_double(text, text + length, &value)) {
        if (!isfinite(value)) {
            return error_set(err, CNM_BAD_DATA, "found the label %s, expected a finite number or a word",
                             show(shown, text, length));
        }
        return labels_add_number(self, value, err);
    }
    if (length == 0) {
        return error_set(err, CNM_BAD_DATA, "found an empty label, expected a number or a word");
    }
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
            return error_set(err, CNM_BAD_DATA, "found the label %s with a control character, expected text",
                             show(shown, text, length));
        }
    }
    if (!utf8_is_valid(text, length)) {
        return error_set(err, CNM_BAD_DATA, "found the label %s, expected text in UTF-8", show(shown, text, length));
    }
    TRY(self->words == NULL ? become_words(self, err) : CNM_OK);
    return add_word(self, text, length, err);
}

cnm_status labels_add_from(label_column *self, const label_column *other, size_t row, cnm_error *err) {
    if (other->words == NULL) {
        return labels_add_number(self, other->numbers[row], err);
    }
    const char *word = other->words[other->codes[row]];
    return labels_add_text(self, word, strlen(word), err);
}

/* Appends the word codes of other, translating each word once. */
static cnm_status append_words(label_column *self, const label_column *other, cnm_error *err) {
    cnm_status status = CNM_OK;
    int32_t *codes;
    TRY(memory_take(&codes, other->word_count, sizeof *codes, "labels", err));
    for (size_t i = 0; i < other->word_count; i++) {
        TRY_DONE(word_code(self, other->words[i], strlen(other->words[i]), &codes[i], err));
    }
    for (size_t i = 0; i < other->rows; i++) {
        self->codes[self->rows + i] = codes[other->codes[i]];
    }
    self->rows += other->rows;
done:
    memory_free(codes);
    return status;
}

cnm_status labels_append(label_column *self, const label_column *other, cnm_error *err) {
    const size_t rows = self->rows + other->rows;
    TRY(other->words != NULL && self->words == NULL ? become_words(self, err) : CNM_OK);
    if (self->words == NULL) {
        TRY(memory_grow(&self->numbers, &self->capacity, rows, sizeof *self->numbers, "labels", err));
        if (other->rows > 0) {
            memcpy(self->numbers + self->rows, other->numbers, other->rows * sizeof *self->numbers);
            self->rows = rows;
        }
        return CNM_OK;
    }
    TRY(memory_grow(&self->codes, &self->capacity, rows, sizeof *self->codes, "labels", err));
    if (other->words != NULL) {
        return append_words(self, other, err);
    }
    for (size_t i = 0; i < other->rows; i++) {
        TRY(labels_add_number(self, other->numbers[i], err));
    }
    return CNM_OK;
}

/* Appends the word codes of some rows, looking up each word once; a number written as a word stays
 * a number while all labels are numbers. */
static cnm_status append_coded(label_column *self, const label_column *other, size_t first, size_t count,
                               cnm_error *err) {
    cnm_status status = CNM_OK;
    int32_t *codes;
    TRY(memory_take(&codes, other->word_count, sizeof *codes, "labels", err));
    memset(codes, 0xff, other->word_count * sizeof *codes);
    for (size_t i = first; i < first + count; i++) {
        int32_t *code = &codes[other->codes[i]];
        if (self->words != NULL && *code >= 0 && self->rows < self->capacity) {
            self->codes[self->rows++] = *code;
            continue;
        }
        TRY_DONE(labels_add_from(self, other, i, err));
        if (self->words != NULL) {
            *code = self->codes[self->rows - 1];
        }
    }
done:
    memory_free(codes);
    return status;
}

cnm_status labels_append_rows(label_column *self, const label_column *other, size_t first, size_t count,
                              cnm_error *err) {
    enum { FEW = 4 }; /* fewer rows than a quarter of the words are looked up one by one */
    if (other->words == NULL) {
        const label_column part = {.rows = count, .numbers = other->numbers + first};
        return count > 0 ? labels_append(self, &part, err) : CNM_OK;
    }
    if (count >= other->word_count / FEW) {
        return append_coded(self, other, first, count, err);
    }
    for (size_t i = first; i < first + count; i++) {
        TRY(labels_add_from(self, other, i, err));
    }
    return CNM_OK;
}

size_t labels_text(const label_column *self, size_t row, char *out, size_t size) {
    char text[TEXT_DOUBLE_SIZE];
    const char *from = text;
    size_t length;
    if (self->words != NULL) {
        from = self->words[self->codes[row]];
        length = strlen(from);
    } else {
        length = text_from_double(text, self->numbers[row]);
    }
    if (size > 0) {
        const size_t kept = length < size ? length : size - 1;
        memcpy(out, from, kept);
        out[kept] = '\0';
    }
    return length;
}

void labels_free(label_column *self) {
    word_lookup *lookup = self->lookup;
    for (size_t i = 0; i < self->word_count; i++) {
        memory_free(self->words[i]);
    }
    if (lookup != NULL) {
        memory_free(lookup->slots);
    }
    memory_free(lookup);
    memory_free(self->words);
    memory_free(self->numbers);
    memory_free(self->codes);
    *self = (label_column){0};
}
