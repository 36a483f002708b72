/* Prints values that the library gives as texts in the JSON type that they have. */
#ifndef CNM_CLI_JSON_VALUE_H
#define CNM_CLI_JSON_VALUE_H

#include <stdbool.h>
#include <stdio.h>

#include "cnm/cnm.h"

/* Prints the value of a key of cnm_model_describe: a list as an array, a number as it stands, else
 * a string; the names of columns and labels are strings whatever they look like. */
void json_model_value(FILE *out, const cnm_model *model, const char *key, const char *text);

/* Prints an array where the key is that of a list; - and _ in it are the same. Returns false, and
 * prints nothing, elsewhere. */
bool json_list(FILE *out, const char *key, const char *text);

#endif
