/* Prints the results of a tuning, as a table for people or as one JSON object. */
#ifndef CNM_CLI_TUNE_TUNE_TABLE_H
#define CNM_CLI_TUNE_TUNE_TABLE_H

#include "tune/tune_frontier.h"

/* Print the head of the table, and one row as soon as its point is evaluated. */
void table_head(const metric_traits *metric);
void table_row(const frontier_point *point, const metric_traits *metric);
/* Prints the best and the knee below the table. */
void table_marks(const frontier *self);

/* The model that was written. */
typedef struct tuned_model {
    const frontier_point *point;
    const char *pick, *path;
    double bytes, seconds;
    size_t folds, reused;
} tuned_model;

void table_model(const tuned_model *model);
void table_json(const frontier *self, const tuned_model *model);

#endif
