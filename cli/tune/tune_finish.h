/* Completes a tuning. */
#ifndef CNM_CLI_TUNE_TUNE_FINISH_H
#define CNM_CLI_TUNE_TUNE_FINISH_H

#include "tune/tune_search.h"

/* What the line asks for beyond the library's options; texts are borrowed. */
typedef struct tune_request {
    size_t folds, most;
    double most_bytes;
    const char *pick, *plot, *model;
    char *record; /* owned */
} tune_request;

/* Prints the marks of the frontier, plots it, trains the chosen map on all rows and writes the
 * model. After Ctrl-C a usable model is written too, and the status is CNM_CANCELLED. */
cnm_status tune_finish(const tune_search *self, const arguments *line, const tune_request *request, cnm_error *error);

#endif
