/* Tables of columns for the tests of encoders: each column is a list of texts, one a row. */
#ifndef CNM_TESTS_ENCODER_SUPPORT_H
#define CNM_TESTS_ENCODER_SUPPORT_H

#include "data_support.h"

#include "data/encode/encoder.h"
#include "data/table/table_types.h"

/* The sentences of callbacks->info. */
typedef struct sentences {
    char text[2048];
} sentences;

static inline void collect(const char *sentence, void *user) {
    sentences *self = user;
    const size_t used = strlen(self->text);
    (void)snprintf(self->text + used, sizeof self->text - used, "%s\n", sentence);
}

/* A table of `rows` rows and `columns` columns of plain numbers, all missing, named by the texts of
 * names, unless that is NULL. */
static inline table *empty_table(size_t rows, size_t columns, const char *const *names) {
    table *out;
    assert_int_equal(table_create(&out, NULL), CNM_OK);
    out->rows = rows;
    out->columns = columns;
    out->cell_capacity = rows * columns;
    assert_int_equal(memory_take(&out->values, rows * columns, sizeof(float), "rows", NULL), CNM_OK);
    for (size_t i = 0; i < rows * columns; i++) {
        out->values[i] = NAN;
    }
    if (names != NULL) {
        assert_int_equal(memory_zeroed(&out->names, columns, sizeof *out->names, "names", NULL), CNM_OK);
        for (size_t j = 0; j < columns; j++) {
            assert_int_equal(memory_copy_text(&out->names[j], names[j], NULL), CNM_OK);
        }
    }
    return out;
}

/* Makes column j one of words; "" is missing. */
static inline void set_word(table *self, size_t row, size_t column, const char *word) {
    int32_t code;
    assert_int_equal(table_make_types(self, NULL), CNM_OK);
    self->types[column].kind = COLUMN_WORDS;
    if (*word != '\0') {
        assert_int_equal(dictionary_add(&self->types[column].words, word, strlen(word), &code, NULL), CNM_OK);
        self->values[row * self->columns + column] = (float)code;
    }
}

static inline void set_number(table *self, size_t row, size_t column, double value) {
    self->values[row * self->columns + column] = (float)value;
}

static inline encoder *fitted_with(const table *rows, encoder_choice choice, sentences *heard) {
    const cnm_callbacks callbacks = {.struct_size = sizeof callbacks, .info = collect, .user = heard};
    encoder *out;
    cnm_error err = {0};
    if (heard != NULL) {
        heard->text[0] = '\0';
    }
    const cnm_status status = encoder_fit(&out, rows, choice, heard != NULL ? &callbacks : NULL, &err);
    if (status != CNM_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

static inline encoder *fitted(const table *rows, sentences *heard) {
    return fitted_with(rows, (encoder_choice){.indicators = true}, heard);
}

static inline table *applied(const encoder *self, const table *rows, size_t *unknown) {
    table *out;
    cnm_error err = {0};
    if (encoder_apply(self, rows, &out, unknown, &err) != CNM_OK) {
        fail_msg("%s", err.message);
    }
    return out;
}

/* Asserts the names of all features, joined by blanks. */
static inline void assert_features(const encoder *self, const char *expected) {
    char joined[4096] = "";
    for (size_t i = 0; i < self->features; i++) {
        const size_t used = strlen(joined);
        (void)snprintf(joined + used, sizeof joined - used, "%s%s", i == 0 ? "" : " ", self->names[i]);
    }
    assert_string_equal(joined, expected);
}

#endif
