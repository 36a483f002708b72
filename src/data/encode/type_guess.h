/* Finds the type of a column from cells of its text: a sample of a file's rows, or the words of a
 * column of a data frame. Missing cells are not noted. */
#ifndef CNM_DATA_ENCODE_TYPE_GUESS_H
#define CNM_DATA_ENCODE_TYPE_GUESS_H

#include "data/table/column_type.h"

enum { NUMBER_FORMATS = 10, TIME_FORMATS = 4 };

/* Counts of cells that fit each way of writing. Zero-initialised; of fixed size. */
typedef struct type_guess {
    size_t cells;
    size_t plain;                   /* plain numbers, true and false included */
    size_t numbers[NUMBER_FORMATS]; /* by the rows of a table in type_guess.c: decimal point or comma,
                                     * with each separator of thousands, and units */
    size_t surely_commas;           /* that fit a decimal comma and no point: 29515,36 and 1.459,50 */
    size_t times[TIME_FORMATS];     /* by time_order */
    size_t units;                   /* numbers that have one */
} type_guess;

/* Notes one cell of `count` equal ones. */
void type_guess_note(type_guess *self, const char *text, size_t length, size_t count);

/* Returns the type that most cells have: numbers or times where all fit but 2 % of the cells, or
 * but one of ten or more (the others are errors for the reader to report), else COLUMN_WORDS. A
 * column that fits two ways alike is taken as plain numbers before numbers with separators or
 * units, and has a day before a month. Without any cell: plain numbers. decimal: ',' or '.' where
 * the file or the user settles what a single comma or point is; 0: open, then 1,460 is a thousand,
 * and 1.460 is not. With ',' also whole numbers and 1.460, a thousand, are of that format, as
 * later cells may be. out->words stays empty. */
column_type type_guess_end(const type_guess *self, char decimal);

/* Returns whether this column shows that the file writes decimal commas: most of its cells are
 * numbers with them, and some are nothing else. */
bool type_guess_has_decimal_commas(const type_guess *self);

/* Returns whether nine in ten cells of a column of 20 or more are numbers, or times, of one format:
 * too few for type_guess_end. */
bool type_guess_is_mostly_values(const type_guess *self);

/* Returns whether no cell of a column of one or more is a number or a time of any format. */
bool type_guess_is_all_words(const type_guess *self);

#endif
