/* Losses on scores s (rows, outputs), m = margin y s.
 *
 *   hinge           sum over outputs of max(0, 1 - m)
 *   squared-hinge   sum over outputs of max(0, 1 - m)^2
 *   logistic        sum over outputs of log(1 + exp(-m))
 *   softmax         log sum_j exp(s_j) - s_class
 *   crammer-singer  max(0, 1 + max_{j != class} s_j - s_class)
 *   squared         (s - y)^2 / 2
 *   huber           (s - y)^2 / 2 within delta, delta (|s - y| - delta / 2) beyond
 *   epsilon         max(0, |s - y| - epsilon)
 *
 * The first three are one against all: y = +1 for the row's class, else -1.
 *
 * Two classes have one output with the first three (y = +1 for the second class) and two with
 * softmax and Crammer-Singer. Slopes at a kink are those of the flat side. Values are summed in
 * double, in row order. */
#include "learn/objective/losses.h"

#include <math.h>
#include <string.h>

#include "math/elementary/elementary.h"
#include "math/elementary/exp_log.h"

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

/* Softmax works on SOFTMAX_ROWS rows at a time, so that exp and log see long arrays. Terms below
 * exp(LEAST) = 2^-63 of the largest are 0: they are lost in any sum with it, and as gradients they
 * would only lead to denormal numbers. */
enum { SOFTMAX_ROWS = 64, SOFTMAX_RUN = 512 };
static const double LEAST = -43.66827237527655;

static float largest_of(const float *scores, size_t outputs) {
    float largest = scores[0];
    for (size_t j = 1; j < outputs; j++) {
        largest = scores[j] > largest ? scores[j] : largest;
    }
    return largest;
}

/* below := exp(below), count <= SOFTMAX_RUN, as floats. */
static void take_powers(const double *below, size_t count, float *terms) {
    double powers[SOFTMAX_RUN];
    exp_array(below, count, LEAST, powers);
    for (size_t i = 0; i < count; i++) {
        terms[i] = (float)powers[i];
    }
}

/* terms (rows, outputs) = exp(score - largest of the row), in runs over the ends of rows. */
static void softmax_terms(const float *scores, const float *largest, size_t rows, size_t outputs, float *terms) {
    double below[SOFTMAX_RUN];
    size_t used = 0;
    for (size_t row = 0; row < rows; row++) {
        for (size_t j = 0; j < outputs;) {
            const size_t room = SOFTMAX_RUN - used, left = outputs - j, count = left < room ? left : room;
            for (size_t i = 0; i < count; i++) {
                below[used + i] = (double)scores[row * outputs + j + i] - (double)largest[row];
            }
            used += count;
            j += count;
            if (used == SOFTMAX_RUN) {
                take_powers(below, used, terms);
                terms += used;
                used = 0;
            }
        }
    }
    take_powers(below, used, terms);
}

/* The part of a batch that begins at row `first`. */
static double softmax_some(const loss_batch *batch, size_t first, size_t rows, float *slope) {
    const size_t outputs = batch->outputs;
    const float *scores = batch->scores + first * outputs;
    float largest[SOFTMAX_ROWS];
    double totals[SOFTMAX_ROWS], logs[SOFTMAX_ROWS], sum = 0.0;
    for (size_t i = 0; i < rows; i++) {
        largest[i] = largest_of(scores + i * outputs, outputs);
    }
    softmax_terms(scores, largest, rows, outputs, slope);
    for (size_t i = 0; i < rows; i++) {
        totals[i] = 0.0;
        for (size_t j = 0; j < outputs; j++) {
            totals[i] += (double)slope[i * outputs + j];
        }
    }
    log_array(totals, rows, logs);
    for (size_t i = 0; i < rows; i++) {
        const size_t class = (size_t)batch->classes[first + i];
        const double weight = row_weight(batch, first + i), factor = weight / totals[i];
        const double own = factor * (double)slope[i * outputs + class] - weight;
        for (size_t j = 0; j < outputs; j++) {
            slope[i * outputs + j] = (float)(factor * (double)slope[i * outputs + j]);
        }
        slope[i * outputs + class] = (float)own;
        sum += weight * (logs[i] + (double)largest[i] - (double)scores[i * outputs + class]);
    }
    return sum;
}

