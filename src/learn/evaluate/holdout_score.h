/* The score of a model on rows that did not train it, with its standard error, beside the score of
 * a constant prediction. Not here: which rows are held out (dataset/split.h). */
#ifndef CNM_LEARN_EVALUATE_HOLDOUT_SCORE_H
#define CNM_LEARN_EVALUATE_HOLDOUT_SCORE_H

#include "data/table/table.h"
#include "model/model.h"

/* What a score is called. */
typedef struct holdout_measure {
    const char *name;     /* "accuracy", "r2" or "d2-pinball" */
    const char *words;    /* in a sentence */
    const char *constant; /* what a constant prediction does, as "predicting the mean" */
} holdout_measure;

/* Numbers are scored by 1 - sum of losses / sum of losses of a constant: R2 for squared errors and
 * the mean of the training targets; for a model of a quantile, D2 for its loss and the quantile of
 * the training targets (d2_pinball_score of scikit-learn). */
typedef struct holdout_score {
    const holdout_measure *measure;
    size_t rows;
    double value;    /* the accuracy; R2 or D2 */
    double error;    /* standard error of value */
    double baseline; /* the accuracy of always predicting the largest class of the training rows; 0 of numbers */
    double metric;   /* another metric that was asked for; NaN: none */
    /* Classes: the mean of log p(label) - log(share of the label in the training rows), and its
     * standard error; above 0 probabilities tell more than the shares. NaN for numbers. */
    double gain, gain_error;
    double *each;  /* (rows) classes: 1 where the prediction is right, else 0; numbers: its loss */
    double *scale; /* (rows) numbers: the loss of the constant; NULL for classes */
} holdout_score;

/* Scores a model that predicts classes or numbers. train and held are labelled rows; train gives
 * the constant prediction alone. Rows of a group count as one in standard errors. metric: a name of
 * model/evaluate.h to compute besides, or NULL. Fails with CNM_BAD_DATA where `held` has no labels,
 * or words in place of numbers, or nothing to explain: all its targets are the constant. */
cnm_status holdout_score_create(holdout_score *out, const cnm_model *model, const table *train, const table *held,
                                const char *metric, size_t threads, cnm_error *err);
void holdout_score_free(holdout_score *self);

/* Fills the difference of two scores of the same rows, and its standard error, which is that of
 * paired rows. */
cnm_status holdout_compare(const holdout_score *self, const holdout_score *other, const table *held, double *difference,
                           double *error, cnm_error *err);

#endif
