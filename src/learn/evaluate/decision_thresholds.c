/* With p = softmax(s / T) the probabilities of a row, T from held-out rows:
 *
 *   balanced   predicts the largest p_j / share_j, the share of class j in the weight of all rows:
 *              offset_j = T log(mean share / share_j)
 *   f1         maximises the mean over classes of 2 correct_j / (actual_j + predicted_j), where
 *              correct_j is the sum of p_j over rows predicted as j, actual_j that over all rows,
 *              and predicted_j the number of rows predicted as j
 *
 * F1 is computed from probabilities, not labels: a rare class has a few dozen held-out rows, and
 * the best threshold for just these is chance. The maximum is found by coordinate ascent: for one
 * class at a time, all offsets at which the prediction of a row changes. */
#include "learn/evaluate/decision_thresholds.h"

#include <math.h>
#include <stdlib.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/objective/class_weights.h"
#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"

enum { ROUNDS = 3 };

static const double LEAST_GAIN = 1e-9; /* more than rounding changes equal sums */

bool thresholds_are_learned(const dataset *data) { return dataset_balances_classes(data); }

bool thresholds_wanted(const dataset *data) {
    const int metric = data->settings->metric;
    return data->task == TASK_CLASSIFY && data->settings->class_weight == NULL &&
           (metric == METRIC_F1 || (metric == METRIC_BALANCED && !loss_has_margins(data->loss)));
}

/* ---- Learned ---- */

/* With class weights w_j, training estimates probabilities as w_j p_j: offset_j = T log(w_j). */
cnm_status thresholds_learned(const dataset *data, double temperature, double *offsets, cnm_error *err) {
    double *weights;
    TRY(memory_take(&weights, data->classes.count, sizeof *weights, "class weights", err));
    class_weights_balance(&data->classes, data->codes, data->rows.rows, weights);
    for (size_t j = 0; j < data->outputs; j++) {
        const double ratio = data->outputs == 1 ? weights[1] / weights[0] : weights[j];
        offsets[j] = temperature * elementary_log(ratio);
    }
    memory_free(weights);
    return CNM_OK;
}

/* ---- Balanced ---- */

void thresholds_balanced(const dataset *data, double temperature, double *offsets) {
    const size_t outputs = data->outputs;
    double other = 0.0; /* weight of the first class with one output, else the mean over classes */
    for (size_t j = 0; j < outputs; j++) {
        offsets[j] = 0.0;
    }
    for (size_t i = 0; i < data->rows.rows; i++) {
        const double weight = data->weights == NULL ? 1.0 : (double)data->weights[i];
        const size_t class = (size_t)data->codes[i];
        other += outputs > 1 ? weight / (double)outputs : class == 0 ? weight : 0.0;
        offsets[outputs > 1 ? class : 0] += outputs > 1 || class == 1 ? weight : 0.0;
    }
    for (size_t j = 0; j < outputs; j++) { /* a class without weight has no offset */
        offsets[j] = offsets[j] > 0.0 && other > 0.0 ? temperature * elementary_log(other / offsets[j]) : 0.0;
    }
}

/* ---- F1 ---- */

/* A row that is predicted as `rival` below this offset of class j, and as class j above it. */
typedef struct breakpoint {
    double offset;
    size_t row, rival;
} breakpoint;

typedef struct class_sums {
    double correct, predicted, actual;
} class_sums;

typedef struct f1_search {
    const float *scores, *weights;
    size_t count, outputs, classes;
    double *probabilities;   /* (count, classes) times the row's weight */
    double *offsets;         /* (classes) */
    size_t *best;            /* (count, 2) the two classes with the largest scores with offsets */
    class_sums *sums;        /* (classes) */
    breakpoint *breakpoints; /* (count) */
} f1_search;

static double row_weight(const f1_search *self, size_t i) {
    return self->weights == NULL ? 1.0 : (double)self->weights[i];
}

static double score_of(const f1_search *self, size_t i, size_t j) {
    return class_score(self->scores, self->outputs, i, j);
}

static double offset_score(const f1_search *self, size_t i, size_t j) {
    return score_of(self, i, j) + self->offsets[j];
}

static void fill_probabilities(f1_search *self, double temperature) {
    for (size_t i = 0; i < self->count; i++) {
        const double largest = class_score_largest(self->scores, self->outputs, i, self->classes);
        double *out = self->probabilities + i * self->classes, sum = 0.0;
        for (size_t j = 0; j < self->classes; j++) {
            out[j] = elementary_exp((score_of(self, i, j) - largest) / temperature);
            sum += out[j];
        }
        for (size_t j = 0; j < self->classes; j++) {
            out[j] *= row_weight(self, i) / sum;
            self->sums[j].actual += out[j];
        }
    }
}

static void rank_row(f1_search *self, size_t i) {
    size_t *best = self->best + 2 * i;
    best[0] = offset_score(self, i, 1) > offset_score(self, i, 0);
    best[1] = 1 - best[0];
    for (size_t j = 2; j < self->classes; j++) {
        const double score = offset_score(self, i, j);
        if (score > offset_score(self, i, best[0])) {
            best[1] = best[0];
            best[0] = j;
        } else if (score > offset_score(self, i, best[1])) {
            best[1] = j;
        }
    }
}

