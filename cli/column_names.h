/* Names of files that a line need not give. */
#ifndef CNM_CLI_COLUMN_NAMES_H
#define CNM_CLI_COLUMN_NAMES_H

/* DATA's base name without .gz and its last ending, with .cnm. The caller frees it; NULL when memory is short. */
char *default_model(const char *data);

/* A name with an ending behind it, as for default_model. */
char *name_with(const char *name, const char *ending);

#endif
