/* Evaluates the frontier: runs all trainings that the record does not have yet, with one estimate
 * of the time left for all of them. */
#ifndef CNM_CLI_TUNE_TUNE_SEARCH_H
#define CNM_CLI_TUNE_TUNE_SEARCH_H

#include "cli_progress.h"
#include "tune/tune_fold.h"

typedef struct tune_search {
    const tune_rows *rows;
    const cnm_options *options; /* of the trainings on folds */
    frontier *frontier;
    tune_record *record;
    progress *bar;
    double most_bytes; /* infinite: no limit */
    bool shown;        /* rows of the table are printed as they come */
    size_t reused;     /* trainings whose results the record had */
} tune_search;

/* Evaluates every point. After Ctrl-C the status is CNM_CANCELLED; finished trainings are in the
 * record. */
cnm_status search_run(tune_search *self, cnm_error *error);

#endif
