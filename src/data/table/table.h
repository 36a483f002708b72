/* Rows in memory with their labels, names, weights and groups. Owned; a rows_view of it is
 * borrowed. */
#ifndef CNM_DATA_TABLE_TABLE_H
#define CNM_DATA_TABLE_TABLE_H

#include "base/core/rows_view.h"
#include "cnm/types.h"
#include "data/table/column_type.h"
#include "data/table/text_column.h"

/* Labels, one per row. Numbers stay numbers as long as all are: "-1.0" and "-1" are the same label.
 * Once a word appears, all are words (numbers in their shortest form), kept as codes into a
 * dictionary in order of first appearance. */
typedef struct label_column {
    size_t rows, capacity;
    double *numbers;  /* (rows) when words.texts is NULL */
    int32_t *codes;   /* (rows) when there are words */
    dictionary words; /* texts: NULL while all labels are numbers */
} label_column;

/* Rows with their labels, names, weights and groups. */
typedef struct table {
    size_t rows, columns;
    float *values;   /* dense (rows, columns), or the values of CSR rows */
    size_t *starts;  /* CSR: (rows + 1); NULL when dense */
    uint32_t *index; /* CSR: (starts[rows]) */
    double *base;    /* (columns) or NULL; see rows_view */
    char **names;    /* (columns) or NULL */
    /* (columns) or NULL: all are plain numbers. A cell of COLUMN_WORDS is the number of its word in
     * the column's dictionary, one of COLUMN_TIME is in days; NaN is missing. */
    column_type *types;
    bool labelled;
    label_column labels;
    float *weights;   /* (rows) or NULL; from --weight-column */
    uint64_t *groups; /* (rows) or NULL; from --group-column: a number for each group */
    bool identified;
    text_column ids; /* of --id, where the rows are identified */
    size_t missing;  /* cells with NaN because they were empty, ?, NA or nan; with MISSING_KEEP */
    size_t stride;   /* dense: floats from row to row; 0 means columns, unless the table borrows */
    bool borrowed;   /* values, starts and index belong to the caller */
    /* Sizes that are allocated: cells of values and index, rows of starts, weights and groups. For
     * the functions that add rows. */
    size_t cell_capacity, index_capacity, start_capacity, weight_capacity, group_capacity;
} table;

cnm_status table_create(table **out, cnm_error *err);
void table_destroy(table *self);
rows_view table_view(const table *self);

/* Adds the label of one more row, a number. */
cnm_status labels_add_number(label_column *self, double value, cnm_error *err);
/* Adds the label of one more row, a word or a number as text. */
cnm_status labels_add_text(label_column *self, const char *text, size_t length, cnm_error *err);
/* Writes the label of a row as text (numbers in shortest form) into a buffer of `size` bytes;
 * returns the full length. */
size_t labels_text(const label_column *self, size_t row, char *out, size_t size);
void labels_free(label_column *self);

/* Appends all labels of other. */
cnm_status labels_append(label_column *self, const label_column *other, cnm_error *err);
/* Appends the labels of count rows of other, from `first` on. */
cnm_status labels_append_rows(label_column *self, const label_column *other, size_t first, size_t count,
                              cnm_error *err);
/* Appends other's label of one row. */
cnm_status labels_add_from(label_column *self, const label_column *other, size_t row, cnm_error *err);

/* Appends other's rows. An empty self takes other's shape; else both need the same representation
 * and, where dense, the same columns of the same kinds; CSR rows take the larger number of columns.
 * Words that are new get numbers in order of first appearance. */
cnm_status table_append(table *self, const table *other, cnm_error *err);

/* Appends count rows of other, from `first` on; missing cells are counted anew. On failure self is
 * good only for table_destroy. */
cnm_status table_append_rows(table *self, const table *other, size_t first, size_t count, cnm_error *err);

/* Reserves memory for so many rows and stored cells, so that they need not be moved as the table
 * grows; a failure is ignored. */
void table_reserve(table *self, size_t rows, size_t cells);

/* Turns CSR rows into dense ones when more than a third of the cells are stored. */
cnm_status table_settle(table *self, cnm_error *err);

/* Keeps the rows order[0 .. count) in that order. */
cnm_status table_keep(table *self, const size_t *order, size_t count, cnm_error *err);

/* Creates a table of the rows order[0 .. count) in that order; self stays as it is. */
cnm_status table_select(table **out, const table *self, const size_t *order, size_t count, cnm_error *err);

/* Copies borrowed arrays, so that self may be changed; does nothing when self owns its arrays. */
cnm_status table_own(table *self, cnm_error *err);

/* Replaces labels in the comma-separated list by 1, all others by -1 (numbers). Fails on an entry
 * that no row has. */
cnm_status table_set_positive(table *self, const char *list, cnm_error *err);
/* Does the same for one batch of many, which need not have every label of the list. */
cnm_status table_mark_positive(table *self, const char *list, cnm_error *err);

/* Returns a checksum of all values, kinds of columns, words, labels, weights and groups, not of
 * names: against accidents, not against malice. */
uint64_t table_checksum(const table *self);

/* Fills NaN cells with each column's mean where means is NULL, else with means (columns); copies
 * the fill values to used (columns), unless that is NULL. Missing words stay missing. */
cnm_status table_fill_missing(table *self, const double *means, double *used, cnm_error *err);

#endif
