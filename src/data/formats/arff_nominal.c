/* The values that a nominal attribute declares, sorted once so that each row's value is found in
 * log2(count) steps. */
#include "data/formats/arff_nominal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/read/lines.h"

const cell_style ARFF_STYLE = {.separator = ',', .quotes = "'\"", .backslash = true};

enum { SHOWN_VALUES = 5 };

char *arff_nominal_end(char *at, char *end) {
    bool starts = true; /* a quote counts only where a value starts */
    for (at++; at < end && *at != '}'; at++) {
        if (starts && (*at == '\'' || *at == '"')) {
            const char quote = *at++;
            while (at < end && *at != quote) {
                at += *at == '\\' && at + 1 < end ? 2 : 1;
            }
            if (at == end) {
                return NULL;
            }
        }
        starts = *at == ',' || (starts && is_blank(*at));
    }
    return at < end ? at : NULL;
}

void arff_nominal_free(arff_nominal *self) {
    for (size_t i = 0; self->words != NULL && i < self->count; i++) {
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    memory_free(self->numbers);
    memory_free(self->initial);
    memory_free(self->shown);
    *self = (arff_nominal){0};
}

static cnm_status add_word(arff_nominal *self, const cell *found, text_buffer *shown, cnm_error *err) {
    char text[SHOWN_SIZE];
    TRY(memory_grow(&self->words, &self->capacity, self->count + 1, sizeof *self->words, "values", err));
    TRY(memory_take(&self->words[self->count], found->length + 1, 1, "values", err));
    char *word = self->words[self->count++];
    memcpy(word, found->text, found->length);
    word[found->length] = '\0';
    if (self->count > SHOWN_VALUES) {
        return self->count == SHOWN_VALUES + 1 ? text_add_string(shown, ", ...", err) : CNM_OK;
    }
    TRY(self->count > 1 ? text_add_string(shown, ", ", err) : CNM_OK);
    return text_add_string(shown, show(text, word, found->length), err);
}

static int compare_numbers(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int compare_words(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Replaces words by numbers, since all of them are numbers. */
static cnm_status make_numbers(arff_nominal *self, cnm_error *err) {
    TRY(memory_take(&self->numbers, self->count, sizeof *self->numbers, "values", err));
    for (size_t i = 0; i < self->count; i++) {
        (void)text_is_double(self->words[i], self->words[i] + strlen(self->words[i]), &self->numbers[i]);
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    self->words = NULL;
    qsort(self->numbers, self->count, sizeof *self->numbers, compare_numbers);
    return CNM_OK;
}

static cnm_status read_values(arff_nominal *out, char *at, char *end, text_buffer *shown, bool *numeric,
                              cnm_error *err) {
    *numeric = true;
    while (at != NULL) {
        double value;
        const cell found = cell_next(&ARFF_STYLE, &at, end);
        *numeric = *numeric && cell_is_number(&found, &value) && !isnan(value);
        TRY(add_word(out, &found, shown, err));
    }
    return CNM_OK;
}

cnm_status arff_nominal_read(arff_nominal *out, char *at, char *end, cnm_error *err) {
    text_buffer shown = {0};
    bool numeric;
    *out = (arff_nominal){0};
    cnm_status status;
    const cnm_status read = read_values(out, at, end, &shown, &numeric, err);
    out->shown = shown.bytes;
    TRY_DONE(read);
    TRY_DONE(memory_copy_text(&out->initial, out->words[0], err));
    if (numeric) {
        TRY_DONE(make_numbers(out, err));
    } else {
        qsort(out->words, out->count, sizeof *out->words, compare_words);
    }
    return CNM_OK;
done:
    arff_nominal_free(out);
    return status;
}

bool arff_nominal_have_number(const arff_nominal *self, double value) {
    return self->numbers != NULL &&
           bsearch(&value, self->numbers, self->count, sizeof *self->numbers, compare_numbers) != NULL;
}

bool arff_nominal_have_text(const arff_nominal *self, const char *text, size_t length) {
    double value;
    if (self->numbers != NULL) {
        return text_is_double(text, text + length, &value) && arff_nominal_have_number(self, value);
    }
    size_t low = 0, high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strncmp(self->words[middle], text, length);
        if (order == 0 && self->words[middle][length] == '\0') {
            return true;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}
