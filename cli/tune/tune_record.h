/* Keeps the results of a tuning in a text file that a later run goes on from: a key of the rows and
 * options on the first line, then one line for each training. */
#ifndef CNM_CLI_TUNE_TUNE_RECORD_H
#define CNM_CLI_TUNE_TUNE_RECORD_H

#include <stdbool.h>

#include "arguments.h"

/* The name of a projection, kept by value. */
typedef struct projection_name {
    char text[24];
} projection_name;

/* One training: a map of so many features, evaluated on one fold of the rows. */
typedef struct tune_result {
    projection_name projection;
    size_t features, fold;
    double bytes, microseconds, score;
} tune_result;

typedef struct tune_record {
    const char *path; /* borrowed */
    char *key;
    tune_result *results;
    size_t count, capacity;
    bool other; /* the file was there with another key and will be replaced */
} tune_record;

/* Reads the results of the file, where it exists and has this key; damaged lines are left out.
 * Fails where the file is something else. */
cnm_status tune_record_open(tune_record *out, const char *path, const cnm_options *options, const cnm_data *data,
                            size_t folds, const char *metric, cnm_error *error);
/* Frees what the record owns. Does nothing for a zero-initialised one. */
void tune_record_close(tune_record *self);

/* Returns the result of one training; NULL when the record does not have it. */
const tune_result *tune_record_find(const tune_record *self, const char *projection, size_t features, size_t fold);

/* Adds a result and writes the file. */
cnm_status tune_record_add(tune_record *self, const tune_result *result, cnm_error *error);

#endif
