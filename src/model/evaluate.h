/* How good predictions are, added up batch by batch in double. */
#ifndef CNM_MODEL_EVALUATE_H
#define CNM_MODEL_EVALUATE_H

#include "model/probability.h"

enum { CALIBRATION_BINS = 15 };

typedef struct cnm_evaluation {
    const cnm_model *model; /* borrowed */
    uint64_t rows, correct, unknown;
    probability_rule rule;                   /* classes only, as are the next five */
    double *probabilities;                   /* (classes) of the row at hand */
    double entropy;                          /* sum over known rows of -log p(their class) */
    uint64_t bin_rows[CALIBRATION_BINS];     /* known rows by p(the predicted class): ... */
    uint64_t bin_correct[CALIBRATION_BINS];  /* ... how many of them are of that class, ... */
    double bin_confidence[CALIBRATION_BINS]; /* ... and the sum of those probabilities */
    uint64_t *confusion;                     /* (classes, classes): truth by row */
    double squares, absolutes;               /* regression: sums of errors squared and absolute */
    double target_mean, target_squares;      /* running mean and sum of squared deviations of y */
    double quantile;                         /* which one the model predicts; 0: none */
    double pinball;                          /* sum of the quantile's loss */
    uint64_t covered;                        /* rows with y at or below the prediction */
    bool keep_scores;
    float *scores;   /* two classes, kept: (kept) */
    int32_t *truths; /* (kept) */
    size_t kept, score_capacity, truth_capacity;
} evaluation;

/* Reads from the record which quantile the model predicts; 0: none. Fails with CNM_BAD_FORMAT where
 * that is no number between 0 and 1. */
cnm_status model_quantile(double *out, const cnm_model *model, cnm_error *err);
/* Returns the loss of a quantile, where error is prediction - target. */
static inline double quantile_loss(double quantile, double error) {
    return error < 0.0 ? -quantile * error : (1.0 - quantile) * error;
}

cnm_status evaluation_create(evaluation **out, const cnm_model *model, bool keep_scores, cnm_error *err);
void evaluation_destroy(evaluation *self);
cnm_status evaluation_add(evaluation *self, const label_column *labels, const float *scores, cnm_error *err);
/* Returns the figure of that name (cnm_evaluation_get lists them); NaN where it does not apply. */
double evaluation_get(const evaluation *self, const char *name);
/* Returns whether there is a metric of this name, for whatever task. */
bool evaluation_knows(const char *name);

#endif
