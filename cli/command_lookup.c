/* Single values out of what the library describes as text. */
#include "command_lookup.h"

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

size_t threads_wanted(const cnm_options *options) {
    return (size_t)strtoul(cnm_options_get(options, "threads"), NULL, 10); /* "all" reads as 0 */
}
