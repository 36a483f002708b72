/* What the files of the encoder share. Only the files of this folder use it. */
#ifndef CNM_DATA_ENCODE_ENCODER_PARTS_H
#define CNM_DATA_ENCODE_ENCODER_PARTS_H

#include "data/encode/encoder.h"

/* What is found in one column of the training rows. */
typedef struct column_facts {
    size_t missing;
    double first;  /* the first value */
    bool any;      /* there is a value */
    bool constant; /* all values are the first */
    bool whole;    /* all are whole numbers */
    bool in_order; /* the value of row i is first + i */
    size_t words;  /* different ones that occur */
} column_facts;

/* Creates an encoder of columns that are all used as numbers, without names. */
cnm_status encoder_create(encoder **out, size_t columns, cnm_error *err);

/* Gives the features their places and names, from what is known of the columns. */
cnm_status encoder_lay_out(encoder *self, cnm_error *err);

/* Returns how many features a column has. */
size_t column_features(const column_encoding *column);

/* Returns why a column has no feature: "all words different". */
const char *column_reason(column_use use);

/* Sends what the encoder does to callbacks->info; facts (columns). */
void encoder_summarise(const encoder *self, const column_facts *facts, const cnm_callbacks *callbacks);

/* Writes a column's name, or its number where it has none; returns out. */
enum { COLUMN_LABEL_SIZE = 72 };
const char *column_label(const encoder *self, size_t column, char out[COLUMN_LABEL_SIZE]);

#endif
