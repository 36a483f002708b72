/* The value of one cell of text, as a column's type says it is written. Pure functions of the text:
 * no locale, no allocation. */
#ifndef CNM_DATA_ENCODE_CELL_READ_H
#define CNM_DATA_ENCODE_CELL_READ_H

#include "data/table/column_type.h"

/* Reads the whole text as a finite or infinite number (or true, false: 1, 0) or as a time; returns
 * false where it is neither. `type` is not COLUMN_WORDS. Blanks around the text are allowed. */
bool cell_read(const column_type *type, const char *text, size_t length, double *value);

/* Returns whether the text stands for a missing cell: it is empty, one of pandas' markers (NA,
 * N/A, #N/A, NaN, null, None, <NA>, ...), or one of - . ? \N, in any case; or it is one of `more`,
 * a list separated by commas, or NULL. */
bool cell_stands_for_missing(const char *text, size_t length, const char *more);

/* The same for a label. None, - and . are classes there: + and -, or no illness. */
bool cell_stands_for_missing_label(const char *text, size_t length, const char *more);

#endif
