/* Going through the frontier: all trainings that the record does not have yet, with one estimate over them all. */
#ifndef CNM_CLI_TUNE_TUNE_SEARCH_H
#define CNM_CLI_TUNE_TUNE_SEARCH_H

#include "cli_progress.h"
#include "tune/tune_fold.h"

typedef struct tune_search {
    const tune_rows *rows;
    cnm_options *options; /* for the trainings on parts */
    frontier *frontier;
    tune_record *record;
    progress *bar;
    double most_bytes; /* infinite: no bound */
    bool shown;        /* rows of the table are printed as they come */
    size_t reused;     /* trainings that the record had */
} tune_search;

/* Judges every point. After Ctrl-C the status is CNM_CANCELLED; what is done is in the record. */
cnm_status search_run(tune_search *self, cnm_error *error);

#endif
