/* The role of each column of a file: label, weight, group, row names, or a feature. Only the files
 * of this module use it. */
#ifndef CNM_DATA_READ_COLUMN_ROLES_H
#define CNM_DATA_READ_COLUMN_ROLES_H

#include "data/read/column_plan.h"

/* Fills label, weight, group and row_names of a plan that has its count and found names. */
cnm_status column_roles_find(column_plan *self, const char *file, const column_guess *guess,
                             const reader_options *options, const cnm_callbacks *callbacks, cnm_error *err);

/* Returns whether a column is weight, group, row names or dropped. */
bool column_is_taken(const column_plan *self, size_t column);
/* Returns the last column that is not taken. */
size_t column_last(const column_plan *self);

/* Returns the column that `wanted` (a name, or a number from 1) names, or NO_COLUMN. names (count)
 * may be NULL. */
size_t column_find(char *const *names, size_t count, const char *wanted);

/* Returns the column that is the label by its name, or NO_COLUMN. barred: (count) columns that
 * cannot be it, or NULL. `surely` leaves out a name that may be that of a coordinate. */
size_t column_find_label(size_t count, char *const *names, const bool *barred, bool surely);

#endif
