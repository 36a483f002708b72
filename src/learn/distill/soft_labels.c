/* In pieces of RUN outputs; one is enough for most. Sums in double, in the order of the outputs. */
#include "learn/distill/soft_labels.h"

#include <math.h>

#include "math/elementary/elementary.h"
#include "math/elementary/exp_log.h"

enum { RUN = 64 }; /* exponentials that are taken together */

static double largest_of(const float *scores, size_t outputs) {
    double largest = (double)scores[0];
    for (size_t j = 1; j < outputs; j++) {
        largest = fmax(largest, (double)scores[j]);
    }
    return largest;
}

/* powers (outputs <= RUN) = exp((s_j - largest) / T); returns their sum. Terms below 2^-63 are lost in it, and are 0. */
static double take_powers(const float *scores, size_t outputs, double largest, double temperature, double *powers) {
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

/* The sum of all powers; powers (up to RUN) are those of the last piece. */
static double take_total(const float *scores, size_t outputs, double largest, double temperature, double *powers) {
    double total = 0.0;
    for (size_t first = 0; first < outputs; first += RUN) {
        total +=
            take_powers(scores + first, outputs - first < RUN ? outputs - first : RUN, largest, temperature, powers);
    }
    return total;
}

double entropy_row(const float *scores, const float *wanted, size_t outputs, double temperature, double weight,
                   float *slope) {
    const double largest = largest_of(scores, outputs);
    double powers[RUN], value = 0.0;
    const double total = take_total(scores, outputs, largest, temperature, powers);
    const double level = elementary_log(total) + largest / temperature;
    for (size_t first = 0; first < outputs; first += RUN) {
        const size_t count = outputs - first < RUN ? outputs - first : RUN;
        if (outputs > RUN) {
            (void)take_powers(scores + first, count, largest, temperature, powers);
        }
        for (size_t j = 0; j < count; j++) {
            const double p = (double)wanted[first + j];
            value += p * (level - (double)scores[first + j] / temperature);
            slope[first + j] += (float)(weight / temperature * (powers[j] / total - p));
        }
    }
    return weight * value;
}

void entropy_logarithms(float *values, size_t outputs) {
    const double largest = largest_of(values, outputs);
    double powers[RUN];
    const double level = elementary_log(take_total(values, outputs, largest, 1.0, powers)) + largest;
    for (size_t j = 0; j < outputs; j++) {
        values[j] = (float)((double)values[j] - level);
    }
}

void entropy_probabilities(float *values, size_t outputs) {
    entropy_logarithms(values, outputs);
    for (size_t j = 0; j < outputs; j++) {
        values[j] = (float)elementary_exp((double)values[j]);
    }
}
