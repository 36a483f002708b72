/* The quantile loss, also called pinball loss (Koenker and Bassett 1978): for a residual r = y - s
 * and the quantile q,
 *
 *     q r where r >= 0, (q - 1) r elsewhere,
 *
 * whose mean is smallest where a share q of the targets is below s. */
#include "learn/objective/losses.h"

static double evaluate(const loss_batch *batch, float *slope) {
    const double q = batch->parameter;
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        const double weight = batch->weights == NULL ? 1.0 : (double)batch->weights[i];
        const double residual = (double)batch->targets[i] - (double)batch->scores[i];
        const double share = residual > 0.0 ? q : residual < 0.0 ? q - 1.0 : 0.0; /* 0 at the kink */
        slope[i] = (float)(-weight * share);
        sum += weight * share * residual;
    }
    return sum;
}

static size_t outputs(size_t classes) {
    (void)classes;
    return 1;
}

extern const loss_ops LOSS_QUANTILE;
const loss_ops LOSS_QUANTILE = {.name = "quantile",
                                .evaluate = evaluate,
                                .outputs = outputs,
                                .task = TASK_REGRESS,
                                .parameter = 0.5,
                                .takes_quantile = true,
                                .own_metric = true,
                                .head_update = UPDATE_ADAM};
