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

/* Replaces numbers by words; on failure self keeps its numbers. */
static cnm_status become_words(label_column *self, cnm_error *err) {
    cnm_status status;
    label_column changed = {.rows = self->rows, .capacity = self->capacity > 0 ? self->capacity : 1};
    TRY_DONE(memory_take(&changed.codes, changed.capacity, sizeof *changed.codes, "labels", err));
    TRY_DONE(dictionary_begin(&changed.words, err));
    for (size_t i = 0; i < self->rows; i++) {
        char text[TEXT_DOUBLE_SIZE];
        const size_t length = text_from_double(text, self->numbers[i]);
        TRY_DONE(dictionary_add(&changed.words, text, length, &changed.codes[i], err));
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
    TRY(dictionary_add(&self->words, text, length, &code, err));
    TRY(memory_grow(&self->codes, &self->capacity, self->rows + 1, sizeof *self->codes, "labels", err));
    self->codes[self->rows++] = code;
    return CNM_OK;
}

cnm_status labels_add_number(label_column *self, double value, cnm_error *err) {
    if (!isfinite(value)) {
        return error_set(err, CNM_BAD_DATA, "found a label that is not finite, expected a number or a word");
    }
    value += 0.0; /* -0 and 0 are one label */
    if (self->words.texts != NULL) {
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
    TRY(self->words.texts == NULL ? become_words(self, err) : CNM_OK);
    return add_word(self, text, length, err);
}

cnm_status labels_add_from(label_column *self, const label_column *other, size_t row, cnm_error *err) {
    if (other->words.texts == NULL) {
        return labels_add_number(self, other->numbers[row], err);
    }
    const char *word = other->words.texts[other->codes[row]];
    return labels_add_text(self, word, strlen(word), err);
}

/* Appends the word codes of other, translating each word once. */
static cnm_status append_words(label_column *self, const label_column *other, cnm_error *err) {
    cnm_status status = CNM_OK;
    int32_t *codes;
    TRY(memory_take(&codes, other->words.count, sizeof *codes, "labels", err));
    for (size_t i = 0; i < other->words.count; i++) {
        TRY_DONE(dictionary_add_from(&self->words, &other->words, i, &codes[i], err));
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
    TRY(other->words.texts != NULL && self->words.texts == NULL ? become_words(self, err) : CNM_OK);
    if (self->words.texts == NULL) {
        TRY(memory_grow(&self->numbers, &self->capacity, rows, sizeof *self->numbers, "labels", err));
        if (other->rows > 0) {
            memcpy(self->numbers + self->rows, other->numbers, other->rows * sizeof *self->numbers);
            self->rows = rows;
        }
        return CNM_OK;
    }
    TRY(memory_grow(&self->codes, &self->capacity, rows, sizeof *self->codes, "labels", err));
    if (other->words.texts != NULL) {
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
    TRY(memory_take(&codes, other->words.count, sizeof *codes, "labels", err));
    memset(codes, 0xff, other->words.count * sizeof *codes);
    for (size_t i = first; i < first + count; i++) {
        int32_t *code = &codes[other->codes[i]];
        if (self->words.texts != NULL && *code >= 0 && self->rows < self->capacity) {
            self->codes[self->rows++] = *code;
            continue;
        }
        TRY_DONE(labels_add_from(self, other, i, err));
        if (self->words.texts != NULL) {
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
    if (other->words.texts == NULL) {
        const label_column part = {.rows = count, .numbers = other->numbers + first};
        return count > 0 ? labels_append(self, &part, err) : CNM_OK;
    }
    if (count >= other->words.count / FEW) {
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
    if (self->words.texts != NULL) {
        from = self->words.texts[self->codes[row]];
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
    dictionary_free(&self->words);
    memory_free(self->numbers);
    memory_free(self->codes);
    *self = (label_column){0};
}
