/* Cross-entropy with a temperature, error rate, AUC and F1. Sums are in double, in row order. */
#include "learn/evaluate/classification_metrics.h"

#include <math.h>
#include <stdlib.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "learn/evaluate/decision_thresholds.h"
#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"

/* Inverse temperatures. Scores of margin losses are no log-probabilities: hence values above 1. */
static const double TEMPERATURES[] = {0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0, 1.15, 1.5, 2.0, 4.0};

static size_t class_of(const evaluation *self, size_t i) { return (size_t)self->data->codes[self->positions[i]]; }

static double score_of(const evaluation *self, size_t i, size_t j) {
    return class_score(self->scores, self->data->outputs, i, j);
}

static double scaled_score(const evaluation *self, size_t i, size_t j, double t) {
    return t * score_of(self, i, j) + (self->offsets == NULL ? 0.0 : self->offsets[j]);
}

/* ---- Cross-entropy and errors ---- */

/* Returns -log softmax(t * scores + offsets) at the row's class. */
static double cross_entropy(const evaluation *self, size_t i, double t) {
    const size_t classes = self->data->classes.count;
    double largest = -INFINITY, sum = 0.0;
    for (size_t j = 0; j < classes; j++) {
        largest = fmax(largest, scaled_score(self, i, j, t));
    }
    for (size_t j = 0; j < classes; j++) {
        sum += elementary_exp(scaled_score(self, i, j, t) - largest);
    }
    return elementary_log(sum) - (scaled_score(self, i, class_of(self, i), t) - largest);
}

static size_t predicted_class(const evaluation *self, size_t i, double t) {
    size_t best = 0;
    for (size_t j = 1; j < self->data->classes.count; j++) {
        best = scaled_score(self, i, j, t) > scaled_score(self, i, best, t) ? j : best;
    }
    return best;
}

typedef struct class_means {
    double cross_entropy, error_rate;
    double inverse_temperature; /* the one of TEMPERATURES with the least cross-entropy */
} class_means;

/* Returns weighted means over the rows. by_class (classes): further weights, or NULL. */
static class_means mean_losses(const evaluation *self, const double *by_class) {
    double sums[sizeof TEMPERATURES / sizeof TEMPERATURES[0]] = {0}, wrong = 0.0, total = 0.0;
    size_t best = 0;
    for (size_t i = 0; i < self->count; i++) {
        const double weight = evaluation_weight(self, i) * (by_class == NULL ? 1.0 : by_class[class_of(self, i)]);
        for (size_t n = 0; n < sizeof sums / sizeof sums[0]; n++) {
            sums[n] += weight * cross_entropy(self, i, TEMPERATURES[n]);
        }
        total += weight;
    }
    for (size_t n = 1; n < sizeof sums / sizeof sums[0]; n++) {
        best = sums[n] < sums[best] ? n : best;
    }
    for (size_t i = 0; i < self->count; i++) {
        const double weight = evaluation_weight(self, i) * (by_class == NULL ? 1.0 : by_class[class_of(self, i)]);
        wrong += predicted_class(self, i, TEMPERATURES[best]) == class_of(self, i) ? 0.0 : weight;
    }
    /* Adds half an error: without any, the product with every cross-entropy would be 0. */
    return (class_means){sums[best] / total, (wrong + 0.5 * total / (double)self->count) / total, TEMPERATURES[best]};
}

/* Combines error rate and cross-entropy: errors are what counts, but on few rows they are few and
 * random, while every row contributes to the cross-entropy. */
static double combine(const evaluation *self, class_means means) {
    const double both = sqrt(means.cross_entropy * means.error_rate);
    return dataset_is_small(self->data) ? sqrt(means.cross_entropy * both) : both;
}

cnm_status metric_logloss(const evaluation *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = mean_losses(self, NULL).cross_entropy;
    return CNM_OK;
}

cnm_status metric_accuracy(const evaluation *self, double *loss, cnm_error *err) {
    (void)err;
    *loss = combine(self, mean_losses(self, NULL));
    return CNM_OK;
}

