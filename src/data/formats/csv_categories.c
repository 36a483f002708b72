/* Finds columns of words to code: a column is coded when it has a name, no number among its first
 * cells, and few words: at most 100, each twice on average. Other columns, such as names, dates and
 * remarks, or numbers with a word among them, stay as they are, and reading them as features is an
 * error. */
#include "data/formats/csv_categories.h"

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/utf8.h"

enum { MAX_WORDS = 100 };

typedef struct found_words {
    one_hot words;
    size_t cells;
    bool other; /* it has other cells, too, or too many words */
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
    if (one_hot_find(&self->words, found->text, found->length) < self->words.count) {
        return CNM_OK;
    }
    self->other = self->words.count == MAX_WORDS;
    return self->other ? CNM_OK : one_hot_add(&self->words, found->text, found->length, 0, err);
}

static cnm_status note_line(const csv_shape *shape, char *line, char *end, found_words *columns, cnm_error *err) {
    char *at = cell_first(&shape->style, line, end);
    for (size_t j = 0; at != NULL && j < shape->columns; j++) {
        const cell found = cell_next(&shape->style, &at, end);
        TRY(note_cell(&columns[j], &found, err));
    }
    return CNM_OK;
}

static cnm_status note_lines(const csv_shape *shape, const csv_sample *lines, found_words *columns, cnm_error *err) {
    for (size_t i = 1; i < lines->count; i++) {
        TRY(note_line(shape, lines->lines[i], lines->ends[i], columns, err));
    }
    return CNM_OK;
}

cnm_status csv_categories_find(csv_shape *shape, const csv_sample *lines, cnm_error *err) {
    cnm_status status;
    found_words *columns;
    one_hot *words = NULL;
    TRY(memory_zeroed(&columns, shape->columns, sizeof *columns, "columns", err));
    TRY_DONE(note_lines(shape, lines, columns, err));
    TRY_DONE(memory_zeroed(&words, shape->columns, sizeof *words, "columns", err));
    for (size_t j = 0; j < shape->columns; j++) {
        if (!columns[j].other && columns[j].words.count * 2 <= columns[j].cells) {
            words[j] = columns[j].words;
            columns[j].words = (one_hot){0};
            one_hot_sort(&words[j]);
        }
    }
    shape->guess.words = words;
done:
    for (size_t j = 0; j < shape->columns; j++) {
        one_hot_free(&columns[j].words);
    }
    memory_free(columns);
    return status;
}

void csv_categories_free(csv_shape *shape) {
    for (size_t j = 0; shape->guess.words != NULL && j < shape->columns; j++) {
        one_hot_free(&shape->guess.words[j]);
    }
    memory_free(shape->guess.words);
    shape->guess.words = NULL;
}
