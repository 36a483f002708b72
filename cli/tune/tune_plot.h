/* Draws the frontier. */
#ifndef CNM_CLI_TUNE_TUNE_PLOT_H
#define CNM_CLI_TUNE_TUNE_PLOT_H

#include "tune/tune_frontier.h"

/* Draws score against bytes, a line for each projection, the knee marked. At least one point must
 * be evaluated. */
cnm_status frontier_plot(const frontier *self, size_t folds, const char *path, cnm_error *error);

#endif
