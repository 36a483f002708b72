/* What the cells of one column are, and how their text is written: found in the cells of training
 * rows, kept in the model, and followed for every later row. */
#ifndef CNM_DATA_TABLE_COLUMN_TYPE_H
#define CNM_DATA_TABLE_COLUMN_TYPE_H

#include <stdbool.h>

#include "data/table/dictionary.h"

typedef enum column_kind {
    COLUMN_NUMBER, /* as text: a number as `format` has it, or true and false, which are 1 and 0 */
    COLUMN_WORDS,  /* any text */
    COLUMN_TIME    /* days since 1970-01-01T00:00 UTC; a time of day alone is a part of a day */
} column_kind;

/* The order of the parts of a date. Parts may be joined by - / . or a blank; a month may be an
 * English name or its first three letters. A time of day HH:MM[:SS[.fff]] [AM|PM] [Z|+HH:MM] may
 * follow any of them after a blank or T. data/encode/time_read.h has the details. */
typedef enum time_order {
    TIME_YEAR_MONTH_DAY, /* 2023-10-13 */
    TIME_DAY_MONTH_YEAR, /* 13.10.2023, 13 Oct 2023 */
    TIME_MONTH_DAY_YEAR, /* 10/13/2023, Oct 13, 2023 */
    TIME_OF_DAY          /* 23:59, 11:59 PM */
} time_order;

/* How numbers and times are written as text. All zero: plain numbers, 1234.5 or 1e-3. */
typedef struct cell_format {
    char decimal;   /* 0 or '.', or ',' */
    char thousands; /* between groups of three digits: ',', '.', ' ' (also the narrow and no-break
                     * blanks), '\'' or '_'; 0: none */
    bool units;     /* a currency sign or code before or behind, or % behind, is taken off */
    time_order order;
} cell_format;

typedef struct column_type {
    column_kind kind;
    cell_format format; /* of numbers and times */
    dictionary words;   /* of COLUMN_WORDS */
    bool categories;    /* of COLUMN_WORDS: they are words even where all are numbers or times */
} column_type;

#endif
