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

/* Prints the summary. path: of the model, "-" for standard output; seconds: the time of the
 * training. */
void summary_print(FILE *out, bool json, const cnm_model *model, const cnm_data *data, size_t threads, const char *path,
                   double seconds);

#endif