/* Moves row i in the sums from one predicted class (`classes`: none) to another. */
static void move_row(f1_search *self, size_t i, size_t from, size_t to) {
    if (from < self->classes) {
        self->sums[from].predicted -= row_weight(self, i);
        self->sums[from].correct -= self->probabilities[i * self->classes + from];
    }
    self->sums[to].predicted += row_weight(self, i);
    self->sums[to].correct += self->probabilities[i * self->classes + to];
}

static double class_f1(const f1_search *self, size_t j) {
    const class_sums *sums = &self->sums[j];
    const double all = sums->actual + sums->predicted;
    return all > 0.0 ? 2.0 * sums->correct / all : 1.0;
}

static double mean_f1(const f1_search *self) {
    double sum = 0.0;
    for (size_t j = 0; j < self->classes; j++) {
        sum += class_f1(self, j);
    }
    return sum / (double)self->classes;
}

static int by_offset(const void *a, const void *b) {
    const breakpoint *x = a, *y = b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* Sets the sums to those with no row predicted as class j, and lists its breakpoints. */
static void list_breakpoints(f1_search *self, size_t j) {
    for (size_t c = 0; c < self->classes; c++) {
        self->sums[c].correct = self->sums[c].predicted = 0.0;
    }
    for (size_t i = 0; i < self->count; i++) {
        const size_t *best = self->best + 2 * i, rival = best[0] == j ? best[1] : best[0];
        self->breakpoints[i] = (breakpoint){offset_score(self, i, rival) - score_of(self, i, j), i, rival};
        move_row(self, i, self->classes, rival);
    }
    qsort(self->breakpoints, self->count, sizeof *self->breakpoints, by_offset);
}

/* Returns an offset between the n-th breakpoint and the next. */
static double offset_between(const f1_search *self, size_t n) {
    const breakpoint *before = self->breakpoints + n;
    return n + 1 < self->count ? 0.5 * (before->offset + before[1].offset) : before->offset + 1.0;
}

/* Sets the offset of class j to the best one, with the others fixed. Returns whether that improves
 * *best, the mean F1 so far. */
static bool improve(f1_search *self, size_t j, double *best) {
    double found = self->offsets[j], total;
    bool better = false;
    list_breakpoints(self, j);
    total = mean_f1(self) * (double)self->classes;
    for (size_t n = 0; n < self->count; n++) {
        const breakpoint *at = &self->breakpoints[n];
        total -= class_f1(self, j) + class_f1(self, at->rival);
        move_row(self, at->row, at->rival, j);
        total += class_f1(self, j) + class_f1(self, at->rival);
        const double offset = offset_between(self, n), mean = total / (double)self->classes;
        if (offset > at->offset && mean > *best + LEAST_GAIN) {
            *best = mean;
            found = offset;
            better = true;
        }
    }
    self->offsets[j] = found;
    for (size_t i = 0; better && i < self->count; i++) {
        const size_t *two = self->best + 2 * i;
        if (two[0] == j || two[1] == j || offset_score(self, i, j) > offset_score(self, i, two[1])) {
            rank_row(self, i);
        }
    }
    return better;
}

/* Two classes have one boundary: the offset of the first stays 0. */
static void ascend(f1_search *self) {
    const size_t first = self->classes == 2 ? 1 : 0;
    bool better = true;
    for (size_t i = 0; i < self->count; i++) {
        rank_row(self, i);
        move_row(self, i, self->classes, self->best[2 * i]);
    }
    double best = mean_f1(self);
    for (size_t round = 0; better && round < ROUNDS; round++) {
        better = false;
        for (size_t j = first; j < self->classes; j++) {
            better = improve(self, j, &best) || better;
        }
    }
}

cnm_status thresholds_f1(const float *scores, size_t count, size_t outputs, const float *weights, double temperature,
                         double *offsets, cnm_error *err) {
    const size_t classes = outputs > 1 ? outputs : 2;
    f1_search self = {.scores = scores, .weights = weights, .count = count, .outputs = outputs, .classes = classes};
    cnm_status status = CNM_OK;
    TRY_DONE(memory_take(&self.probabilities, count * classes, sizeof *self.probabilities, "probabilities", err));
    TRY_DONE(memory_zeroed(&self.offsets, classes, sizeof *self.offsets, "decision offsets", err));
    TRY_DONE(memory_take(&self.best, 2 * count, sizeof *self.best, "classes of rows", err));
    TRY_DONE(memory_zeroed(&self.sums, classes, sizeof *self.sums, "sums of classes", err));
    TRY_DONE(memory_take(&self.breakpoints, count, sizeof *self.breakpoints, "breakpoints", err));
    fill_probabilities(&self, temperature);
    ascend(&self);
    for (size_t j = 0; j < outputs; j++) {
        offsets[j] = self.offsets[outputs == 1 ? 1 : j];
    }
done:
    memory_free(self.probabilities);
    memory_free(self.offsets);
    memory_free(self.best);
    memory_free(self.sums);
    memory_free(self.breakpoints);
    return status;
}
