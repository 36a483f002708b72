#include "support/engine_losses.h"

/* ---- Losses of one row in double, with their gradients ---- */

static double softmax_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        sum += exp(scores[j]);
    }
    for (size_t j = 0; j < outputs; j++) {
        slope[j] = exp(scores[j]) / sum - (j == class ? 1.0 : 0.0);
    }
    return log(sum) - scores[class];
}

static double logistic_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        const double y = (outputs == 1 ? class == 1 : class == j) ? 1.0 : -1.0;
        sum += log1p(exp(-y * scores[j]));
        slope[j] = -y / (1.0 + exp(y * scores[j]));
    }
    return sum;
}

static double hinge_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    double sum = 0.0;
    (void)target;
    for (size_t j = 0; j < outputs; j++) {
        const double y = (outputs == 1 ? class == 1 : class == j) ? 1.0 : -1.0, gap = 1.0 - y * scores[j];
        sum += gap > 0.0 ? gap : 0.0;
        slope[j] = gap > 0.0 ? -y : 0.0;
    }
    return sum;
}

static double squared_row(const double *scores, size_t outputs, size_t class, double target, double *slope) {
    (void)outputs, (void)class;
    slope[0] = scores[0] - target;
    return 0.5 * slope[0] * slope[0];
}

/* Evaluates a loss_ops batch by a row's loss. */
static double evaluate_rows(const loss_batch *batch, float *slope, row_loss *loss) {
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        double scores[ENGINE_OUTPUTS] = {0}, slopes[ENGINE_OUTPUTS] = {0};
        const double weight = batch->weights == NULL ? 1.0 : (double)batch->weights[i];
        for (size_t j = 0; j < batch->outputs; j++) {
            scores[j] = (double)batch->scores[i * batch->outputs + j];
        }
        sum += weight * loss(scores, batch->outputs, batch->classes == NULL ? 0 : (size_t)batch->classes[i],
                             batch->targets == NULL ? 0.0 : (double)batch->targets[i], slopes);
        for (size_t j = 0; j < batch->outputs; j++) {
            slope[i * batch->outputs + j] = (float)(weight * slopes[j]);
        }
    }
    return sum;
}

static double softmax_batch(const loss_batch *batch, float *slope) { return evaluate_rows(batch, slope, softmax_row); }
static double logistic_batch(const loss_batch *batch, float *slope) {
    return evaluate_rows(batch, slope, logistic_row);
}
static double squared_batch(const loss_batch *batch, float *slope) { return evaluate_rows(batch, slope, squared_row); }
static double hinge_batch(const loss_batch *batch, float *slope) { return evaluate_rows(batch, slope, hinge_row); }

const test_loss TEST_LOSSES[4] = {
    {{.name = "softmax", .evaluate = softmax_batch, .task = TASK_CLASSIFY}, softmax_row, 3},
    {{.name = "logistic", .evaluate = logistic_batch, .task = TASK_CLASSIFY}, logistic_row, 1},
    {{.name = "squared", .evaluate = squared_batch, .task = TASK_REGRESS}, squared_row, 1},
    {{.name = "hinge", .evaluate = hinge_batch, .task = TASK_CLASSIFY}, hinge_row, 3},
};

/* ---- Updates ---- */

static void momentum_apply(const update_call *call) {
    for (size_t i = 0; i < call->rows * call->columns; i++) {
        call->moments[0][i] = 0.8F * call->moments[0][i] + call->gradient[i];
        call->moments[1][i] += call->gradient[i] * call->gradient[i];
        call->values[i] -= (float)call->rate * call->moments[0][i] / (1.0F + call->moments[1][i]);
    }
}

const update_ops MOMENTUM = {.name = "momentum", .moments = 2, .whole = false, .apply = momentum_apply};
const update_ops MOMENTUM_WHOLE = {.name = "momentum", .moments = 2, .whole = true, .apply = momentum_apply};

double rate_falling(const update_call *call) { return 0.2 / (double)(call->step + 3); }
