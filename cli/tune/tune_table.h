/* What a tuning found, as a table for people or one JSON object. */
#ifndef CNM_CLI_TUNE_TUNE_TABLE_H
#define CNM_CLI_TUNE_TUNE_TABLE_H

#include "tune/tune_frontier.h"

/* The head and one row at a time, as they come. */
void table_head(const tune_metric *metric);
void table_row(const frontier_point *point, const tune_metric *metric);
/* The best and the knee below the table. */
void table_marks(const frontier *self);

/* The model that was written. */
typedef struct tuned_model {
    const frontier_point *point;
    const char *pick, *path;
    double bytes, seconds;
    size_t parts, reused;
} tuned_model;

void table_model(const tuned_model *model);
void table_json(const frontier *self, const tuned_model *model);

#endif
