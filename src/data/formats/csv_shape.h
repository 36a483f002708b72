/* The shape of a file of separated values. Only the files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_SHAPE_H
#define CNM_DATA_FORMATS_CSV_SHAPE_H

#include "data/read/column_plan.h"
#include "data/read/text_cells.h"

typedef struct csv_shape {
    cell_style style;
    size_t skipped; /* comment and blank lines before the first row or header */
    bool header;
    bool counted; /* the header holds numbers: worth a notice */
    size_t columns;
    char **names;  /* (columns) when there is a header */
    bool *dropped; /* (columns): the options leave it out */
    column_guess guess;
    bool wordy;    /* some column has words */
    bool by_words; /* the label is the only named column of words, and not last: worth a notice */
    bool surprise; /* only numbers decided between the first and the last column: worth a notice */
} csv_shape;

#endif
