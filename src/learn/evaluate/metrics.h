/* How good scores are on labelled rows: what --metric names, as one number to make small. */
#ifndef CNM_LEARN_EVALUATE_METRICS_H
#define CNM_LEARN_EVALUATE_METRICS_H

#include "learn/dataset/dataset.h"

/* Of scores (count, outputs) for the rows at `positions`. Row weights count.
 *
 *   logloss                   cross-entropy, scores times the best of a few temperatures
 *   auto, accuracy            sqrt(cross-entropy * share of errors): each alone is a noisier guide on few rows
 *   balanced                  the same, every class weighing alike
 *   auc, f1                   1 - the metric (f1: mean over classes; auc: two classes, else as balanced)
 *                             balanced and f1 of scores with the shift that a model would get by these rows (shift.h), if any
 *   rmse, mae; auto           of the scaled targets; auto for numbers is rmse, or mae where the loss is robust */
cnm_status judge_scores(const problem *task, const size_t *positions, size_t count, const float *scores, double *loss,
                        cnm_error *err);

#endif
