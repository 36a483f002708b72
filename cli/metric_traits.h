/* What the command must know of a metric beside its name. */
#ifndef CNM_CLI_METRIC_TRAITS_H
#define CNM_CLI_METRIC_TRAITS_H

#include <stdbool.h>

#include "cnm/cnm.h"

typedef struct metric_traits {
    const char *name;     /* of --metric and of cnm_evaluation_get */
    bool lower;           /* the lower the better */
    bool ranks;           /* of two classes; compares all scores with each other, so that they are kept */
    bool always;          /* on the first line of every report */
    const char *training; /* its name in the summary of a training, or NULL: never there */
} metric_traits;

/* Returns the traits of a metric. `name` is kept, not copied. */
metric_traits metric_traits_find(const char *name);

/* Returns the metric that a model of this task and loss is usually measured by: accuracy, R2, or
 * the loss of a quantile. */
const char *metric_usual(const cnm_model *model);

/* Returns what a baseline of such a model does: "always predicting the mean". */
const char *metric_constant(const cnm_model *model);

#endif
