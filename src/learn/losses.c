/* Losses on scores s (rows, outputs), m = margin y s.
 *
 *   hinge           sum over outputs of max(0, 1 - m)            one against all: y = +1 for the row's class, else -1
 *   squared-hinge   sum over outputs of max(0, 1 - m)^2
 *   logistic        sum over outputs of log(1 + exp(-m))
 *   softmax         log sum_j exp(s_j) - s_class
 *   crammer-singer  max(0, 1 + max_{j != class} s_j - s_class)
 *   squared         (s - y)^2 / 2
 *   huber           (s - y)^2 / 2 within delta, delta (|s - y| - delta / 2) beyond
 *   epsilon         max(0, |s - y| - epsilon)
 *
 * Two classes have one output with the first three (y = +1 for the second class) and two with softmax and Crammer-Singer. Slopes at
 * a kink are those of the flat side. Values are summed in double, in row order. */
#include "learn/losses.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

/* ---- One against all: the loss is a function of the margin ---- */

/* Value of the loss at margin m; *slope = d loss / d m. */
typedef double (*margin_loss)(double m, double *slope);

static double hinge(double m, double *slope) {
    *slope = m < 1.0 ? -1.0 : 0.0;
    return m < 1.0 ? 1.0 - m : 0.0;
}

static double squared_hinge(double m, double *slope) {
    const double gap = m < 1.0 ? 1.0 - m : 0.0;
    *slope = -2.0 * gap;
    return gap * gap;
}

/* log(1 + x) for 0 <= x <= 1, without losing small x. */
static double log_of_one_plus(double x) {
    const double sum = 1.0 + x;
    return sum == 1.0 ? x : elementary_log(sum) * (x / (sum - 1.0));
}

static double logistic(double m, double *slope) {
    const double small = elementary_exp(-fabs(m)); /* <= 1 */
    *slope = m > 0.0 ? -small / (1.0 + small) : -1.0 / (1.0 + small);
    return (m > 0.0 ? 0.0 : -m) + log_of_one_plus(small);
}

static double row_weight(const loss_batch *batch, size_t row) {
    return batch->weights == NULL ? 1.0 : (double)batch->weights[row];
}

static double one_against_all(const loss_batch *batch, float *slope, margin_loss loss) {
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        const double weight = row_weight(batch, i);
        for (size_t j = 0; j < batch->outputs; j++) {
            const size_t at = i * batch->outputs + j, wanted = batch->outputs == 1 ? 1 : j;
            const double y = (size_t)batch->classes[i] == wanted ? 1.0 : -1.0;
            double d;
            sum += weight * loss(y * (double)batch->scores[at], &d);
            slope[at] = (float)(weight * y * d);
        }
    }
    return sum;
}

static double hinge_evaluate(const loss_batch *batch, float *slope) { return one_against_all(batch, slope, hinge); }
static double squared_hinge_evaluate(const loss_batch *batch, float *slope) {
    return one_against_all(batch, slope, squared_hinge);
}
static double logistic_evaluate(const loss_batch *batch, float *slope) {
    return one_against_all(batch, slope, logistic);
}

/* ---- All outputs of a row together ---- */

static double softmax_evaluate(const loss_batch *batch, float *slope) {
    const size_t outputs = batch->outputs;
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        const float *scores = batch->scores + i * outputs;
        const size_t class = (size_t)batch->classes[i];
        const double weight = row_weight(batch, i);
        double largest = (double)scores[0], total = 0.0;
        for (size_t j = 1; j < outputs; j++) {
            largest = (double)scores[j] > largest ? (double)scores[j] : largest;
        }
        for (size_t j = 0; j < outputs; j++) {
            const double e = elementary_exp((double)scores[j] - largest);
            slope[i * outputs + j] = (float)e;
            total += e;
        }
        for (size_t j = 0; j < outputs; j++) {
            const double probability = (double)slope[i * outputs + j] / total;
            slope[i * outputs + j] = (float)(weight * (probability - (j == class ? 1.0 : 0.0)));
        }
        sum += weight * (elementary_log(total) + largest - (double)scores[class]);
    }
    return sum;
}

