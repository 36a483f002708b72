/* From columns as they are read (numbers, words, times, missing cells) to features, which are all
 * numbers. Fitted once on the training rows, kept in the model, applied to every later row.
 *
 *   a number or a time         one feature, the number itself
 *   words                      a feature of 0 and 1 for each frequent word, COLUMN=WORD, and one
 *                              for all other words together, COLUMN=other, where there are any
 *   many missing cells         one feature more, 1 where the cell is missing, COLUMN=missing
 *   constant, empty, row ids,  no feature
 *   words all different
 *
 * A missing number stays NaN here: the model's preprocessing fills it. A missing word sets all
 * features of its column to 0. encoder_fit.h has the rules by which columns are taken so.
 *
 * Rows whose features are their columns need no encoder: NULL stands for it everywhere. */
#ifndef CNM_DATA_ENCODE_ENCODER_H
#define CNM_DATA_ENCODE_ENCODER_H

#include "data/table/table.h"

typedef enum column_use {
    COLUMN_USED,
    COLUMN_CONSTANT,      /* one value in all rows */
    COLUMN_EMPTY,         /* no value in any row */
    COLUMN_ROW_ID,        /* numbers the rows */
    COLUMN_ALL_DIFFERENT, /* words that hardly repeat: names, remarks */
} column_use;

typedef struct column_encoding {
    char *name;       /* or NULL */
    column_type type; /* words: those with a feature of their own, sorted by their bytes */
    column_use use;
    bool other;     /* words: the last feature of the words stands for every other word */
    bool indicator; /* the last feature of the column is 1 where the cell is missing */
    size_t feature; /* the first of its features */
    double base;    /* what readers subtract from its cells; see rows_view */
} column_encoding;

typedef struct encoder {
    size_t columns, features;
    column_encoding *column; /* (columns) */
    char **names;            /* (features) */
} encoder;

/* How missing cells are treated, and which columns may be left out. */
typedef struct encoder_choice {
    bool no_missing; /* a missing word is an error */
    bool indicators; /* columns with many missing cells get an indicator */
    bool all;        /* the columns were chosen by hand: constant ones and row ids stay */
} encoder_choice;

/* Fits an encoder to the columns of these rows; *out = NULL where their features are their columns.
 * Sends callbacks->info a sentence for each kind of column that is not taken as it is. Fails with
 * CNM_BAD_DATA where no column has a feature. */
cnm_status encoder_fit(encoder **out, const table *rows, encoder_choice choice, const cnm_callbacks *callbacks,
                       cnm_error *err);

/* Creates the table of features of rows that have the encoder's columns in their order; labels,
 * weights and groups are copied. Words without a feature are counted in *unknown (may be NULL)
 * where the encoder has no feature for other words. A column of words where the encoder has
 * numbers or times is read word by word as its format says; fails with CNM_BAD_DATA, which names
 * the column and the word, where one cannot be. */
cnm_status encoder_apply(const encoder *self, const table *rows, table **out, size_t *unknown, cnm_error *err);

void encoder_destroy(encoder *self);

/* Write a list of columns, five at most and how many more, into a sentence of `size` bytes: those
 * of words, "city (12), sex (2)", with their numbers of features; those with an indicator; those
 * without a feature, "id (numbers the rows)". Return how many columns there are. */
size_t encoder_list_words(const encoder *self, char *sentence, size_t size);
size_t encoder_list_indicators(const encoder *self, char *sentence, size_t size);
size_t encoder_list_left_out(const encoder *self, char *sentence, size_t size);

/* The encoder as JSON, for the model file; *out is to be freed with memory_free. */
cnm_status encoder_to_text(const encoder *self, char **out, cnm_error *err);
/* Reads what encoder_to_text wrote. The text may be hostile: everything is checked. */
cnm_status encoder_from_text(encoder **out, const char *text, size_t length, cnm_error *err);
/* Makes the encoder of a model without one whose features have the names COLUMN=WORD (format cnm 2
 * before encoders, and cnm 1); *out = NULL where no name has that form. */
cnm_status encoder_from_names(encoder **out, char *const *names, const double *base, size_t count, cnm_error *err);

#endif
