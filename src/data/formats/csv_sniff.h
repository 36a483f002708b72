/* What a file of separated values looks like, told from its first lines. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_CSV_SNIFF_H
#define CNM_DATA_FORMATS_CSV_SNIFF_H

#include "data/read/text_cells.h"
#include "data/read/column_plan.h"
#include "data/read/lines.h"

typedef struct csv_shape {
    cell_style style;
    size_t skipped; /* comment and blank lines before the first row or header */
    bool header;
    bool counted; /* that holds numbers: worth a notice */
    size_t columns;
    char **names; /* (columns) when there is a header */
    column_guess guess;
    bool wordy;    /* some column has words */
    bool by_words; /* the label is the only named column of words, and not the last: worth a notice */
    bool surprise; /* numbers alone told whether it is the first or the last: worth a notice */
} csv_shape;

/* The first lines [bytes, bytes + size) decide; options override. Sets columns to 0 when there is no row at all. */
cnm_status csv_sniff(csv_shape *out, const char *bytes, size_t size, const reader_options *options, cnm_error *err);
void csv_shape_free(csv_shape *self);

#endif
