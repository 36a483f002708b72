/* The metrics of classification, rows of the table in metrics.h, which says what they are. */
#ifndef CNM_LEARN_EVALUATE_CLASSIFICATION_METRICS_H
#define CNM_LEARN_EVALUATE_CLASSIFICATION_METRICS_H

#include "learn/evaluate/metrics.h"

cnm_status metric_logloss(const evaluation *self, double *loss, cnm_error *err);
cnm_status metric_accuracy(const evaluation *self, double *loss, cnm_error *err);
cnm_status metric_balanced(const evaluation *self, double *loss, cnm_error *err);
cnm_status metric_auc(const evaluation *self, double *loss, cnm_error *err);
cnm_status metric_f1(const evaluation *self, double *loss, cnm_error *err);

#endif
