/* The end of a tuning. */
#ifndef CNM_CLI_TUNE_TUNE_FINISH_H
#define CNM_CLI_TUNE_TUNE_FINISH_H

#include "tune/tune_search.h"

/* What the line asks for beyond the library's options. */
typedef struct wishes {
    size_t parts, most;
    double most_bytes;
    const char *pick, *plot, *model;
    char *record; /* owned */
} wishes;

/* The frontier is known: marks it, plots it, trains the chosen map on all rows and writes it. After Ctrl-C what is usable is written,
 * and the status is CNM_CANCELLED. */
cnm_status tune_finish(const tune_search *self, const arguments *line, const wishes *wanted, cnm_error *error);

#endif
