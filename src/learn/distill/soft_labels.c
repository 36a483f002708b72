/* Takes RUN outputs at a time, which is mostly all of them. Sums in double, in the order of the
 * outputs. */
#include "learn/distill/soft_labels.h"

#include <math.h>

#include "math/elementary/elementary.h"
#include "math/elementary/exp_log.h"

enum { RUN = 64 }; /* exponentials in a call of exp_array */

static double largest_of(const float *scores, size_t outputs) {
    double largest = (double)scores[0];
    for (size_t j = 1; j < outputs; j++) {
        largest = fmax(largest, (double)scores[j]);
    }
    return largest;
}

/* Fills powers (outputs <= RUN) with exp((s_j - largest) / T), and returns their sum. Terms below
 * 2^-63, which the sum does not change by, are 0. */
static double fill_powers(const float *scores, size_t outputs, double largest, double temperature, double *powers) {
    const double least = -43.66827237527655;
    double below[RUN], sum = 0.0;
    for (size_t j = 0; j < outputs; j++) {
        below[j] = ((double)scores[j] - largest) / temperature;
    }
    exp_array(below, outputs, least, powers);
    for (size_t j = 0; j < outputs; j++) {
        sum += powers[j];
    }
    return sum;
}

/* Returns the sum of all powers; powers (up to RUN) keeps the last ones. */
static double sum_powers(const float *scores, size_t outputs, double largest, double temperature, double *powers) {
    double total = 0.0;
    for (size_t first = 0; first < outputs; first += RUN) {
        total +=
            fill_powers(scores + first, outputs - first < RUN ? outputs - first : RUN, largest, temperature, powers);
    }
    return total;
}

double soft_cross_entropy(const float *scores, const float *wanted, size_t outputs, double temperature, double weight,
                          float *slope) {
    const double largest = largest_of(scores, outputs);
    double powers[RUN], value = 0.0;
    const double total = sum_powers(scores, outputs, largest, temperature, powers);
    const double level = elementary_log(total) + largest / temperature;
    for (size_t first = 0; first < outputs; first += RUN) {
        const size_t count = outputs - first < RUN ? outputs - first : RUN;
        if (outputs > RUN) {
            (void)fill_powers(scores + first, count, largest, temperature, powers);
        }
        for (size_t j = 0; j < count; j++) {
            const double p = (double)wanted[first + j];
            value += p * (level - (double)scores[first + j] / temperature);
            slope[first + j] += (float)(weight / temperature * (powers[j] / total - p));
        }
    }
    return weight * value;
}

void log_softmax(float *values, size_t outputs) {
    const double largest = largest_of(values, outputs);
    double powers[RUN];
    const double level = elementary_log(sum_powers(values, outputs, largest, 1.0, powers)) + largest;
    for (size_t j = 0; j < outputs; j++) {
        values[j] = (float)((double)values[j] - level);
    }
}

void softmax(float *values, size_t outputs) {
    log_softmax(values, outputs);
    for (size_t j = 0; j < outputs; j++) {
        values[j] = (float)elementary_exp((double)values[j]);
    }
}
