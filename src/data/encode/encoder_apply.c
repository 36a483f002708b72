/* Rows as columns become rows as features, column by column as a plan says. */
#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "base/text/text.h"
#include "data/encode/cell_read.h"
#include "data/encode/encoder_parts.h"
#include "data/table/table_types.h"

/* What to do with the cells of one column. */
typedef struct column_plan {
    /* For cells that are numbers of words: by word, the feature among those of the column that is 1
     * (-1: none), or the number that the word is read as. */
    int32_t *feature;
    float *value;
} column_plan;

typedef struct application {
    const encoder *encoder;
    const table *rows;
    table *out;
    column_plan *plans; /* (columns) */
    size_t unknown;
} application;

static void application_free(application *self) {
    for (size_t j = 0; self->plans != NULL && j < self->encoder->columns; j++) {
        memory_free(self->plans[j].feature);
        memory_free(self->plans[j].value);
    }
    memory_free(self->plans);
    table_destroy(self->out);
}

/* ---- The plan ---- */

/* Returns the feature of a word among those of its column, or -1. */
static int32_t find_feature(const column_encoding *column, const char *word, size_t length) {
    const int32_t found = dictionary_find(&column->type.words, word, length);
    return found >= 0 ? found : column->other ? (int32_t)column->type.words.count : -1;
}

static cnm_status plan_words(column_plan *plan, const column_encoding *column, const dictionary *words,
                             cnm_error *err) {
    TRY(memory_take(&plan->feature, words->count, sizeof *plan->feature, "words", err));
    for (size_t i = 0; i < words->count; i++) {
        plan->feature[i] = find_feature(column, words->texts[i], strlen(words->texts[i]));
    }
    return CNM_OK;
}

/* Reads a word as a number or a time, less the column's base. */
static cnm_status read_word(const application *self, size_t j, const char *word, float *out, cnm_error *err) {
    const column_encoding *column = &self->encoder->column[j];
    const size_t length = strlen(word);
    double value;
    const bool read = cell_read(&column->type, word, length, &value);
    if (!read && !cell_stands_for_missing(word, length, NULL)) {
        char label[COLUMN_LABEL_SIZE];
        return error_set(err, CNM_BAD_DATA, "column %s: found the word \"%.60s\", expected a %s",
                         column_label(self->encoder, j, label), word,
                         column->type.kind == COLUMN_TIME ? "time" : "number");
    }
    *out = read ? (float)(value - column->base) : NAN;
    return CNM_OK;
}

/* Reads the words that the column's cells have, each once; 0 stands for the others. */
static cnm_status plan_reading(application *self, size_t j, const dictionary *words, cnm_error *err) {
    const rows_view view = table_view(self->rows);
    column_plan *plan = &self->plans[j];
    bool *known;
    cnm_status status = CNM_OK;
    TRY(memory_zeroed(&known, words->count, sizeof *known, "words", err));
    TRY_DONE(memory_zeroed(&plan->value, words->count, sizeof *plan->value, "words", err));
    for (size_t i = 0; i < view.rows; i++) {
        const float cell = view.values[i * view.stride + j];
        if (!isnan(cell) && !known[(size_t)cell]) {
            known[(size_t)cell] = true;
            TRY_DONE(read_word(self, j, words->texts[(size_t)cell], &plan->value[(size_t)cell], err));
        }
    }
    self->out->base[self->encoder->column[j].feature] = self->encoder->column[j].base;
done:
    memory_free(known);
    return status;
}

static cnm_status plan_column(application *self, size_t j, cnm_error *err) {
    const column_encoding *column = &self->encoder->column[j];
    const column_kind given = table_kind(self->rows, j), wanted = column->type.kind;
    char label[COLUMN_LABEL_SIZE];
    if (column->use != COLUMN_USED) {
        return CNM_OK;
    }
    if (wanted != COLUMN_WORDS && given != COLUMN_WORDS && self->rows->base != NULL) {
        self->out->base[column->feature] = self->rows->base[j];
    }
    if (given == COLUMN_TIME && wanted != COLUMN_TIME) {
        return error_set(err, CNM_BAD_DATA, "column %s: found times, expected %s",
                         column_label(self->encoder, j, label), wanted == COLUMN_WORDS ? "words" : "numbers");
    }
    if (given != COLUMN_WORDS) {
        return CNM_OK;
    }
    const dictionary *words = &self->rows->types[j].words;
    return wanted == COLUMN_WORDS ? plan_words(&self->plans[j], column, words, err) : plan_reading(self, j, words, err);
}

/* ---- Rows ---- */

/* Returns the feature of a number where words are expected: its text is the word. */
static int32_t find_number(const application *self, size_t j, float cell) {
    const double base = self->rows->base == NULL ? 0.0 : self->rows->base[j];
    char text[TEXT_DOUBLE_SIZE];
    const size_t length = base == 0.0 ? text_from_float(text, cell) : text_from_double(text, (double)cell + base);
    return find_feature(&self->encoder->column[j], text, length);
}

