/* The frontier as a picture. */
#ifndef CNM_CLI_TUNE_TUNE_PLOT_H
#define CNM_CLI_TUNE_TUNE_PLOT_H

#include "tune/tune_frontier.h"

/* Score against bytes, a line for each projection, the knee marked. At least one point must be judged. */
cnm_status frontier_plot(const frontier *self, size_t parts, const char *path, cnm_error *error);

#endif
