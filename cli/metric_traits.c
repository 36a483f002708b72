/* The metrics that are not like most: a score where more is better, computed a row at a time. */
#include "metric_traits.h"

#include <stddef.h>
#include <string.h>

#include "described_values.h"

static const metric_traits SPECIAL[] = {
    {"accuracy", .always = true, .training = "training-accuracy"},
    {"auc", .ranks = true},
    {"logloss", .lower = true},
    {"rmse", .lower = true},
    {"mae", .lower = true},
    {"r2", .training = "training-r2"},
    {"pinball", .lower = true, .training = "training-pinball"},
};

metric_traits metric_traits_find(const char *name) {
    for (size_t i = 0; i < sizeof SPECIAL / sizeof SPECIAL[0]; i++) {
        if (strcmp(SPECIAL[i].name, name) == 0) {
            return SPECIAL[i];
        }
    }
    return (metric_traits){.name = name};
}

/* Returns one of three texts, by what a model predicts. */
static const char *by_kind(const cnm_model *model, const char *classes, const char *quantile, const char *numbers) {
    return cnm_model_classes(model) > 0 ? classes : model_value(model, "quantile") != NULL ? quantile : numbers;
}

const char *metric_usual(const cnm_model *model) { return by_kind(model, "accuracy", "pinball", "r2"); }

const char *metric_constant(const cnm_model *model) {
    return by_kind(model, "always saying the largest class", "always predicting the quantile",
                   "always predicting the mean");
}
