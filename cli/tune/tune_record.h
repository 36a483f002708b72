/* What a tuning has found out so far, in a text file that a later run goes on from: a key of the rows and options on the first line,
 * then one line for each training. */
#ifndef CNM_CLI_TUNE_TUNE_RECORD_H
#define CNM_CLI_TUNE_TUNE_RECORD_H

#include <stdbool.h>

#include "arguments.h"

/* One training: a map of so many features, judged on one part of the rows. */
typedef struct tune_result {
    char projection[24];
    size_t features, part;
    double bytes, microseconds, score;
} tune_result;

typedef struct tune_record {
    const char *path; /* borrowed */
    char *key;
    tune_result *results;
    size_t count, capacity;
    bool other; /* the file was there with another key: it will be replaced */
} tune_record;

/* Reads the file where it is there, with this key; damaged lines are left out. A file that is something else fails. */
cnm_status record_open(tune_record *out, const char *path, const cnm_options *options, const cnm_data *data,
                       size_t parts, const char *metric, cnm_error *error);
/* Fine for a zero-initialised one. */
void record_close(tune_record *self);

/* NULL when it is not there. */
const tune_result *record_find(const tune_record *self, const char *projection, size_t features, size_t part);

/* Adds a result and writes the file. */
cnm_status record_add(tune_record *self, const tune_result *result, cnm_error *error);

#endif
