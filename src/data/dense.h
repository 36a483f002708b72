/* Batches of dense rows, whatever format they come from: base, missing cells, labels and weights. A format gives one row of
 * doubles after the other. Only the files of this room use it. */
#ifndef CNM_DATA_DENSE_H
#define CNM_DATA_DENSE_H

#include "data/columns.h"

/* A row as the format reads it. */
typedef struct dense_row {
    double *cells;     /* (features), NaN where missing */
    const char *label; /* text of a labelled row, or NULL: then label_number counts */
    size_t label_length;
    double label_number, weight;
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
    size_t places_capacity, weights_capacity;
    bool begun, ended;
} dense_reader;

void dense_free(dense_reader *self);

/* Adds up to max_rows rows to an empty table. */
cnm_status dense_batch(dense_reader *self, size_t max_rows, table *out, cnm_error *err);

#endif
