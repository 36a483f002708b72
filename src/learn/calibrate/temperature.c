/* One temperature T for all classes (Platt's and Guo's scaling without an intercept), so that the most probable class stays the one
 * with the largest score: with t = 1 / T
 *
 *   minimise over t the mean of  log(sum over j of exp(t s_j)) - t ((1 - e) s_y + e mean of the s_j, j not y),   e = 1 / (n + 2)
 *
 * which is convex in t. The share e of the other classes is Platt's: it keeps T above 0 where every row is on its right side. */
#include "learn/calibrate/temperature.h"

#include <math.h>
#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "learn/calibrate/heldout_scores.h"
#include "learn/objective/losses.h"
#include "learn/evaluate/decision_thresholds.h"
#include "math/elementary/elementary.h"

enum { ROUNDS = 60 };

typedef struct calibration {
    const held_scores *held;
    size_t classes;
    double smoothing; /* e */
} calibration;

static double score_of(const calibration *self, size_t i, size_t j) {
    return class_score(self->held->scores, self->held->outputs, i, j);
}

/* First and second derivative of one row's term: the mean of s under softmax(t s) less the wanted one, and its variance. */
static void row_slopes(const calibration *self, size_t i, double t, double *slope, double *curve) {
    const size_t truth = (size_t)self->held->classes[i];
    double largest = -INFINITY, sum = 0.0, mean = 0.0, square = 0.0, others = 0.0;
    for (size_t j = 0; j < self->classes; j++) {
        largest = fmax(largest, score_of(self, i, j));
    }
    for (size_t j = 0; j < self->classes; j++) {
        const double s = score_of(self, i, j) - largest, share = elementary_exp(t * s);
        sum += share;
        mean += share * s;
        square += share * s * s;
        others += j == truth ? 0.0 : s;
    }
    mean /= sum;
    *curve = square / sum - mean * mean;
    *slope = mean - (1.0 - self->smoothing) * (score_of(self, i, truth) - largest) -
             self->smoothing * others / (double)(self->classes - 1);
}

static void all_slopes(const calibration *self, double t, double *slope, double *curve) {
    *slope = *curve = 0.0;
    for (size_t i = 0; i < self->held->count; i++) {
        const double weight = (double)self->held->weights[i];
        double first, second;
        row_slopes(self, i, t, &first, &second);
        *slope += weight * first;
        *curve += weight * second;
    }
}

/* Newton's steps on t, inside a bracket that shrinks. */
static double fit_temperature(const held_scores *held, double smoothing) {
    const calibration self = {held, held->outputs > 1 ? held->outputs : 2, smoothing};
    double low = 1e-6, high = 1e6, t = 1.0;
    for (int round = 0; round < ROUNDS && high - low > 1e-9 * high; round++) {
        double slope, curve;
        all_slopes(&self, t, &slope, &curve);
        *(slope < 0.0 ? &low : &high) = t;
        const double next = curve > 0.0 ? t - slope / curve : 0.0;
        const double before = t;
        t = next > low && next < high ? next : sqrt(low * high);
        if (fabs(t - before) <= 1e-9 * t) {
            break;
        }
    }
    return 1.0 / t;
}

static bool is_separate(const training *self) {
    return self->problem.outputs > 1 && strcmp(self->problem.loss->name, "logistic") == 0;
}

/* ---- What is settled ---- */

/* The temperature for the shift is that which fits alone. Platt's share would raise it where rows are few and none on its wrong side. */
static cnm_status settle_shift(training *self, const held_scores *held, cnm_error *err) {
    if (shift_is_learned(&self->problem)) {
        return shift_learned(&self->problem, self->temperature > 0.0 ? self->temperature : 1.0, self->shift, err);
    }
    const double plain = held->count > 0 ? fit_temperature(held, 0.0) : 1.0;
    if (self->problem.settings->metric == METRIC_BALANCED) {
        shift_balanced(&self->problem, plain, self->shift);
        return CNM_OK;
    }
    if (held->count > 0) {
        return shift_f1(held->scores, held->count, held->outputs, held->weights, plain, self->shift, err);
    }
    if (!self->stopped) {
        notice_send(
            self->problem.callbacks,
            "--metric f1 shifts no class: rows are too few to hold some back, or --time-limit leaves no time to "
            "train without them; --validation holds rows back");
    }
    memory_free(self->shift);
    self->shift = NULL;
    return CNM_OK;
}

cnm_status calibrate(training *self, const cnm_model *start, cnm_error *err) {
    held_scores held = {0};
    cnm_status status = CNM_OK;
    self->temperature = 0.0;
    if (shift_wanted(&self->problem) || shift_is_learned(&self->problem)) {
        status = memory_zeroed(&self->shift, self->problem.outputs, sizeof *self->shift, "shifts", err);
    }
    if (status == CNM_OK && (self->shift != NULL || loss_has_margins(self->problem.loss))) {
        status = held_scores_find(&held, self, start, err);
    }
    if (status == CNM_OK && held.count > 0 && !is_separate(self)) {
        self->temperature = fit_temperature(&held, 1.0 / ((double)held.count + 2.0));
    }
    if (status == CNM_OK && self->shift != NULL) {
        status = settle_shift(self, &held, err);
    }
    held_scores_free(&held);
    return status;
}
