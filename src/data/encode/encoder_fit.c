/* Decides how each column of the training rows becomes features. The rules:
 *
 *   words      that are all numbers or times are read as such, except categories. Of others those
 *              in at least FEW_ROWS rows and a thousandth of all, and of these the MOST_WORDS most
 *              frequent, get a feature each; the rest share COLUMN=other. A column without such
 *              words is left out, and one of more than SOME words with nine different ones in ten
 *              rows or more
 *   row ids    whole numbers, all different, in a column named id, index, row or the like
 *              (row_id.h); or the first column, where it counts the rows from 0 or 1 in their order
 *   constant   and empty columns are left out
 *   missing    cells in at least 5 % of the rows, and in at least LEAST_MISSING, get an indicator
 *
 * Rows without column names and types (arrays, LIBSVM) keep constant columns and row ids; so do
 * wide tables of plain numbers constant ones, whose places may have a meaning (pixels, spectra). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "data/encode/cell_read.h"
#include "data/encode/encoder_parts.h"
#include "data/encode/row_id.h"
#include "data/encode/type_guess.h"
#include "data/table/table_types.h"

enum {
    MOST_WORDS = 100,   /* features of one column's words: 100 words cover nearly all rows of most columns */
    FEW_ROWS = 2,       /* a word of one row says nothing about others */
    SHARE_ROWS = 1000,  /* nor does one of less than a thousandth of the rows */
    SOME = 20,          /* so many different words, or fewer, may be all that there are */
    LEAST_MISSING = 5,  /* rows with missing cells, for an indicator */
    SHARE_MISSING = 20, /* a twentieth of the rows, likewise */
    WIDE = 64           /* columns: the fewest pixels of an image, detect_images.c */
};

/* What a fit shares. */
typedef struct fitting {
    const table *rows;
    encoder_choice choice;
    bool may_leave_out, keeps_constants;
    encoder *encoder;
    column_facts *facts; /* (columns) */
    double **readings;   /* (columns) of words that are all numbers or times: these, by word; else NULL */
} fitting;

/* ---- Facts ---- */

static void note_cell(column_facts *self, size_t row, double value) {
    if (isnan(value)) {
        self->missing++;
        return;
    }
    if (!self->any) {
        *self = (column_facts){.missing = self->missing,
                               .first = value,
                               .any = true,
                               .constant = true,
                               .whole = true,
                               .in_order = row == 0};
    }
    self->constant = self->constant && value == self->first;
    self->whole = self->whole && value == floor(value) && fabs(value) < 0x1p53;
    self->in_order = self->in_order && value == self->first + (double)row;
}

/* Returns the true value of a cell; of a word that is none, its number. */
static double value_of(const fitting *self, size_t j, float cell) {
    const double *base = self->rows->base, *reading = self->readings[j];
    return isnan(cell) ? NAN : reading != NULL ? reading[(size_t)cell] : (double)cell + (base == NULL ? 0.0 : base[j]);
}

static void find_facts(const fitting *self) {
    const rows_view view = table_view(self->rows);
    for (size_t i = 0; i < view.rows; i++) {
        const float *row = view.values + i * view.stride;
        for (size_t j = 0; j < view.columns; j++) {
            note_cell(&self->facts[j], i, value_of(self, j, row[j]));
        }
    }
}

/* ---- Words that are numbers or times ---- */

/* Reads all words by a type; returns false where one is neither a value nor a missing one. */
static bool read_all(const column_type *type, const dictionary *words, double *values) {
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->texts[i];
        const size_t length = strlen(word);
        const bool read = cell_read(type, word, length, &values[i]);
        if (!read && !cell_stands_for_missing(word, length, NULL)) {
            return false;
        }
        values[i] = read && isfinite(values[i]) ? values[i] : NAN;
    }
    return true;
}

/* Returns what readers would subtract from the column: its first value where that is large against
 * the spread of the values. */