static void encode_word(application *self, size_t j, float cell, float *out) {
    const column_plan *plan = &self->plans[j];
    const column_encoding *column = &self->encoder->column[j];
    if (isnan(cell)) {
        out[column->type.words.count + column->other] = 1.0F;
        return;
    }
    const int32_t feature = plan->feature != NULL ? plan->feature[(size_t)cell] : find_number(self, j, cell);
    self->unknown += feature < 0;
    if (feature >= 0) {
        out[feature] = 1.0F;
    }
}

/* Fills the features of a column, which are 0 so far. */
static void encode_cell(application *self, size_t j, float cell, float *out) {
    const column_plan *plan = &self->plans[j];
    const column_encoding *column = &self->encoder->column[j];
    if (column->type.kind == COLUMN_WORDS) {
        if (!isnan(cell) || column->indicator) {
            encode_word(self, j, cell, out);
        }
        return;
    }
    out[0] = plan->value != NULL && !isnan(cell) ? plan->value[(size_t)cell] : cell;
    if (isnan(out[0])) {
        self->out->missing++;
        if (column->indicator) {
            out[1] = 1.0F;
        }
    }
}

static void encode_rows(application *self) {
    const rows_view view = table_view(self->rows);
    const encoder *by = self->encoder;
    for (size_t i = 0; i < view.rows; i++) {
        const float *row = view.values + i * view.stride;
        float *out = self->out->values + i * by->features;
        for (size_t j = 0; j < by->columns; j++) {
            if (by->column[j].use == COLUMN_USED) {
                encode_cell(self, j, row[j], out + by->column[j].feature);
            }
        }
    }
}

/* ---- The table ---- */

static cnm_status copy_names(table *out, const encoder *from, cnm_error *err) {
    TRY(memory_zeroed(&out->names, from->features, sizeof *out->names, "names", err));
    for (size_t i = 0; i < from->features; i++) {
        TRY(memory_copy_text(&out->names[i], from->names[i], err));
    }
    return CNM_OK;
}

static cnm_status copy_sides(table *out, const table *from, cnm_error *err) {
    if (from->labelled) {
        TRY(labels_append(&out->labels, &from->labels, err));
        out->labelled = true;
    }
    if (from->weights != NULL) {
        TRY(memory_grow(&out->weights, &out->weight_capacity, from->rows, sizeof *out->weights, "weights", err));
        memcpy(out->weights, from->weights, from->rows * sizeof *out->weights);
    }
    if (from->groups != NULL) {
        TRY(memory_grow(&out->groups, &out->group_capacity, from->rows, sizeof *out->groups, "groups", err));
        memcpy(out->groups, from->groups, from->rows * sizeof *out->groups);
    }
    return CNM_OK;
}

/* Takes the arrays of the features: values of 0, names, and a base where any column has one. */
static cnm_status take_arrays(application *self, cnm_error *err) {
    table *out = self->out;
    const size_t rows = self->rows->rows, features = self->encoder->features;
    size_t cells;
    if (!size_multiply(rows, features, &cells)) {
        return error_set(err, CNM_NO_MEMORY, "out of memory: %zu rows of %zu features", rows, features);
    }
    TRY(memory_zeroed(&out->values, cells, sizeof *out->values, "features", err));
    out->cell_capacity = cells;
    out->rows = rows;
    out->columns = features;
    TRY(copy_names(out, self->encoder, err));
    return memory_zeroed(&out->base, features, sizeof *out->base, "features", err);
}

static void drop_zero_base(table *self) {
    for (size_t j = 0; j < self->columns; j++) {
        if (self->base[j] != 0.0) {
            return;
        }
    }
    memory_free(self->base);
    self->base = NULL;
}

cnm_status encoder_apply(const encoder *self, const table *rows, table **out, size_t *unknown, cnm_error *err) {
    application with = {.encoder = self, .rows = rows};
    cnm_status status = CNM_OK;
    *out = NULL;
    if (rows->columns != self->columns || rows->starts != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "the rows have %zu columns%s, the model expects %zu%s", rows->columns,
                         rows->starts != NULL ? ", which are sparse" : "", self->columns,
                         rows->starts != NULL ? " dense ones" : "");
    }
    TRY_DONE(table_create(&with.out, err));
    TRY_DONE(take_arrays(&with, err));
    TRY_DONE(memory_zeroed(&with.plans, self->columns, sizeof *with.plans, "columns", err));
    for (size_t j = 0; j < self->columns; j++) {
        TRY_DONE(plan_column(&with, j, err));
    }
    TRY_DONE(copy_sides(with.out, rows, err));
    encode_rows(&with);
    drop_zero_base(with.out);
    *out = with.out;
    with.out = NULL;
    if (unknown != NULL) {
        *unknown += with.unknown;
    }
done:
    application_free(&with);
    return status;
}
