/* Single values out of what the library describes as text. */
#ifndef CNM_CLI_COMMAND_LOOKUP_H
#define CNM_CLI_COMMAND_LOOKUP_H

#include "cnm/cnm.h"

/* What cnm_model_describe says for this key; NULL when it says nothing. */
const char *model_value(const cnm_model *model, const char *key);

/* --threads as a number; 0 for all. */
size_t threads_wanted(const cnm_options *options);

#endif
