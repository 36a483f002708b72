/* Lists of columns in options: names or numbers from 1, separated by commas. Only the files of this
 * module use it. */
#ifndef CNM_DATA_READ_COLUMN_LIST_H
#define CNM_DATA_READ_COLUMN_LIST_H

#include <stdbool.h>

#include "cnm/types.h"

/* Sets out[j] for every column j that the list (NULL: none) names; others stay as they are. names
 * (count) may be NULL. A name that is the whole list may have commas. Fails on an entry that no
 * column has, and suggests the nearest name; option: what the list was given as. */
cnm_status column_list_mark(const char *list, char *const *names, size_t count, const char *file, const char *option,
                            bool *out, cnm_error *err);

#endif
