/* A column is coded when it has a name, no number among its first cells, and few words: at most 100, each twice on average. Others, such as
 * names, dates and remarks, or numbers with a word among them, stay as they are, and reading them as features is an error. */
#include "data/formats/csv_categories.h"

#include "base/core/memory.h"
#include "base/text/utf8.h"

enum { MAX_WORDS = 100 };

typedef struct found_words {
    word_codes words;
    size_t cells;
    bool other; /* it holds something else, too, or too many */
} found_words;

static cnm_status note_cell(found_words *self, const cell *found, cnm_error *err) {
    double value;
    if (self->other || cell_is_missing(found)) {
        return CNM_OK;
    }
    self->cells++;
    if (cell_is_value(found, &value) || !utf8_is_valid(found->text, found->length)) {
        self->other = true;
        return CNM_OK;
    }
    if (word_codes_find(&self->words, found->text, found->length) < self->words.count) {
        return CNM_OK;
    }
    self->other = self->words.count == MAX_WORDS;
    return self->other ? CNM_OK : word_codes_add(&self->words, found->text, found->length, 0, err);
}

static cnm_status note_line(const csv_shape *shape, char *line, char *end, found_words *columns, cnm_error *err) {
    char *at = cell_first(&shape->style, line, end);
    cnm_status status = CNM_OK;
    for (size_t j = 0; status == CNM_OK && at != NULL && j < shape->columns; j++) {
        const cell found = cell_next(&shape->style, &at, end);
        status = note_cell(&columns[j], &found, err);
    }
    return status;
}

cnm_status csv_find_words(csv_shape *shape, const csv_sample *lines, cnm_error *err) {
    found_words *columns;
    word_codes *words = NULL;
    cnm_status status = memory_zeroed(&columns, shape->columns, sizeof *columns, "columns", err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 1; status == CNM_OK && i < lines->count; i++) {
        status = note_line(shape, lines->lines[i], lines->ends[i], columns, err);
    }
    status = status == CNM_OK ? memory_zeroed(&words, shape->columns, sizeof *words, "columns", err) : status;
    for (size_t j = 0; j < shape->columns; j++) {
        if (status != CNM_OK || columns[j].other || columns[j].words.count * 2 > columns[j].cells) {
            word_codes_free(&columns[j].words);
        } else {
            words[j] = columns[j].words;
            word_codes_sort(&words[j]);
        }
    }
    memory_free(columns);
    shape->guess.words = words;
    return status;
}

void csv_words_free(csv_shape *shape) {
    for (size_t j = 0; shape->guess.words != NULL && j < shape->columns; j++) {
        word_codes_free(&shape->guess.words[j]);
    }
    memory_free(shape->guess.words);
    shape->guess.words = NULL;
}
