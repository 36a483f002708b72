/* Computes the absolute error of regression, |s - y|.
 *
 * An example of a loss: this file, and ROW(TEST) in LOSS_LIST (learn/objective/losses.c). The word
 * of --loss, its errors and the entry in a model's metadata follow from the two. */
#include <math.h>

#include "learn/objective/losses.h"

/* Weights may be absent; the slope at the kink is 0. */
static double evaluate(const loss_batch *batch, float *slope) {
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        const double weight = batch->weights == NULL ? 1.0 : (double)batch->weights[i];
        const double residual = (double)batch->scores[i] - (double)batch->targets[i];
        slope[i] = (float)(residual > 0.0 ? weight : residual < 0.0 ? -weight : 0.0);
        sum += weight * fabs(residual);
    }
    return sum;
}

static size_t outputs(size_t classes) {
    (void)classes;
    return 1;
}

/* A kink: L-BFGS cannot minimise the loss, Adam can. Trials are compared by the mean absolute
 * error. */
extern const loss_ops LOSS_TEST;
const loss_ops LOSS_TEST = {.name = "test-absolute",
                            .evaluate = evaluate,
                            .outputs = outputs,
                            .task = TASK_REGRESS,
                            .smooth = false,
                            .robust_metric = true,
                            .head_update = UPDATE_ADAM};
