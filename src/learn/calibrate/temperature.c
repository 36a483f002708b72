/* One temperature T for all classes (the methods of Platt and of Guo et al. without an intercept),
 * so that the most probable class stays the one with the largest score. With t = 1 / T, minimises
 * over t the mean of
 *
 *   log(sum over j of exp(t s_j)) - t ((1 - e) s_y + e * mean of the s_j, j not y)
 *
 * which is convex in t. The share e = 1 / (n + 2) of the other classes is Platt's: it keeps T above
 * 0 where every row is classified correctly. */
#include "learn/calibrate/temperature.h"

#include <math.h>

#include "learn/objective/losses.h"
#include "math/elementary/elementary.h"

enum { ROUNDS = 60 };

typedef struct calibration {
    const heldout_scores *held;
    size_t classes;
    double smoothing; /* e */
} calibration;

static double score_of(const calibration *self, size_t i, size_t j) {
    return class_score(self->held->scores, self->held->outputs, i, j);
}

/* First and second derivative of one row's term: the mean of s under softmax(t s) less the wanted
 * one, and its variance. */
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

/* Takes Newton's steps on t inside a bracket that shrinks. */
double temperature_fit(const heldout_scores *held, double smoothing) {
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