static double softmax_evaluate(const loss_batch *batch, float *slope) {
    double sum = 0.0;
    for (size_t first = 0; first < batch->rows; first += SOFTMAX_ROWS) {
        const size_t left = batch->rows - first, rows = left < SOFTMAX_ROWS ? left : SOFTMAX_ROWS;
        sum += softmax_some(batch, first, rows, slope + first * batch->outputs);
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

/* ROW(ID): a row LOSS_##ID, of this file or of one of its own, in the order of the option's
 * values. */
#define LOSS_LIST(ROW)                                                                                                 \
    ROW(HINGE)                                                                                                         \
    ROW(SQUARED_HINGE)                                                                                                 \
    ROW(LOGISTIC)                                                                                                      \
    ROW(SOFTMAX)                                                                                                       \
    ROW(CRAMMER_SINGER)                                                                                                \
    ROW(SQUARED)                                                                                                       \
    ROW(HUBER)                                                                                                         \
    ROW(EPSILON)                                                                                                       \
    ROW(QUANTILE)                                                                                                      \
    LOSS_TEST_LIST(ROW)

/* Builds for tests have one row more, made in tests/rows. */
#ifdef CNM_TEST_ROWS
#define LOSS_TEST_LIST(ROW) ROW(TEST)
#else
#define LOSS_TEST_LIST(ROW)
#endif

#define ROW_OF(ID) extern const loss_ops LOSS_##ID;
LOSS_LIST(ROW_OF)

static size_t one_each(size_t classes) { return classes > 2 ? classes : 1; }
static size_t all_of_them(size_t classes) { return classes; }
static size_t single(size_t classes) {
    (void)classes;
    return 1;
}

const loss_ops LOSS_HINGE = {.name = "hinge",
                             .evaluate = hinge_evaluate,
                             .outputs = one_each,
                             .task = TASK_CLASSIFY,
                             .margin = true,
                             .probability = PROBABILITY_SOFTMAX,
                             .head_update = UPDATE_PEGASOS};
const loss_ops LOSS_SQUARED_HINGE = {.name = "squared-hinge",
                                     .evaluate = squared_hinge_evaluate,
                                     .outputs = one_each,
                                     .task = TASK_CLASSIFY,
                                     .smooth = true,
                                     .margin = true,
                                     .probability = PROBABILITY_SOFTMAX,
                                     .head_update = UPDATE_ADAM};
const loss_ops LOSS_LOGISTIC = {.name = "logistic",
                                .evaluate = logistic_evaluate,
                                .outputs = one_each,
                                .task = TASK_CLASSIFY,
                                .smooth = true,
                                .probability = PROBABILITY_ONE_VS_REST,
                                .head_update = UPDATE_ADAM};
const loss_ops LOSS_SOFTMAX = {.name = "softmax",
                               .evaluate = softmax_evaluate,
                               .outputs = all_of_them,
                               .task = TASK_CLASSIFY,
                               .smooth = true,
                               .soft_targets = true,
                               .centred = true,
                               .probability = PROBABILITY_SOFTMAX,
                               .head_update = UPDATE_ADAM};
const loss_ops LOSS_CRAMMER_SINGER = {.name = "crammer-singer",
                                      .evaluate = crammer_singer_evaluate,
                                      .outputs = all_of_them,
                                      .task = TASK_CLASSIFY,
                                      .margin = true,
                                      .probability = PROBABILITY_SOFTMAX,
                                      .head_update = UPDATE_ADAM};
const loss_ops LOSS_SQUARED = {.name = "squared",
                               .evaluate = squared_evaluate,
                               .outputs = single,
                               .task = TASK_REGRESS,
                               .smooth = true,
                               .soft_targets = true,
                               .robust = "huber",
                               .head_update = UPDATE_ADAM};
const loss_ops LOSS_HUBER = {.name = "huber",
                             .evaluate = huber_evaluate,
                             .outputs = single,
                             .task = TASK_REGRESS,
                             .parameter = 1.0,
                             .smooth = true,
                             .robust_metric = true,
                             .head_update = UPDATE_ADAM};
const loss_ops LOSS_EPSILON = {.name = "epsilon",
                               .evaluate = epsilon_evaluate,
                               .outputs = single,
                               .task = TASK_REGRESS,
                               .parameter = 0.1,
                               .robust_metric = true,
                               .head_update = UPDATE_ADAM};

#define ADDRESS_OF(ID) &LOSS_##ID,
static const loss_ops *const LOSSES[] = {LOSS_LIST(ADDRESS_OF)};
enum { LOSS_COUNT = sizeof LOSSES / sizeof *LOSSES };

const loss_ops *const *loss_table(size_t *count) {
    *count = LOSS_COUNT;
    return LOSSES;
}

const loss_ops *loss_find(const char *name) {
    for (size_t i = 0; i < LOSS_COUNT; i++) {
        if (strcmp(name, LOSSES[i]->name) == 0) {
            return LOSSES[i];
        }
    }
    return NULL;
}

bool loss_has_margins(const loss_ops *loss) { return loss != NULL && loss->margin; }
