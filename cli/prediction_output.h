/* Writes predictions: one a line, or as a table of separated values with a header. */
#ifndef CNM_CLI_PREDICTION_OUTPUT_H
#define CNM_CLI_PREDICTION_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "cnm/cnm.h"

/* How predictions are written. Lines hold the prediction, then the numbers that are asked for,
 * blanks between them. A table has the columns ID, prediction, and score_LABEL or
 * probability_LABEL. */
typedef struct prediction_output {
    FILE *stream;           /* borrowed */
    const cnm_model *model; /* borrowed */
    char separator;         /* of a table; 0: lines */
    const char *id;         /* what --id says, or NULL: the table has no such column */
    bool scores, probabilities;
    char *cell; /* the id of the row at hand */
    size_t cell_size;
} prediction_output;

/* A batch: rows, their scores (rows, outputs), and probabilities (rows, classes) where they are
 * asked for. */
typedef struct prediction_batch {
    const cnm_data *data;
    const float *scores;
    const double *probabilities;
} prediction_batch;

/* Returns the separator of a table of this name: a comma for .csv, a tab for .tsv, and 0 for any
 * other name, which holds lines. */
char prediction_separator(const char *path);

/* Writes the header of a table; nothing for lines. */
void prediction_output_begin(const prediction_output *self);
/* Writes one line a row. Numbers have nine digits, which give a float back exactly. The caller
 * looks for errors of the stream. */
cnm_status prediction_output_add(prediction_output *self, const prediction_batch *batch, cnm_error *error);
void prediction_output_free(prediction_output *self);

#endif
