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

const char *metric_usual(const cnm_model *model) {
    return cnm_model_classes(model) > 0 ? "accuracy" : model_value(model, "quantile") != NULL ? "pinball" : "r2";
}
