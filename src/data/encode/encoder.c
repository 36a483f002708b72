/* Encoders as objects: created, destroyed, their features named; and those of older models, which
 * have only the names of their features. */
#include "data/encode/encoder.h"

#include <stdio.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/encode/encoder_parts.h"

cnm_status encoder_create(encoder **out, size_t columns, cnm_error *err) {
    cnm_status status = CNM_OK;
    TRY(memory_zeroed(out, 1, sizeof **out, "an encoder", err));
    TRY_DONE(memory_zeroed(&(*out)->column, columns, sizeof *(*out)->column, "an encoder", err));
    (*out)->columns = columns;
    return CNM_OK;
done:
    encoder_destroy(*out);
    *out = NULL;
    return status;
}

void encoder_destroy(encoder *self) {
    if (self == NULL) {
        return;
    }
    for (size_t j = 0; j < self->columns; j++) {
        memory_free(self->column[j].name);
        dictionary_free(&self->column[j].type.words);
    }
    for (size_t i = 0; self->names != NULL && i < self->features; i++) {
        memory_free(self->names[i]);
    }
    memory_free(self->column);
    memory_free(self->names);
    memory_free(self);
}

const char *column_reason(column_use use) {
    static const char *const REASONS[] = {"", "always the same", "empty", "numbers the rows", "all words different"};
    return REASONS[use];
}

const char *column_label(const encoder *self, size_t column, char out[COLUMN_LABEL_SIZE]) {
    const char *name = self->column[column].name;
    if (name != NULL) {
        (void)snprintf(out, COLUMN_LABEL_SIZE, "%.60s", name);
    } else {
        (void)snprintf(out, COLUMN_LABEL_SIZE, "column_%zu", column + 1);
    }
    return out;
}

/* ---- Features ---- */

size_t column_features(const column_encoding *column) {
    if (column->use != COLUMN_USED) {
        return 0;
    }
    const bool words = column->type.kind == COLUMN_WORDS;
    return (words ? column->type.words.count + column->other : 1) + column->indicator;
}

/* Makes the name COLUMN=WORD, or COLUMN where word is NULL. */
static cnm_status make_name(char **out, const column_encoding *column, size_t number, const char *word,
                            cnm_error *err) {
    text_buffer text = {0};
    cnm_status status = CNM_OK;
    if (column->name != NULL) {
        TRY_DONE(text_add_string(&text, column->name, err));
    } else {
        TRY_DONE(text_add_string(&text, "column_", err));
        TRY_DONE(text_add_count(&text, number + 1, err));
    }
    if (word != NULL) {
        TRY_DONE(text_add_string(&text, "=", err));
        TRY_DONE(text_add_string(&text, word, err));
    }
    TRY_DONE(memory_copy_text(out, text.bytes, err));
done:
    text_free(&text);
    return status;
}

/* Returns a word for a feature that is none of the column's own words. */
static const char *free_word(const column_encoding *column, const char *word, const char *longer) {
    return dictionary_find(&column->type.words, word, strlen(word)) < 0 ? word : longer;
}

static cnm_status name_column(encoder *self, size_t number, cnm_error *err) {
    const column_encoding *column = &self->column[number];
    char **names = self->names + column->feature;
    size_t used = 0;
    if (column->type.kind != COLUMN_WORDS) {
        TRY(make_name(&names[used++], column, number, NULL, err));
    }
    for (size_t i = 0; i < column->type.words.count; i++) {
        TRY(make_name(&names[used++], column, number, column->type.words.texts[i], err));
    }
    if (column->other) {
        TRY(make_name(&names[used++], column, number, free_word(column, "other", "other words"), err));
    }
    return column->indicator
               ? make_name(&names[used], column, number, free_word(column, "missing", "missing cells"), err)
               : CNM_OK;
}

cnm_status encoder_lay_out(encoder *self, cnm_error *err) {
    size_t features = 0;
    for (size_t j = 0; j < self->columns; j++) {
        self->column[j].feature = features;
        features += column_features(&self->column[j]);
    }
    TRY(memory_zeroed(&self->names, features, sizeof *self->names, "names of features", err));
    self->features = features;
    for (size_t j = 0; j < self->columns; j++) {
        if (self->column[j].use == COLUMN_USED) {
            TRY(name_column(self, j, err));
        }
    }
    return CNM_OK;
}

/* ---- Older models ---- */

/* Returns the length of COLUMN in COLUMN=WORD; 0: the name has another form. */
static size_t stem_length(const char *name) {
    const char *sign = strchr(name, '=');
    return sign != NULL && sign[1] != '\0' ? (size_t)(sign - name) : 0;
}

static bool same_stem(const char *name, const char *other, size_t stem) {
    return stem_length(other) == stem && strncmp(name, other, stem) == 0;
}

/* Returns how many features from `first` on are those of one column of words: two or more, with the
 * same stem, different words and no base; else 1. */
static size_t count_words(char *const *names, const double *base, size_t first, size_t count) {
    const size_t stem = stem_length(names[first]);
    size_t end = first;
    while (stem > 0 && end < count && same_stem(names[first], names[end], stem) && (base == NULL || base[end] == 0.0)) {
        end++;
    }
    return end > first + 1 ? end - first : 1;
}

/* Adds the words of names (count); *different: no word occurs twice. */
static cnm_status take_words(dictionary *words, char *const *names, size_t stem, size_t count, bool *different,
                             cnm_error *err) {
    for (size_t i = 0; i < count; i++) {
        const char *word = names[i] + stem + 1;
        int32_t code;
        TRY(dictionary_add(words, word, strlen(word), &code, err));
    }
    *different = words->count == count;
    return CNM_OK;
}

/* Makes the column of the feature names[0], and of those behind it that belong to its words; *taken
 * says how many. */
static cnm_status take_column(column_encoding *column, char *const *names, size_t words, const double *base,
                              size_t *taken, cnm_error *err) {
    const size_t stem = words > 1 ? stem_length(names[0]) : strlen(names[0]);
    bool different = false;
    if (words > 1) {
        TRY(take_words(&column->type.words, names, stem, words, &different, err));
    }
    if (!different) {
        dictionary_free(&column->type.words);
    }
    *taken = different ? words : 1;
    column->type.kind = different ? COLUMN_WORDS : COLUMN_NUMBER;
    column->base = base == NULL || different ? 0.0 : *base;
    TRY(memory_copy_text(&column->name, names[0], err));
    if (different) {
        column->name[stem] = '\0';
    }
    return CNM_OK;
}

cnm_status encoder_from_names(encoder **out, char *const *names, const double *base, size_t count, cnm_error *err) {
    encoder *made = NULL;
    cnm_status status = CNM_OK;
    bool any = false;
    *out = NULL;
    TRY(encoder_create(&made, count, err));
    size_t columns = 0;
    for (size_t i = 0, taken = 0; i < count; i += taken) {
        const size_t words = count_words(names, base, i, count);
        const double *own = base == NULL ? NULL : base + i;
        TRY_DONE(take_column(&made->column[columns], names + i, words, own, &taken, err));
        any = any || made->column[columns].type.kind == COLUMN_WORDS;
        columns++;
    }
    made->columns = columns;
    if (any) {
        TRY_DONE(encoder_lay_out(made, err));
        *out = made;
        made = NULL;
    }
done:
    encoder_destroy(made);
    return status;
}
