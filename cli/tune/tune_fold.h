/* One training of a cross-validation: on all parts of the rows but one, judged on that one. */
#ifndef CNM_CLI_TUNE_TUNE_FOLD_H
#define CNM_CLI_TUNE_TUNE_FOLD_H

#include "tune/tune_frontier.h"

typedef struct tune_rows {
    const cnm_data *data;
    size_t *part; /* (rows) the part of each row, from cnm_data_parts */
    size_t parts, classes;
} tune_rows;

/* Trains with the options, whose features and projection are set to those of the result, and fills the rest of the result. After
 * Ctrl-C the status is CNM_CANCELLED and the result is not to be used. */
cnm_status fold_run(const tune_rows *rows, cnm_options *options, const tune_metric *metric, tune_result *result,
                    const cnm_callbacks *callbacks, cnm_error *error);

/* Sets features and projection. */
cnm_status set_map(cnm_options *options, const char *projection, size_t features, cnm_error *error);

#endif
