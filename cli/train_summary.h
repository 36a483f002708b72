/* What a training gave, in lines of name and value or as one JSON object. */
#ifndef CNM_CLI_TRAIN_SUMMARY_H
#define CNM_CLI_TRAIN_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "cnm/cnm.h"

/* How well a model does on the rows that it was learned from, or on those held back. */
typedef struct model_score {
    const char *name; /* "validation", "training-accuracy", "training-r2" */
    double value;     /* NaN: unknown */
} model_score;

/* The score on held rows as the model records it; NaN where none were held. */
model_score score_on_held(const cnm_model *model);
/* Predicts all rows once more where that takes about a second at most; else, and for a map alone, NaN. */
model_score score_on_rows(const cnm_model *model, const cnm_data *data, size_t threads);

/* Of a file that was written; NaN for what is not a plain file. */
double file_bytes(const char *path);

/* path: where the model went, "-" for standard output; seconds: what it took. */
void summary_print(FILE *out, bool json, const cnm_model *model, const cnm_data *data, size_t threads, const char *path,
                   double seconds);

#endif
