/* Cross-entropy with a temperature, AUC, F1, errors of numbers. Sums in double, in row order. */
#include "learn/evaluate/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/memory.h"
#include "learn/objective/losses.h"
#include "learn/evaluate/decision_thresholds.h"
#include "math/elementary/elementary.h"

/* Scores of the hinge and its kin are no log-probabilities: hence values above 1. */
static const double TEMPERATURES[] = {0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0, 1.15, 1.5, 2.0, 4.0};

typedef struct judged {
    const problem *task;
    const size_t *positions;
    size_t count;
    const float *scores;
    const double *shift; /* (classes) added to scores times their temperature, or NULL */
} judged;

static double weight_of(const judged *self, size_t i) {
    return self->task->weights == NULL ? 1.0 : (double)self->task->weights[self->positions[i]];
}

static size_t class_of(const judged *self, size_t i) { return (size_t)self->task->codes[self->positions[i]]; }

static double score_of(const judged *self, size_t i, size_t j) {
    return class_score(self->scores, self->task->outputs, i, j);
}

static double at_temperature(const judged *self, size_t i, size_t j, double t) {
    return t * score_of(self, i, j) + (self->shift == NULL ? 0.0 : self->shift[j]);
}

/* -log of the softmax of t * scores + shift at the row's class. */
static double row_entropy(const judged *self, size_t i, double t) {
    const size_t classes = self->task->classes.count;
    double largest = -INFINITY, sum = 0.0;
    for (size_t j = 0; j < classes; j++) {
        largest = fmax(largest, at_temperature(self, i, j, t));
    }
    for (size_t j = 0; j < classes; j++) {
        sum += elementary_exp(at_temperature(self, i, j, t) - largest);
    }
    return elementary_log(sum) - (at_temperature(self, i, class_of(self, i), t) - largest);
}

static size_t decision(const judged *self, size_t i, double t) {
    size_t best = 0;
    for (size_t j = 1; j < self->task->classes.count; j++) {
        best = at_temperature(self, i, j, t) > at_temperature(self, i, best, t) ? j : best;
    }
    return best;
}

/* Weighted means over the rows. by_class (classes): a weight for each class, or NULL. */
typedef struct class_means {
    double entropy, errors;
    double sharpness; /* what scores are best multiplied by: TEMPERATURES */
} class_means;

static class_means find_means(const judged *self, const double *by_class) {
    double sums[sizeof TEMPERATURES / sizeof TEMPERATURES[0]] = {0}, wrong = 0.0, total = 0.0;
    size_t best = 0;
    for (size_t i = 0; i < self->count; i++) {
        const double weight = weight_of(self, i) * (by_class == NULL ? 1.0 : by_class[class_of(self, i)]);
        for (size_t n = 0; n < sizeof sums / sizeof sums[0]; n++) {
            sums[n] += weight * row_entropy(self, i, TEMPERATURES[n]);
        }
        total += weight;
    }
    for (size_t n = 1; n < sizeof sums / sizeof sums[0]; n++) {
        best = sums[n] < sums[best] ? n : best;
    }
    for (size_t i = 0; i < self->count; i++) {
        const double weight = weight_of(self, i) * (by_class == NULL ? 1.0 : by_class[class_of(self, i)]);
        wrong += decision(self, i, TEMPERATURES[best]) == class_of(self, i) ? 0.0 : weight;
    }
    /* Half an error more than there are: none at all must not make every entropy equal. */
    return (class_means){sums[best] / total, (wrong + 0.5 * total / (double)self->count) / total, TEMPERATURES[best]};
}

static cnm_status logloss(const judged *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = find_means(self, NULL).entropy;
    return CNM_OK;
}

/* What counts is errors, but they are few and come by chance where rows are few; the entropy has a share of every row. */
static double blend(const judged *self, class_means means) {
    const double both = sqrt(means.entropy * means.errors);
    return problem_is_small(self->task) ? sqrt(means.entropy * both) : both;
}

static cnm_status plain(const judged *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = blend(self, find_means(self, NULL));
    return CNM_OK;
}

static cnm_status balanced(const judged *self, double *loss, cnm_error *err) {
    double *sums;
    judged shifted = *self;
    const size_t classes = self->task->classes.count;
    const cnm_status status = memory_zeroed(&sums, 2 * classes, sizeof *sums, "class weights", err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; i < self->count; i++) {
        sums[class_of(self, i)] += weight_of(self, i);
    }
    for (size_t j = 0; j < classes; j++) {
        sums[j] = sums[j] > 0.0 ? 1.0 / sums[j] : 0.0;
        sums[classes + j] = sums[j] > 0.0 ? elementary_log(sums[j]) : 0.0;
    }
    shifted.shift = shift_wanted(self->task) ? sums + classes : NULL;
    *loss = blend(self, find_means(&shifted, sums));
    memory_free(sums);
    return CNM_OK;
}

/* ---- AUC ---- */

typedef struct ranked {
    double score, weight;
    bool positive;
} ranked;

static int by_score(const void *a, const void *b) {
    const double x = ((const ranked *)a)->score, y = ((const ranked *)b)->score;
    return (x > y) - (x < y);
}