static double crammer_singer_evaluate(const loss_batch *batch, float *slope) {
    const size_t outputs = batch->outputs;
    double sum = 0.0;
    memset(slope, 0, batch->rows * outputs * sizeof *slope);
    for (size_t i = 0; i < batch->rows; i++) {
        const float *scores = batch->scores + i * outputs;
        const size_t class = (size_t)batch->classes[i];
        const double weight = row_weight(batch, i);
        size_t rival = class == 0 ? 1 : 0;
        for (size_t j = 0; j < outputs; j++) {
            rival = j != class && scores[j] > scores[rival] ? j : rival;
        }
        const double gap = 1.0 + (double)scores[rival] - (double)scores[class];
        if (gap > 0.0) {
            slope[i * outputs + rival] = (float)weight;
            slope[i * outputs + class] = (float)-weight;
            sum += weight * gap;
        }
    }
    return sum;
}

/* ---- Regression: the loss is a function of the residual ---- */

typedef double (*residual_loss)(double residual, double parameter, double *slope);

static double squared(double r, double parameter, double *slope) {
    (void)parameter;
    *slope = r;
    return 0.5 * r * r;
}

static double huber(double r, double delta, double *slope) {
    if (fabs(r) <= delta) {
        *slope = r;
        return 0.5 * r * r;
    }
    *slope = r > 0.0 ? delta : -delta;
    return delta * (fabs(r) - 0.5 * delta);
}

static double insensitive(double r, double epsilon, double *slope) {
    *slope = r > epsilon ? 1.0 : r < -epsilon ? -1.0 : 0.0;
    return fabs(r) > epsilon ? fabs(r) - epsilon : 0.0;
}

static double regression(const loss_batch *batch, float *slope, residual_loss loss) {
    double sum = 0.0;
    for (size_t i = 0; i < batch->rows; i++) {
        const double weight = row_weight(batch, i);
        double d;
        sum += weight * loss((double)batch->scores[i] - (double)batch->targets[i], batch->parameter, &d);
        slope[i] = (float)(weight * d);
    }
    return sum;
}

static double squared_evaluate(const loss_batch *batch, float *slope) { return regression(batch, slope, squared); }
static double huber_evaluate(const loss_batch *batch, float *slope) { return regression(batch, slope, huber); }
static double epsilon_evaluate(const loss_batch *batch, float *slope) { return regression(batch, slope, insensitive); }

/* ---- The table ---- */

static size_t one_each(size_t classes) { return classes > 2 ? classes : 1; }
static size_t all_of_them(size_t classes) { return classes; }
static size_t single(size_t classes) {
    (void)classes;
    return 1;
}

static const loss_ops LOSSES[] = {
    {"hinge", hinge_evaluate, one_each, TASK_CLASSIFY, 0.0},
    {"squared-hinge", squared_hinge_evaluate, one_each, TASK_CLASSIFY, 0.0},
    {"logistic", logistic_evaluate, one_each, TASK_CLASSIFY, 0.0},
    {"softmax", softmax_evaluate, all_of_them, TASK_CLASSIFY, 0.0},
    {"crammer-singer", crammer_singer_evaluate, all_of_them, TASK_CLASSIFY, 0.0},
    {"squared", squared_evaluate, single, TASK_REGRESS, 0.0},
    {"huber", huber_evaluate, single, TASK_REGRESS, 1.0},
    {"epsilon", epsilon_evaluate, single, TASK_REGRESS, 0.1},
};

const loss_ops *loss_table(size_t *count) {
    *count = sizeof LOSSES / sizeof LOSSES[0];
    return LOSSES;
}

const loss_ops *loss_find(const char *name) {
    for (size_t i = 0; i < sizeof LOSSES / sizeof LOSSES[0]; i++) {
        if (strcmp(name, LOSSES[i].name) == 0) {
            return &LOSSES[i];
        }
    }
    return NULL;
}
