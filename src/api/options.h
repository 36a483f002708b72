/* What the rest of the library sees of the options: plain settings. */
#ifndef CNM_API_OPTIONS_H
#define CNM_API_OPTIONS_H

#include <stdbool.h>

#include "cnm/cnm.h"
#include "learn/settings.h"
#include "model/metadata.h"

/* Returns the settings in force; the defaults where options is NULL. Never NULL; texts in them live
 * as long as the options, and until the option is set again. */
const settings *options_settings(const cnm_options *options);

/* Returns the value in force of a row of the table, as text. */
const char *options_text(const cnm_options *options, size_t row);

/* Adds the value as text of every option of a training that can change its outcome: what a
 * checkpoint must agree with. */
cnm_status options_said(const cnm_options *options, record *out, cnm_error *err);

/* Does what cnm_options_check does; has_validation: there are validation rows of their own. */
cnm_status options_check_together(const cnm_options *options, bool has_validation, cnm_error *err);

/* Returns whether this option was set to a value that asks for something: not to the auto, none, 0
 * or "" of its default. */
bool options_given(const cnm_options *options, const char *name);

#endif
