/* Rows of separated values of one block of lines. Only the files of this module use it. */
#ifndef CNM_DATA_FORMATS_CSV_BLOCK_H
#define CNM_DATA_FORMATS_CSV_BLOCK_H

#include "data/formats/csv_rows.h"
#include "data/read/line_blocks.h"

typedef struct csv_block {
    line_block text;  /* its status is also that of the first line that is no row */
    bool quoted;      /* it has a quote */
    table rows;       /* the rows before a failure; names and base are borrowed */
    double *cells;    /* (features) scratch */
    double *ahead;    /* (NUMBERS_ROOM) scratch */
    cnm_status check; /* of the first row that is refused for its label, weight or size */
    cnm_error check_err;
    missing_cells missing; /* missing cells where none are allowed, in all of the block */
    bool ends_missing;     /* missing cells end the rows */
} csv_block;

/* Reads the rows of a block; different blocks at the same time. like: how rows are read; dense: one
 * that has begun. */
void csv_block_read(csv_block *self, const csv_rows *like, const dense_rows *dense);
/* Leaves an empty block, which may be filled again. */
void csv_block_free(csv_block *self);

#endif
