/* What the command must know of a metric beside its name. */
#ifndef CNM_CLI_METRIC_TRAITS_H
#define CNM_CLI_METRIC_TRAITS_H

#include <stdbool.h>

typedef struct metric_traits {
    const char *name; /* of --metric and of cnm_evaluation_get */
    bool lower;       /* the lower the better */
    bool ranks;       /* of two classes; compares all scores with each other, so that they are kept */
    bool always;      /* on the first line of every report */
} metric_traits;

/* Returns the traits of a metric. `name` is kept, not copied. */
metric_traits metric_traits_find(const char *name);

#endif
