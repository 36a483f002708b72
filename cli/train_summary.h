/* Prints the results of a training as lines of name and value or as one JSON object. */
#ifndef CNM_CLI_TRAIN_SUMMARY_H
#define CNM_CLI_TRAIN_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "cnm/cnm.h"

/* The score of a model on its training or validation rows. */
typedef struct model_score {
    const char *name; /* "validation", "training-accuracy", "training-r2",
                       * "training-pinball" */
    double value;     /* NaN: unknown */
} model_score;

/* Returns the score on validation rows that the model records; NaN where there were none. */
model_score score_on_validation(const cnm_model *model);
/* Predicts all rows where that takes about a second at most. NaN elsewhere and for a map alone. */
model_score score_on_rows(const cnm_model *model, const cnm_data *data, size_t threads);

/* Returns the size of a file; NaN for what is not a plain file. */
double file_bytes(const char *path);

/* What a summary tells of. */
typedef struct summary {
    const cnm_model *model;
    const cnm_data *data;    /* that trained it */
    const cnm_holdout *test; /* its metric NULL: not tested */
    size_t threads;
    const char *path; /* of the model, "-" for standard output */
    double seconds;   /* the time of the training */
} summary;

/* Prints the summary: what the model is worth on rows that did not train it first, on those that
 * did last. */
void summary_print(FILE *out, bool json, const summary *of);

#endif