cnm_status metric_balanced(const evaluation *self, double *loss, cnm_error *err) {
    double *sums;
    evaluation balanced = *self;
    const size_t classes = self->data->classes.count;
    TRY(memory_zeroed(&sums, 2 * classes, sizeof *sums, "class weights", err));
    for (size_t i = 0; i < self->count; i++) {
        sums[class_of(self, i)] += evaluation_weight(self, i);
    }
    for (size_t j = 0; j < classes; j++) {
        sums[j] = sums[j] > 0.0 ? 1.0 / sums[j] : 0.0;
        sums[classes + j] = sums[j] > 0.0 ? elementary_log(sums[j]) : 0.0;
    }
    balanced.offsets = thresholds_wanted(self->data) ? sums + classes : NULL;
    *loss = combine(self, mean_losses(&balanced, sums));
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

/* Returns the share of pairs (by weight) in the wrong order, ties counted by half. */
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

cnm_status metric_auc(const evaluation *self, double *loss, cnm_error *err) {
    ranked *rows;
    if (self->data->classes.count != 2) {
        return metric_balanced(self, loss, err);
    }
    TRY(memory_take(&rows, self->count, sizeof *rows, "ranked rows", err));
    for (size_t i = 0; i < self->count; i++) {
        const double score = score_of(self, i, 1) - score_of(self, i, 0);
        rows[i] = (ranked){score, evaluation_weight(self, i), class_of(self, i) == 1};
    }
    qsort(rows, self->count, sizeof *rows, by_score);
    *loss = misordered(rows, self->count);
    memory_free(rows);
    return CNM_OK;
}

/* ---- F1 ---- */

/* Fills offsets (classes) with the decision offsets that these rows would give a model. */
static cnm_status fit_offsets(const evaluation *self, double temperature, double *offsets, cnm_error *err) {
    float *weights;
    const size_t outputs = self->data->outputs;
    TRY(memory_take(&weights, self->count, sizeof *weights, "weights of held-out rows", err));
    for (size_t i = 0; i < self->count; i++) {
        weights[i] = (float)evaluation_weight(self, i);
    }
    const cnm_status status =
        thresholds_f1(self->scores, self->count, outputs, weights, temperature, offsets + (outputs == 1), err);
    memory_free(weights);
    return status;
}

/* Computes 1 - the mean over classes of 2 correct / (rows of the class + rows predicted as it). */
static cnm_status mean_f1_loss(const evaluation *self, double *loss, cnm_error *err) {
    double *sums;
    const size_t classes = self->data->classes.count;
    TRY(memory_zeroed(&sums, 2 * classes, sizeof *sums, "counts of classes", err));
    double mean = 0.0;
    for (size_t i = 0; i < self->count; i++) {
        const size_t actual = class_of(self, i), predicted = predicted_class(self, i, 1.0);
        const double weight = evaluation_weight(self, i);
        sums[2 * actual] += actual == predicted ? weight : 0.0;
        sums[2 * actual + 1] += weight;
        sums[2 * predicted + 1] += weight;
    }
    for (size_t j = 0; j < classes; j++) {
        mean += sums[2 * j + 1] > 0.0 ? 2.0 * sums[2 * j] / sums[2 * j + 1] : 1.0;
    }
    *loss = 1.0 - mean / (double)classes;
    memory_free(sums);
    return CNM_OK;
}

cnm_status metric_f1(const evaluation *self, double *loss, cnm_error *err) {
    evaluation adjusted = *self;
    double *offsets;
    cnm_status status = CNM_OK;
    TRY(memory_zeroed(&offsets, self->data->classes.count, sizeof *offsets, "decision offsets", err));
    if (thresholds_wanted(self->data)) {
        const class_means means = mean_losses(self, NULL);
        TRY_DONE(fit_offsets(self, 1.0 / means.inverse_temperature, offsets, err));
        adjusted.offsets = offsets;
    }
    TRY_DONE(mean_f1_loss(&adjusted, loss, err));
done:
    memory_free(offsets);
    return status;
}