/* The weight of pairs in the wrong order, ties by half, of all pairs. */
static double misordered(const ranked *rows, size_t count) {
    double below = 0.0, wrong = 0.0, positives = 0.0; /* below: positives with a smaller score */
    for (size_t i = 0; i < count;) {
        double tied = 0.0, negatives = 0.0;
        size_t j = i;
        for (; j < count && rows[j].score == rows[i].score; j++) {
            *(rows[j].positive ? &tied : &negatives) += rows[j].weight;
        }
        wrong += negatives * (below + 0.5 * tied);
        below += tied;
        positives += tied;
        i = j;
    }
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        total += rows[i].weight;
    }
    const double pairs = positives * (total - positives);
    return pairs > 0.0 ? wrong / pairs : 0.5;
}

static cnm_status auc(const judged *self, double *loss, cnm_error *err) {
    ranked *rows;
    if (self->task->classes.count != 2) {
        return balanced(self, loss, err);
    }
    const cnm_status status = memory_take(&rows, self->count, sizeof *rows, "ranked rows", err);
    for (size_t i = 0; status == CNM_OK && i < self->count; i++) {
        rows[i] = (ranked){score_of(self, i, 1) - score_of(self, i, 0), weight_of(self, i), class_of(self, i) == 1};
    }
    if (status == CNM_OK) {
        qsort(rows, self->count, sizeof *rows, by_score);
        *loss = misordered(rows, self->count);
    }
    memory_free(rows);
    return status;
}

/* ---- F1 ---- */

/* The shift (classes) that a model would get by these rows. */
static cnm_status find_shift(const judged *self, double temperature, double *shift, cnm_error *err) {
    float *weights;
    const cnm_status status = memory_take(&weights, self->count, sizeof *weights, "weights of held rows", err);
    if (status != CNM_OK) {
        return status;
    }
    for (size_t i = 0; i < self->count; i++) {
        weights[i] = (float)weight_of(self, i);
    }
    const size_t outputs = self->task->outputs;
    const cnm_status found =
        shift_f1(self->scores, self->count, outputs, weights, temperature, shift + (outputs == 1), err);
    memory_free(weights);
    return found;
}

/* 1 - the mean over classes of 2 right / (rows of the class + rows taken for it). */
static cnm_status count_f1(const judged *self, double *loss, cnm_error *err) {
    double *sums;
    const size_t classes = self->task->classes.count;
    const cnm_status status = memory_zeroed(&sums, 2 * classes, sizeof *sums, "counts of classes", err);
    if (status != CNM_OK) {
        return status;
    }
    double mean = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        const size_t truth = class_of(self, i), taken = decision(self, i, 1.0);
        const double weight = weight_of(self, i);
        sums[2 * truth] += truth == taken ? weight : 0.0;
        sums[2 * truth + 1] += weight;
        sums[2 * taken + 1] += weight;
    }
    for (size_t j = 0; j < classes; j++) {
        mean += sums[2 * j + 1] > 0.0 ? 2.0 * sums[2 * j] / sums[2 * j + 1] : 1.0;
    }
    *loss = 1.0 - mean / (double)classes;
    memory_free(sums);
    return CNM_OK;
}

static cnm_status f1(const judged *self, double *loss, cnm_error *err) {
    judged shifted = *self;
    double *shift;
    cnm_status status = memory_zeroed(&shift, self->task->classes.count, sizeof *shift, "shifts", err);
    const class_means means = find_means(self, NULL);
    if (status == CNM_OK && shift_wanted(self->task)) {
        status = find_shift(self, 1.0 / means.sharpness, shift, err);
        shifted.shift = shift;
    }
    if (status == CNM_OK) {
        status = count_f1(&shifted, loss, err);
    }
    memory_free(shift);
    return status;
}

/* ---- Numbers ---- */

static double error_of(const judged *self, size_t i) {
    return (double)self->scores[i] - (double)self->task->targets[self->positions[i]];
}

static cnm_status rmse(const judged *self, double *loss, cnm_error *err) {
    double sum = 0.0, total = 0.0;
    (void)err;
    for (size_t i = 0; i < self->count; i++) {
        sum += weight_of(self, i) * error_of(self, i) * error_of(self, i);
        total += weight_of(self, i);
    }
    *loss = sqrt(sum / total);
    return CNM_OK;
}

static cnm_status mae(const judged *self, double *loss, cnm_error *err) {
    double sum = 0.0, total = 0.0;
    (void)err;
    for (size_t i = 0; i < self->count; i++) {
        sum += weight_of(self, i) * fabs(error_of(self, i));
        total += weight_of(self, i);
    }
    *loss = sum / total;
    return CNM_OK;
}

/* ---- All ---- */

static cnm_status usual(const judged *self, double *loss, cnm_error *err) {
    return self->task->task == TASK_CLASSIFY                ? plain(self, loss, err)
           : strcmp(self->task->loss->name, "squared") == 0 ? rmse(self, loss, err)
                                                            : mae(self, loss, err);
}

/* In the order of setting_metric. */
typedef cnm_status judge_function(const judged *self, double *loss, cnm_error *err);
static judge_function *const METRICS[] = {usual, plain, balanced, auc, f1, logloss, rmse, mae};

cnm_status judge_scores(const problem *task, const size_t *positions, size_t count, const float *scores, double *loss,
                        cnm_error *err) {
    const judged self = {task, positions, count, scores, NULL};
    return METRICS[task->settings->metric](&self, loss, err);
}
