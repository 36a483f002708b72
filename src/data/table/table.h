/* Rows in memory with their labels, names, weights and groups. Owned; a rows_view of it is borrowed. */
#ifndef CNM_DATA_TABLE_TABLE_H
#define CNM_DATA_TABLE_TABLE_H

#include "base/core/rows_view.h"
#include "cnm/types.h"

/* One label a row. Numbers stay numbers as long as all are: "-1.0" and "-1" are the same label. Once a word appears, all are
 * words (numbers in their shortest form), kept as codes into a dictionary in order of first appearance. */
typedef struct label_column {
    size_t rows, capacity;
    double *numbers; /* (rows) when words is NULL */
    int32_t *codes;  /* (rows) when there are words */
    char **words;    /* (word_count) */
    size_t word_count, word_capacity;
    void *lookup; /* the dictionary's own index */
} label_column;

typedef struct table {
    size_t rows, columns;
    float *values;   /* dense (rows, columns), or the values of CSR rows */
    size_t *starts;  /* CSR: (rows + 1); NULL when dense */
    uint32_t *index; /* CSR: (starts[rows]) */
    double *base;    /* (columns) or NULL; see rows_view */
    char **names;    /* (columns) or NULL */
    bool labelled;
    label_column labels;
    float *weights;   /* (rows) or NULL; from --weight-column */
    uint64_t *groups; /* (rows) or NULL; from --group-column: rows of the same number belong together */
    size_t missing;   /* cells that hold NaN because they were empty, ?, NA or nan; only with MISSING_KEEP */
    size_t stride;    /* dense: floats from row to row; 0 means columns, as in every table that owns its values */
    bool borrowed;    /* values, starts and index belong to the caller */
    /* What is allocated: cells of values (and index), rows of starts, weights and groups. For the functions that add rows. */
    size_t cell_capacity, index_capacity, start_capacity, weight_capacity, group_capacity;
} table;

cnm_status table_create(table **out, cnm_error *err);
void table_destroy(table *self);
rows_view table_view(const table *self);

cnm_status labels_add_number(label_column *self, double value, cnm_error *err);
/* The text may be a number. */
cnm_status labels_add_text(label_column *self, const char *text, size_t length, cnm_error *err);
/* Label of row i as text (numbers in shortest form) into a buffer of `size` bytes; returns the full length. */
size_t labels_text(const label_column *self, size_t row, char *out, size_t size);
void labels_free(label_column *self);

/* All labels of other behind those of self. */
cnm_status labels_append(label_column *self, const label_column *other, cnm_error *err);
/* The labels of count rows of other, from `first` on. */
cnm_status labels_append_rows(label_column *self, const label_column *other, size_t first, size_t count,
                              cnm_error *err);
/* Adds other's label of one row. */
cnm_status labels_add_from(label_column *self, const label_column *other, size_t row, cnm_error *err);

/* Appends other's rows to self (an empty table takes other's shape; else same columns, CSR takes the larger number of them; same
 * representation); other stays as it is. */
cnm_status table_append(table *self, const table *other, cnm_error *err);

/* The same for count rows of other, from `first` on; missing cells are counted anew. On failure self is good only for
 * table_destroy. */
cnm_status table_append_rows(table *self, const table *other, size_t first, size_t count, cnm_error *err);

/* Makes room for so many rows and stored cells, that they need not be moved as the table grows; a wish, not a need. */
void table_reserve(table *self, size_t rows, size_t cells);

/* CSR rows become dense when more than a third of the cells are stored. */
cnm_status table_settle(table *self, cnm_error *err);

/* Keeps the rows order[0 .. count) in that order. */
cnm_status table_keep(table *self, const size_t *order, size_t count, cnm_error *err);

/* A new table of the rows order[0 .. count) in that order; self stays as it is. */
cnm_status table_select(table **out, const table *self, const size_t *order, size_t count, cnm_error *err);

/* Copies borrowed arrays, so that self may be changed; nothing for a table that owns its arrays. */
cnm_status table_own(table *self, cnm_error *err);

/* Labels in the comma-separated list become "1", all others "-1" (as numbers). An entry that no row has is an error. */
cnm_status table_set_positive(table *self, const char *list, cnm_error *err);
/* The same for one batch of many, which need not have every label of the list. */
cnm_status table_mark_positive(table *self, const char *list, cnm_error *err);

/* Of all values, labels, weights and groups, not of names: against accidents, not against malice. */
uint64_t table_checksum(const table *self);

/* Fills NaN cells: with each column's mean where means is NULL, else with means (columns); used (columns, may be NULL) gets
 * what was filled in. */
cnm_status table_fill_missing(table *self, const double *means, double *used, cnm_error *err);

#endif
