/* One table of the metrics' names. */
#include "learn/evaluate/metric_choice.h"

#include <string.h>

#include "base/core/error.h"

/* In the order of setting_metric. */
static const struct {
    const char *name;
    bool numbers;
} METRICS[] = {
    {"auto", false}, {"accuracy", false}, {"balanced", false}, {"auc", false},
    {"f1", false},   {"logloss", false},  {"rmse", true},      {"mae", true},
};

bool metric_is_for_numbers(int metric) { return METRICS[metric].numbers; }

int metric_find(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof METRICS / sizeof METRICS[0]; i++) {
        if (strcmp(METRICS[i].name, name) == 0) {
            return (int)i;
        }
    }
    return METRIC_AUTO;
}

cnm_status metric_check(const problem *self, cnm_error *err) {
    static const char *const KINDS[] = {"classes", "numbers"}, *const TASKS[] = {"classify", "regress"};
    const int metric = self->settings->metric;
    const bool found = self->task == TASK_REGRESS, needed = metric_is_for_numbers(metric);
    if (metric == METRIC_AUTO || self->task == TASK_MAP || found == needed) {
        return CNM_OK;
    }
    if (self->start != NULL) {
        return error_set(err, CNM_BAD_ARGUMENT, "--metric %s is for %s, but the model to go on from predicts %s",
                         METRICS[metric].name, KINDS[needed], KINDS[found]);
    }
    return error_set(err, CNM_BAD_ARGUMENT,
                     "--metric %s is for %s, but the labels are %s: if they are meant as %s, say --task %s",
                     METRICS[metric].name, KINDS[needed], KINDS[found], KINDS[needed], TASKS[needed]);
}
