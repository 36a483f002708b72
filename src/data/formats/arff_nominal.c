/* The values that a nominal attribute declares, sorted once so that each row's value is found in log2(count) steps. */
#include "data/formats/arff_nominal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/text/text.h"
#include "data/formats/arff_header.h"

enum { SHOWN_VALUES = 5 };

char *arff_values_end(char *at, char *end) {
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

void arff_values_free(arff_values *self) {
    for (size_t i = 0; self->words != NULL && i < self->count; i++) {
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    memory_free(self->numbers);
    memory_free(self->initial);
    memory_free(self->shown);
    *self = (arff_values){0};
}

static cnm_status add_word(arff_values *self, const cell *found, text_buffer *shown, cnm_error *err) {
    char text[SHOWN_SIZE];
    cnm_status status = memory_grow(&self->words, &self->capacity, self->count + 1, sizeof *self->words, "values", err);
    if (status == CNM_OK) {
        status = memory_take(&self->words[self->count], found->length + 1, 1, "values", err);
    }
    if (status != CNM_OK) {
        return status;
    }
    char *word = self->words[self->count++];
    memcpy(word, found->text, found->length);
    word[found->length] = '\0';
    if (self->count > SHOWN_VALUES) {
        return self->count == SHOWN_VALUES + 1 ? text_add_string(shown, ", ...", err) : CNM_OK;
    }
    status = self->count > 1 ? text_add_string(shown, ", ", err) : CNM_OK;
    return status == CNM_OK ? text_add_string(shown, show(text, word, found->length), err) : status;
}

static int compare_numbers(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int compare_words(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* All words are numbers: these take their place. */
static cnm_status make_numbers(arff_values *self, cnm_error *err) {
    const cnm_status status = memory_take(&self->numbers, self->count, sizeof *self->numbers, "values", err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; i < self->count; i++) {
        (void)text_is_double(self->words[i], self->words[i] + strlen(self->words[i]), &self->numbers[i]);
        memory_free(self->words[i]);
    }
    memory_free(self->words);
    self->words = NULL;
    qsort(self->numbers, self->count, sizeof *self->numbers, compare_numbers);
    return CNM_OK;
}

cnm_status arff_values_read(arff_values *out, char *at, char *end, cnm_error *err) {
    text_buffer shown = {0};
    bool numeric = true;
    cnm_status status = CNM_OK;
    *out = (arff_values){0};
    while (status == CNM_OK && at != NULL) {
        double value;
        const cell found = cell_next(&ARFF_STYLE, &at, end);
        numeric = numeric && cell_is_number(&found, &value) && !isnan(value);
        status = add_word(out, &found, &shown, err);
    }
    out->shown = shown.bytes;
    if (status == CNM_OK) {
        status = memory_copy_text(&out->initial, out->words[0], err);
    }
    if (status == CNM_OK && numeric) {
        status = make_numbers(out, err);
    } else if (status == CNM_OK) {
        qsort(out->words, out->count, sizeof *out->words, compare_words);
    }
    if (status != CNM_OK) {
        arff_values_free(out);
    }
    return status;
}

bool arff_values_have_number(const arff_values *self, double value) {
    return self->numbers != NULL &&
           bsearch(&value, self->numbers, self->count, sizeof *self->numbers, compare_numbers) != NULL;
}

bool arff_values_have_text(const arff_values *self, const char *text, size_t length) {
    double value;
    if (self->numbers != NULL) {
        return text_is_double(text, text + length, &value) && arff_values_have_number(self, value);
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
