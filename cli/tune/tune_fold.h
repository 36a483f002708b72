/* Runs one training of a cross-validation: on all folds but one, evaluated on that one. */
#ifndef CNM_CLI_TUNE_TUNE_FOLD_H
#define CNM_CLI_TUNE_TUNE_FOLD_H

#include "tune/tune_frontier.h"

typedef struct tune_rows {
    const cnm_data *data;
    size_t *fold; /* (rows) the fold of each row, from cnm_data_folds */
    size_t folds, classes;
} tune_rows;

/* Trains with the options, whose features and projection are set to those of the result, and fills
 * the other fields of the result. After Ctrl-C the status is CNM_CANCELLED and the result is not to
 * be used. */
cnm_status fold_run(const tune_rows *rows, cnm_options *options, const metric_traits *metric, tune_result *result,
                    const cnm_callbacks *callbacks, cnm_error *error);

/* Sets the number of features and the projection. */
cnm_status set_map_options(cnm_options *options, const char *projection, size_t features, cnm_error *error);

#endif
