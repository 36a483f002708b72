/* Runs one training of a cross-validation: on all folds but one, evaluated on that one. */
#ifndef CNM_CLI_TUNE_TUNE_FOLD_H
#define CNM_CLI_TUNE_TUNE_FOLD_H

#include "tune/tune_frontier.h"

typedef struct tune_rows {
    const cnm_data *data;
    size_t *fold; /* (rows) the fold of each row, from cnm_data_folds */
    size_t folds, classes;
} tune_rows;

/* Trains a map of the result's shape with the options, and fills the other fields of the result.
 * After Ctrl-C the status is CNM_CANCELLED and the result is not to be used. */
cnm_status fold_run(const tune_rows *rows, const cnm_options *options, const metric_traits *metric, tune_result *result,
                    const cnm_callbacks *callbacks, cnm_error *error);

/* Copies options, with the projection and features of a map, or its layers. */
cnm_status options_of_shape(cnm_options **out, const cnm_options *options, const map_shape *shape, cnm_error *error);

#endif
