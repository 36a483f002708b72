/* Files of format 1, the one before FILE_FORMAT: they differ in names and texts alone. For the
 * reader of model files. */
#ifndef CNM_MODEL_FILE_MODEL_FILE_FORMAT_1_H
#define CNM_MODEL_FILE_MODEL_FILE_FORMAT_1_H

#include "model/metadata.h"

#define FORMAT_1 "cnm 1"
/* The array that is FILE_DECISION_OFFSET now. */
#define FORMAT_1_DECISION_OFFSET "shift"

/* Adds an entry of a format 1 record under its present key, with its present value. */
cnm_status format_1_add(record *out, const char *key, const char *value, cnm_error *err);

#endif
