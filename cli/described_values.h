/* Finds single values among those that the library gives by name. */
#ifndef CNM_CLI_DESCRIBED_VALUES_H
#define CNM_CLI_DESCRIBED_VALUES_H

#include "cnm/cnm.h"

/* Returns the value of cnm_model_describe for a key; NULL where the model has none. */
const char *model_value(const cnm_model *model, const char *key);

/* Returns a metric of an evaluation; NaN where the metric does not apply to the model. */
double metric_value(const cnm_evaluation *evaluation, const char *name);

/* Returns the value in force of an option as text; "" for a name that is no option's. */
const char *option_text(const cnm_options *options, const char *name);

/* Returns --threads as a number; 0 for all. */
size_t threads_wanted(const cnm_options *options);

#endif
