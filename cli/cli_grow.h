/* cnm train --grow: models of k, 2k, 4k ... features in one run, each starting from the last. */
#ifndef CNM_CLI_CLI_GROW_H
#define CNM_CLI_CLI_GROW_H

#include "arguments.h"
#include "cli_progress.h"

/* Sets the number of features to begin with (8 unless the line has -k). *most = MAX. Returns
 * STATUS_OK, or prints why the line cannot grow models and returns the status to exit with. */
int grow_check(const arguments *line, size_t *most);

/* Trains and writes all models: NAME.cnm becomes NAME-k8.cnm, NAME-k16.cnm ... Prints a row of a
 * table for each. After Ctrl-C the latest is written too where it is usable, and the status is
 * CNM_CANCELLED. */
cnm_status grow_models(const arguments *line, const cnm_data *data, const char *path, size_t most, progress *bar,
                       cnm_error *error);

#endif
