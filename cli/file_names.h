/* Derives names of files from other names. */
#ifndef CNM_CLI_FILE_NAMES_H
#define CNM_CLI_FILE_NAMES_H

#include <stdbool.h>

/* Returns DATA's base name without .gz and its last ending, with .cnm. The caller frees it; NULL
 * when memory is short. */
char *default_model_name(const char *data);

/* Returns a name with an ending behind it. The caller frees it; NULL when memory is short. */
char *name_with_ending(const char *name, const char *ending);

/* Returns whether a name has an ending, and something before it. */
bool name_ends_with(const char *name, const char *ending);

#endif
