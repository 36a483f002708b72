/* Finds the type of a column from cells of its text: a sample of a file's rows, or the words of a
 * column of a data frame. Missing cells are not noted. */
#ifndef CNM_DATA_ENCODE_TYPE_GUESS_H
#define CNM_DATA_ENCODE_TYPE_GUESS_H

#include "data/table/column_type.h"

/* Counts of cells that fit each way of writing. Zero-initialised; of fixed size. */
typedef struct type_guess {
    size_t cells;
    size_t numbers;       /* plain numbers, true and false included */
    size_t dots;          /* that fit a decimal point, with commas, blanks or ' between thousands, and units */
    size_t commas;        /* that fit a decimal comma, with points, blanks or ' between thousands, and units */
    size_t surely_commas; /* of them those that a decimal point does not fit: 29515,36 and 1.459,50 */
    size_t times[4];      /* by time_order */
    size_t units;
    char thousands; /* the separator seen, or 0 */
    bool mixed;     /* more than one of them */
} type_guess;

/* Notes one cell of `count` equal ones. */
void type_guess_note(type_guess *self, const char *text, size_t length, size_t count);

/* Returns the type that most cells have: numbers or times where all but at most 2 % of the cells fit
 * (the others are errors for the reader to report), else COLUMN_WORDS. A column that fits two ways
 * is taken as plain numbers before numbers with separators or units, and a day before a month.
 * decimal: ',' or '.' where the file or the user settles what a single comma is; 0: open, then 1,460
 * is a thousand. out->words stays empty. */
column_type type_guess_end(const type_guess *self, char decimal);

/* Returns whether this column shows that the file writes decimal commas. */
bool type_guess_has_decimal_commas(const type_guess *self);

#endif
