/* The table of metrics: what --metric names, as a loss to minimise. To add a metric, write its
 * function (classification_metrics.c) and add its row to the end of the table (metrics.c). */
#ifndef CNM_LEARN_EVALUATE_METRICS_H
#define CNM_LEARN_EVALUATE_METRICS_H

#include "learn/dataset/dataset.h"

/* What a metric gets: scores of labelled rows. */
typedef struct evaluation {
    const dataset *data;
    const size_t *positions; /* (count) of the rows in the data set */
    size_t count;
    const float *scores;   /* (count, outputs) */
    const double *offsets; /* (classes) added to scores times their inverse temperature, or NULL */
} evaluation;

static inline double evaluation_weight(const evaluation *self, size_t i) {
    return self->data->weights == NULL ? 1.0 : (double)self->data->weights[self->positions[i]];
}

/* A metric's row. */
typedef struct metric_ops {
    const char *name;
    bool regression; /* for regression targets, not classes; of "auto", which is for both, false */
    cnm_status (*evaluate)(const evaluation *self, double *loss, cnm_error *err);
} metric_ops;

/* Returns all metrics; a setting_metric is an index of the table. */
const metric_ops *metric_table(size_t *count);
/* Returns the metric of that name, or METRIC_AUTO where there is none; name may be NULL. */
int metric_find(const char *name);
const char *metric_name(int metric);
bool metric_is_for_regression(int metric);

/* Fails where the metric of the settings does not fit the task of the data set. */
cnm_status metric_check(const dataset *self, cnm_error *err);

/* Computes the loss of scores (count, outputs) of the rows at `positions`, with row weights:
 *
 *   logloss         cross-entropy at the best of a few temperatures
 *   auto, accuracy  sqrt(cross-entropy * error rate): each alone is a noisier guide on few rows
 *   balanced        the same, all classes having the same total weight
 *   auc, f1         1 - the metric (f1: mean over classes; auc: two classes, else as balanced)
 *   rmse, mae       of scaled targets; auto for regression is rmse, mae if the loss is robust,
 *                   or the loss itself if it predicts a quantile
 *
 * balanced and f1 are those of scores with the decision offsets that these rows would give a model,
 * if any (decision_thresholds.h). */
cnm_status metric_loss(const dataset *data, const size_t *positions, size_t count, const float *scores, double *loss,
                       cnm_error *err);

#endif
