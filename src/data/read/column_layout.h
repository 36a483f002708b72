/* Lays out the columns of a file. Without a model all columns without a role are features. With one
 * (`expects`) columns are matched by name where both sides have names, else by number.
 *
 * Cells are read as the guess says; with a model's encoder, as that says. Only the files of this
 * module use this header. */
#ifndef CNM_DATA_READ_COLUMN_LAYOUT_H
#define CNM_DATA_READ_COLUMN_LAYOUT_H

#include "data/read/column_plan.h"

/* Plans `count` columns of a file; names (count, or NULL) are copied. On failure out is empty. */
cnm_status column_plan_create(column_plan *out, const char *file, size_t count, char *const *names, column_guess guess,
                              const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err);

#endif
