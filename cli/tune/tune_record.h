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

/* A map that is tried: one layer, or two of the same projection. */
typedef struct map_shape {
    projection_name projection;
    size_t below, features; /* of the layer below the last, 0: there is none; of the last layer */
} map_shape;

/* One training: a map, evaluated on one fold of the rows. */
typedef struct tune_result {
    map_shape shape;
    size_t fold;
    double bytes, microseconds, score;
} tune_result;

/* The features of a map as text: "8", or those of its layers, "16,8". */
typedef struct shape_text {
    char text[48];
} shape_text;
shape_text shape_features(const map_shape *shape);

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
const tune_result *tune_record_find(const tune_record *self, const map_shape *shape, size_t fold);

/* Adds a result and writes the file. */
cnm_status tune_record_add(tune_record *self, const tune_result *result, cnm_error *error);

#endif