static double base_of(const double *values, size_t count) {
    double low = INFINITY, high = -INFINITY, first = 0.0;
    for (size_t i = count; i-- > 0;) {
        first = isnan(values[i]) ? first : values[i];
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return fmax(fabs(low), fabs(high)) > 256.0 * (high - low) ? first : 0.0;
}

/* Takes a column of words for one of numbers or times, where all its words are. */
static cnm_status read_words(fitting *self, size_t j, cnm_error *err) {
    column_encoding *column = &self->encoder->column[j];
    const dictionary *words = &self->rows->types[j].words;
    type_guess guess = {0};
    for (size_t i = 0; i < words->count; i++) {
        const size_t length = strlen(words->texts[i]);
        if (!cell_stands_for_missing(words->texts[i], length, NULL)) {
            type_guess_note(&guess, words->texts[i], length, 1);
        }
    }
    const column_type type = type_guess_end(&guess, '\0');
    if (guess.cells == 0 || type.kind == COLUMN_WORDS) {
        return CNM_OK;
    }
    TRY(memory_take(&self->readings[j], words->count, sizeof *self->readings[j], "words", err));
    if (!read_all(&type, words, self->readings[j])) {
        memory_free(self->readings[j]);
        self->readings[j] = NULL;
        return CNM_OK;
    }
    column->type.kind = type.kind;
    column->type.format = type.format;
    column->base = base_of(self->readings[j], words->count);
    return CNM_OK;
}

/* ---- Words ---- */

/* A word and how many rows have it. */
typedef struct word_count {
    const char *text;
    size_t rows;
} word_count;

/* Puts the most frequent first, equal ones by their bytes. */
static int by_rows(const void *a, const void *b) {
    const word_count *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : strcmp(x->text, y->text);
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(((const word_count *)a)->text, ((const word_count *)b)->text);
}

static void count_words(const table *rows, size_t column, word_count *counts) {
    const rows_view view = table_view(rows);
    const dictionary *words = &rows->types[column].words;
    for (size_t i = 0; i < words->count; i++) {
        counts[i] = (word_count){words->texts[i], 0};
    }
    for (size_t i = 0; i < view.rows; i++) {
        const float cell = view.values[i * view.stride + column];
        if (!isnan(cell)) {
            counts[(size_t)cell].rows++;
        }
    }
}

/* Returns whether hardly any word repeats. */
static bool all_different(size_t words, size_t present) {
    return words > SOME && (double)words >= 0.9 * (double)present;
}

/* Gives the frequent words of counts (count) features, in order of their bytes. */
static cnm_status choose_words(column_encoding *column, column_facts *facts, word_count *counts, size_t count,
                               size_t rows, cnm_error *err) {
    const size_t share = (rows + SHARE_ROWS - 1) / SHARE_ROWS, least = share > FEW_ROWS ? share : FEW_ROWS;
    size_t kept = 0;
    qsort(counts, count, sizeof *counts, by_rows);
    while (facts->words < count && counts[facts->words].rows > 0) {
        facts->words++;
    }
    while (kept < facts->words && kept < MOST_WORDS && counts[kept].rows >= least) {
        kept++;
    }
    if (facts->words > 1 && (kept == 0 || all_different(facts->words, rows - facts->missing))) {
        column->use = COLUMN_ALL_DIFFERENT;
        return CNM_OK;
    }
    kept = facts->words == 1 ? 1 : kept;
    qsort(counts, kept, sizeof *counts, by_bytes);
    for (size_t i = 0; i < kept; i++) {
        int32_t code;
        TRY(dictionary_add(&column->type.words, counts[i].text, strlen(counts[i].text), &code, err));
    }
    column->other = kept < facts->words;
    return CNM_OK;
}

static cnm_status fit_words(const fitting *self, size_t j, cnm_error *err) {
    const dictionary *words = &self->rows->types[j].words;
    word_count *counts;
    TRY(memory_take(&counts, words->count, sizeof *counts, "words", err));
    count_words(self->rows, j, counts);
    const cnm_status status =
        choose_words(&self->encoder->column[j], &self->facts[j], counts, words->count, self->rows->rows, err);
    memory_free(counts);
    return status;
}

/* ---- Columns ---- */

/* *is = whether a column of whole numbers, none missing, numbers the rows. */
static cnm_status find_row_id(const fitting *self, size_t j, bool *is, cnm_error *err) {
    const rows_view view = table_view(self->rows);
    id_candidate candidate = {.name = self->encoder->column[j].name,
                              .rows = view.rows,
                              .leads = j == 0 && view.columns > 1,
                              .in_order = self->facts[j].in_order};
    TRY(memory_take(&candidate.values, view.rows, sizeof *candidate.values, "a column", err));
    for (size_t i = 0; i < view.rows; i++) {
        candidate.values[i] = value_of(self, j, view.values[i * view.stride + j]);
    }
    *is = row_id_numbers(&candidate);
    memory_free(candidate.values);
    return CNM_OK;
}

/* Leaves a column out where it says nothing about a row. */
static cnm_status choose_use(const fitting *self, size_t j, cnm_error *err) {
    column_encoding *column = &self->encoder->column[j];
    const column_facts *facts = &self->facts[j];
    const bool words = column->type.kind == COLUMN_WORDS, leaves_out = self->may_leave_out && !self->choice.all;
    bool numbers_rows = false;
    if (!facts->any) {
        column->use = self->may_leave_out ? COLUMN_EMPTY : COLUMN_USED;
        return CNM_OK;
    }
    if (facts->constant && !column->indicator && (facts->missing == 0 || !words)) {
        column->use = leaves_out && !self->keeps_constants ? COLUMN_CONSTANT : COLUMN_USED;
        return CNM_OK;
    }
    if (leaves_out && column->type.kind == COLUMN_NUMBER && facts->whole && facts->missing == 0) {
        TRY(find_row_id(self, j, &numbers_rows, err));
        column->use = numbers_rows ? COLUMN_ROW_ID : COLUMN_USED;
    }
    return CNM_OK;
}

static cnm_status copy_type(fitting *self, size_t j, cnm_error *err) {
    column_encoding *column = &self->encoder->column[j];
    const table *rows = self->rows;
    column->type.kind = table_kind(rows, j);
    if (rows->types != NULL && column->type.kind != COLUMN_WORDS) {
        column->type.format = rows->types[j].format;
    }
    TRY(rows->names == NULL ? CNM_OK : memory_copy_text(&column->name, rows->names[j], err));
    if (column->type.kind == COLUMN_WORDS) {
        return rows->types[j].categories ? CNM_OK : read_words(self, j, err);
    }
    column->base = rows->base == NULL ? 0.0 : rows->base[j];
    return CNM_OK;
}

static cnm_status fit_column(const fitting *self, size_t j, cnm_error *err) {
    column_encoding *column = &self->encoder->column[j];
    const size_t missing = self->facts[j].missing;
    const bool words = column->type.kind == COLUMN_WORDS;
    if (words && missing > 0 && self->choice.no_missing) {
        char label[COLUMN_LABEL_SIZE];
        return error_set(err, CNM_BAD_DATA, "column %s: %zu missing cells, which --missing auto takes",
                         column_label(self->encoder, j, label), missing);
    }
    column->indicator = self->choice.indicators && self->facts[j].any && missing >= LEAST_MISSING &&
                        missing >= (self->rows->rows + SHARE_MISSING - 1) / SHARE_MISSING;
    TRY(choose_use(self, j, err));
    if (words && column->use == COLUMN_USED) {
        TRY(fit_words(self, j, err));
    }
    column->indicator = column->indicator && column->use == COLUMN_USED;
    return CNM_OK;
}

/* ---- All columns ---- */

/* Returns whether the features of a column are the column: plain numbers. */
static bool is_plain(const column_encoding *column) {
    static const cell_format PLAIN;
    const cell_format *format = &column->type.format;
    return column->use == COLUMN_USED && column->type.kind == COLUMN_NUMBER && !column->indicator &&
           (format->decimal == PLAIN.decimal || format->decimal == '.') && format->thousands == PLAIN.thousands &&
           !format->units;
}

static bool all_plain(const encoder *self, const table *rows) {
    for (size_t j = 0; j < self->columns; j++) {
        if (!is_plain(&self->column[j]) || table_kind(rows, j) != COLUMN_NUMBER) {
            return false;
        }
    }
    return true;
}

static bool all_numbers(const table *rows) {
    for (size_t j = 0; j < rows->columns; j++) {
        if (table_kind(rows, j) != COLUMN_NUMBER) {
            return false;
        }
    }
    return true;
}

static cnm_status fail_without_features(const encoder *self, cnm_error *err) {
    char sentence[CNM_MESSAGE_SIZE];
    (void)encoder_list_left_out(self, sentence, sizeof sentence);
    return error_set(err, CNM_BAD_DATA,
                     "no column is left to learn from: left out are %.300s; --columns takes numbers as they are",
                     sentence);
}

static cnm_status fit_all(fitting *self, cnm_error *err) {
    const table *rows = self->rows;
    TRY(encoder_create(&self->encoder, rows->columns, err));
    TRY(memory_zeroed(&self->facts, rows->columns, sizeof *self->facts, "columns", err));
    TRY(memory_zeroed(&self->readings, rows->columns, sizeof *self->readings, "columns", err));
    for (size_t j = 0; j < rows->columns; j++) {
        TRY(copy_type(self, j, err));
    }
    find_facts(self);
    for (size_t j = 0; j < rows->columns; j++) {
        TRY(fit_column(self, j, err));
    }
    TRY(encoder_lay_out(self->encoder, err));
    return self->encoder->features == 0 ? fail_without_features(self->encoder, err) : CNM_OK;
}

cnm_status encoder_fit(encoder **out, const table *rows, encoder_choice choice, const cnm_callbacks *callbacks,
                       cnm_error *err) {
    fitting self = {.rows = rows,
                    .choice = choice,
                    .may_leave_out = rows->names != NULL || rows->types != NULL,
                    .keeps_constants = rows->columns >= WIDE && all_numbers(rows)};
    cnm_status status = CNM_OK;
    *out = NULL;
    const rows_view view = table_view(rows);
    if (rows_are_sparse(&view) || rows->rows == 0 || rows->columns == 0 ||
        (!self.may_leave_out && !rows_have_nan(&view))) {
        return CNM_OK;
    }
    TRY_DONE(fit_all(&self, err));
    encoder_summarise(self.encoder, self.facts, callbacks);
    if (!all_plain(self.encoder, rows)) {
        *out = self.encoder;
        self.encoder = NULL;
    }
done:
    encoder_destroy(self.encoder);
    for (size_t j = 0; self.readings != NULL && j < rows->columns; j++) {
        memory_free(self.readings[j]);
    }
    memory_free(self.readings);
    memory_free(self.facts);
    return status;
}
