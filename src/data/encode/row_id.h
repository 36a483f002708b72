/* Recognises columns that number the rows: they say nothing about a row that is not in the file.
 * Only the files of this folder use it. */
#ifndef CNM_DATA_ENCODE_ROW_ID_H
#define CNM_DATA_ENCODE_ROW_ID_H

#include <stdbool.h>

#include "cnm/types.h"

/* A column of whole numbers, none missing. */
typedef struct id_candidate {
    const char *name; /* or NULL */
    double *values;   /* (rows) */
    size_t rows;
    bool leads;    /* it is the first of several columns */
    bool in_order; /* the value of row i is that of row 0 plus i */
} id_candidate;

/* Returns whether a column numbers the rows; sorts its values.
 *
 *   by its name      id, index, idx, row, row number, Unnamed: 0 or the like, or one that ends with
 *                    id as a word (user_id, PassengerId): the numbers are all different and follow
 *                    each other in some order; or more than 20 of them are, by nine in ten,
 *                    different
 *   by its place     the first of several columns, of 20 rows or more: counts from 0 or 1 in the
 *                    order of the rows, and its name is not that of a time or of x */
bool row_id_numbers(const id_candidate *self);

/* Returns whether a column's name says that it numbers rows. */
bool row_id_names(const char *name);

#endif
