/* The shape of a file of separated values. Only the files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_SHAPE_H
#define CNM_DATA_FORMATS_CSV_SHAPE_H

#include "data/read/column_plan.h"
#include "data/read/text_cells.h"

/* What numbers and times may be written with that is worth a notice. */
typedef enum example_kind {
    EXAMPLE_DECIMAL_COMMA,
    EXAMPLE_THOUSANDS,
    EXAMPLE_UNIT,
    EXAMPLE_DAY_OR_MONTH, /* a date that may have the day or the month first, as all of its column */
    EXAMPLE_STRAY,        /* a cell that makes a column of numbers or times one of words */
    EXAMPLE_KINDS
} example_kind;

enum { EXAMPLE_SIZE = 32 };

/* The first cell of that kind in a column that is read so. */
typedef struct cell_example {
    size_t column;
    char text[EXAMPLE_SIZE]; /* empty: there is none */
} cell_example;

typedef struct csv_shape {
    cell_style style;
    size_t skipped; /* comment and blank lines before the first row or header */
    bool header;
    bool counted; /* the header holds numbers: worth a notice */
    size_t columns;
    char **names;  /* (columns) when there is a header */
    bool *dropped; /* (columns): the options leave it out */
    column_guess guess;
    bool surprise; /* only numbers decided between the first and the last column: worth a notice */
    cell_example examples[EXAMPLE_KINDS];
} csv_shape;

#endif
