/* Finds single values among those that the library gives by name. */
#include "described_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *model_value(const cnm_model *model, const char *key) {
    const char *name, *value;
    for (size_t i = 0; cnm_model_describe(model, i, &name, &value); i++) {
        if (strcmp(name, key) == 0) {
            return value;
        }
    }
    return NULL;
}

double metric_value(const cnm_evaluation *evaluation, const char *name) {
    double value;
    return cnm_evaluation_get(evaluation, name, &value, NULL) == CNM_OK ? value : NAN;
}

const char *option_text(const cnm_options *options, const char *name) {
    const char *value;
    return cnm_options_get(options, name, &value, NULL) == CNM_OK ? value : "";
}

size_t threads_wanted(const cnm_options *options) {
    return (size_t)strtoul(option_text(options, "threads"), NULL, 10); /* "all" reads as 0 */
}
