/* Batches of dense rows from any format: base, missing cells, labels, weights and groups. A format
 * gives one row of doubles after the other. Only the files of this module use it. */
#ifndef CNM_DATA_READ_DENSE_ROWS_H
#define CNM_DATA_READ_DENSE_ROWS_H

#include "data/read/column_plan.h"
#include "data/table/table.h"

/* A row as the format reads it. */
typedef struct dense_row {
    double *cells;      /* (features), NaN where missing; the number of a word in types */
    column_type *types; /* (features) to which new words are added; NULL: all are plain numbers */
    const char *id;     /* text that names the row, where the columns have an id */
    size_t id_length;
    const char *label; /* text of a labelled row, or NULL: then label_number counts */
    size_t label_length;
    bool label_is_number; /* label_number is what the text says */
    bool full;            /* no cell is missing; false where the format does not know */
    double label_number, weight;
    uint64_t group;
    size_t position; /* line of a text file, row of another, from 1 */
} dense_row;

/* Fills row; *more = false at the end. */
typedef cnm_status (*dense_next)(void *state, dense_row *row, bool *more, cnm_error *err);

typedef struct dense_rows {
    const char *file;           /* for messages */
    const char *unit;           /* what positions count: "line" or "row" */
    const column_plan *columns; /* borrowed */
    bool labelled;
    bool exact; /* every value is a float already: no base is needed */
    const reader_options *options;
    dense_next next;
    void *state;
    /* The rest belongs to dense_rows.c; zero at first. */
    double *base; /* (features) or NULL */
    double *head; /* (head_rows, features): the first rows, until base is known; then one row */
    size_t head_rows, head_at, head_capacity;
    size_t *positions;
    column_type *types;  /* (features) or NULL: words of the head */
    label_column labels; /* of the head */
    text_column ids;     /* of the head */
    double *weights;
    uint64_t *groups;
    size_t positions_capacity, weights_capacity, groups_capacity;
    bool begun, ended;
    cnm_status failed; /* of the row behind the head, which could not be read */
    cnm_error failure;
} dense_rows;

void dense_rows_free(dense_rows *self);

/* Adds up to max_rows rows to an empty table. */
cnm_status dense_rows_batch(dense_rows *self, size_t max_rows, table *out, cnm_error *err);

/* Reads the head. For a format whose rows come from several threads, which calls dense_rows_begin,
 * dense_rows_head and dense_rows_read in place of dense_rows_batch. */
cnm_status dense_rows_begin(dense_rows *self, cnm_error *err);
/* Adds rows of the head to a table that may have some; fails where the head has no more rows and a
 * row behind it could not be read. */
cnm_status dense_rows_head(dense_rows *self, size_t max_rows, table *out, cnm_error *err);

/* Missing cells where none are allowed. */
typedef struct missing_cells {
    size_t cells, rows;      /* rows that have such cells */
    size_t position, column; /* of the first */
} missing_cells;

typedef struct dense_end {
    bool ended;  /* there are no more rows */
    bool broken; /* the format refused a row; otherwise a row's weight, label or size is at fault */
    missing_cells missing;
} dense_end;

/* Reads rows behind the head, from any state that self->next knows, by as many threads as there are
 * states. cells: (features) of scratch. With MISSING_ERROR the first missing cell ends the rows,
 * and all that follow are counted in end->missing. */
cnm_status dense_rows_read(const dense_rows *self, void *state, double *cells, size_t max_rows, table *out,
                           dense_end *end, cnm_error *err);
/* Gives out the shape of a table that only borrows names, base and types. */
void dense_rows_shape(const dense_rows *self, table *out);
/* Puts the file and the position of a row before err's message; returns status. */
cnm_status dense_rows_position(const dense_rows *self, size_t position, cnm_status status, cnm_error *err);

/* Notes the missing cells of one row. */
void missing_cells_note(missing_cells *self, const dense_row *row, size_t features);
/* Counts the missing cells in the rows that are left. */
cnm_status missing_cells_count(const dense_rows *self, void *state, const dense_row *scratch, missing_cells *missing,
                               cnm_error *err);
/* Adds the missing cells of later rows. */
void missing_cells_add(missing_cells *self, const missing_cells *behind);
/* Reports the missing cells as an error. */
cnm_status missing_cells_error(const dense_rows *self, const missing_cells *missing, cnm_error *err);

#endif
