/* The table of metrics, and the metrics of regression. Sums are in double, in row order. */
#include "learn/evaluate/metrics.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "learn/evaluate/classification_metrics.h"

/* ---- Regression ---- */

/* Returns the weighted mean of the squared or absolute errors. */
static double mean_error(const evaluation *self, bool squared) {
    double sum = 0.0, total = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        const double error = (double)self->scores[i] - (double)self->data->targets[self->positions[i]];
        const double weight = evaluation_weight(self, i);
        sum += squared ? weight * error * error : weight * fabs(error);
        total += weight;
    }
    return sum / total;
}

static cnm_status rmse(const evaluation *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = sqrt(mean_error(self, true));
    return CNM_OK;
}

static cnm_status mae(const evaluation *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = mean_error(self, false);
    return CNM_OK;
}

/* The weighted mean of the loss that is trained, a row at a time. */
static cnm_status mean_loss(const evaluation *self, double *loss, cnm_error *err) {
    const dataset *data = self->data;
    double sum = 0.0, total = 0.0;
    (void)err;
    for (size_t i = 0; i < self->count; i++) {
        const double weight = evaluation_weight(self, i);
        float slope;
        const loss_batch row = {.rows = 1,
                                .outputs = 1,
                                .scores = self->scores + i,
                                .targets = data->targets + self->positions[i],
                                .parameter = dataset_loss_parameter(data)};
        sum += weight * data->loss->evaluate(&row, &slope);
        total += weight;
    }
    *loss = sum / total;
    return CNM_OK;
}

static cnm_status automatic(const evaluation *self, double *loss, cnm_error *err) {
    return self->data->task == TASK_CLASSIFY ? metric_accuracy(self, loss, err)
           : self->data->loss->own_metric    ? mean_loss(self, loss, err)
           : self->data->loss->robust_metric ? mae(self, loss, err)
                                             : rmse(self, loss, err);
}

/* ---- The table ---- */

/* Builds for tests have one row more, made in tests/rows. */
#ifdef CNM_TEST_ROWS
cnm_status metric_test(const evaluation *self, double *loss, cnm_error *err);
#endif

/* Rows that other modules name are at their setting_metric. */
static const metric_ops METRICS[] = {
    [METRIC_AUTO] = {"auto", false, automatic},
    [METRIC_ACCURACY] = {"accuracy", false, metric_accuracy},
    [METRIC_BALANCED] = {"balanced", false, metric_balanced},
    [METRIC_AUC] = {"auc", false, metric_auc},
    [METRIC_F1] = {"f1", false, metric_f1},
    [METRIC_LOGLOSS] = {"logloss", false, metric_logloss},
    [METRIC_RMSE] = {"rmse", true, rmse},
    [METRIC_MAE] = {"mae", true, mae},
#ifdef CNM_TEST_ROWS
    {"test-largest-error", true, metric_test},
#endif
};

const metric_ops *metric_table(size_t *count) {
    *count = sizeof METRICS / sizeof METRICS[0];
    return METRICS;
}

int metric_find(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof METRICS / sizeof METRICS[0]; i++) {
        if (strcmp(METRICS[i].name, name) == 0) {
            return (int)i;
        }
    }
    return METRIC_AUTO;
}

const char *metric_name(int metric) { return METRICS[metric].name; }

bool metric_is_for_regression(int metric) { return METRICS[metric].regression; }

cnm_status metric_check(const dataset *self, cnm_error *err) {
    static const char *const KINDS[] = {"classes", "numbers"}, *const TASKS[] = {"classify", "regress"};
    const int metric = self->settings->metric;
    const bool found = self->task == TASK_REGRESS, needed = METRICS[metric].regression;
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

cnm_status metric_loss(const dataset *data, const size_t *positions, size_t count, const float *scores, double *loss,
                       cnm_error *err) {
    const evaluation self = {data, positions, count, scores, NULL};
    return METRICS[data->settings->metric].evaluate(&self, loss, err);
}
