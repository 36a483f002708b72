/* Matches the columns of a file to the columns that a model expects. Only the files of this module
 * use it. */
#ifndef CNM_DATA_READ_COLUMN_MATCH_H
#define CNM_DATA_READ_COLUMN_MATCH_H

#include "data/read/column_plan.h"

/* Makes a feature of every column without a role. */
void column_match_rest(column_plan *self);

/* Finds each of the model's columns by its name; leaves out the file's other columns, with a
 * notice. */
cnm_status column_match_names(column_plan *self, const char *file, const reader_options *options,
                              const cnm_callbacks *callbacks, cnm_error *err);

/* Matches by the number of columns: d are unlabelled, d + 1 labelled. */
cnm_status column_match_count(column_plan *self, const char *file, const reader_options *options, cnm_error *err);

#endif
