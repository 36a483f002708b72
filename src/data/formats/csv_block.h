/* Rows of separated values of one block of lines. Only the files of this room use it. */
#ifndef CNM_DATA_FORMATS_CSV_BLOCK_H
#define CNM_DATA_FORMATS_CSV_BLOCK_H

#include "data/formats/csv_rows.h"

typedef struct csv_block {
    text_block text;  /* its status also tells of the first line that is no row */
    bool quoted;      /* it has a quote */
    table rows;       /* those before anything failed; names and base are borrowed */
    double *cells;    /* (features) scratch */
    double *ahead;    /* (NUMBERS_ROOM) scratch */
    cnm_status check; /* of the first row that cannot be taken for its label, weight or size */
    cnm_error check_err;
    dense_gaps gaps; /* missing cells where none may be, in all of the block */
    bool gapped;     /* they end the rows */
} csv_block;

/* Reads the rows of a block, different ones at the same time. like: how; dense: begun. */
void csv_block_read(csv_block *self, const csv_rows *like, const dense_reader *dense);
/* Leaves an empty block, which may be filled again. */
void csv_block_free(csv_block *self);

#endif
