/* Batches of dense rows, whatever format they come from: base, missing cells, labels, weights and groups. A format gives one row of
 * doubles after the other. Only the files of this room use it. */
#ifndef CNM_DATA_READ_DENSE_ROWS_H
#define CNM_DATA_READ_DENSE_ROWS_H

#include "data/read/column_plan.h"

/* A row as the format reads it. */
typedef struct dense_row {
    double *cells;     /* (features), NaN where missing */
    const char *label; /* text of a labelled row, or NULL: then label_number counts */
    size_t label_length;
    bool label_is_number; /* label_number is what the text says */
    bool full;            /* no cell is missing; false where the format does not know */
    double label_number, weight;
    uint64_t group;
    size_t place; /* line of a text file, row of another, from 1 */
} dense_row;

/* Fills row; *more = false at the end. */
typedef cnm_status (*dense_next)(void *state, dense_row *row, bool *more, cnm_error *err);

typedef struct dense_reader {
    const char *file;           /* for messages */
    const char *place;          /* what a row is counted in: "line" or "row" */
    const column_plan *columns; /* borrowed */
    bool labelled;
    bool exact; /* every value is a float already: no base is needed */
    const reader_options *options;
    dense_next next;
    void *state;
    /* The rest is dense.c's own; zero. */
    double *base; /* (features) or NULL */
    double *head; /* (head_rows, features): the first rows, in double until base is known; then one row */
    size_t head_rows, head_at, head_capacity;
    size_t *places;
    label_column labels; /* of the head */
    double *weights;
    uint64_t *groups;
    size_t places_capacity, weights_capacity, groups_capacity;
    bool begun, ended;
} dense_reader;

void dense_free(dense_reader *self);

/* Adds up to max_rows rows to an empty table. */
cnm_status dense_batch(dense_reader *self, size_t max_rows, table *out, cnm_error *err);

/* The same in parts, for a format whose rows come from several threads. First the head, by self->state: */
cnm_status dense_begin(dense_reader *self, cnm_error *err);
/* Its rows, to a table that may have some. */
cnm_status dense_head(dense_reader *self, size_t max_rows, table *out, cnm_error *err);

/* Missing cells where none may be. */
typedef struct dense_gaps {
    size_t cells, rows;   /* that have any */
    size_t place, column; /* of the first */
} dense_gaps;

typedef struct dense_end {
    bool ended;  /* there are no more rows */
    bool broken; /* the format refused a row; otherwise what failed is a row's weight, label or size */
    dense_gaps gaps;
} dense_end;

/* Then rows behind the head, from any state that self->next knows, by as many threads as there are states. cells: (features) of
 * scratch. With MISSING_ERROR the first missing cell ends the rows, and all that follow are counted in end->gaps. */
cnm_status dense_read(const dense_reader *self, void *state, double *cells, size_t max_rows, table *out, dense_end *end,
                      cnm_error *err);
/* Notes the missing cells of one row. */
void dense_note_gaps(dense_gaps *self, const dense_row *row, size_t features);
/* Counts the missing cells in what is left. */
cnm_status dense_count(const dense_reader *self, void *state, double *cells, dense_gaps *gaps, cnm_error *err);
void dense_add_gaps(dense_gaps *self, const dense_gaps *behind);
/* The sentence on missing cells. */
cnm_status dense_gaps_error(const dense_reader *self, const dense_gaps *gaps, cnm_error *err);
/* Puts the file and the place of a row before err's message; returns status. */
cnm_status dense_place(const dense_reader *self, size_t place, cnm_status status, cnm_error *err);
/* Shape of a table that only borrows names and base. */
void dense_shape(const dense_reader *self, table *out);

#endif
