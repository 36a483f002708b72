/* Normal, Cauchy, Laplace and uniform variates from Philox, one function of (stream, number) each. */
#include "math/contraction.h"

#include "math/variates.h"

#include <math.h>

#include "math/elementary.h"

/* Uniform in (0, 1) from two words: the middles of 2^53 equal intervals, as near as doubles can name them. */
static double uniform_of_words(uint32_t high, uint32_t low) {
    const uint64_t bits = ((uint64_t)high << 32 | low) >> 12;
    return ((double)bits + 0.5) * 0x1p-52;
}

/* Box and Muller: variates 2p and 2p + 1 are sqrt(-2 log u) times the cosine and the sine of 2 pi v, from the four words
 * number p. */
static void normal_pair(random_stream stream, uint64_t pair, double out[2]) {
    uint32_t words[4];
    random_words(stream, pair, words);
    const double radius = sqrt(-2.0 * elementary_log(uniform_of_words(words[0], words[1])));
    double s, c;
    elementary_sincos_turns(uniform_of_words(words[2], words[3]), &s, &c);
    out[0] = radius * c;
    out[1] = radius * s;
}

void variates_normal(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    size_t i = 0;
    while (i < count) {
        const uint64_t number = first + i;
        double pair[2];
        normal_pair(stream, number / 2, pair);
        for (size_t which = (size_t)(number % 2); which < 2 && i < count; which++) {
            out[i++] = (float)(scale * pair[which]);
        }
    }
}

/* tan(pi (u - 1/2)) = -cos(pi u) / sin(pi u), and pi u is u / 2 turns. */
void variates_cauchy(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        double s, c;
        elementary_sincos_turns(0.5 * random_uniform(stream, first + i), &s, &c);
        out[i] = (float)(scale * (-c / s));
    }
}

/* Density exp(-|x|) / 2: the logarithm of the tail on either side. 2 (1 - u) is exact for u >= 1/2. */
void variates_laplace(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        const double u = random_uniform(stream, first + i);
        const double value = u < 0.5 ? elementary_log(2.0 * u) : -elementary_log(2.0 * (1.0 - u));
        out[i] = (float)(scale * value);
    }
}

/* Rounding to float could reach scale itself: such values become the float below. */
void variates_uniform(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        float value = (float)(scale * random_uniform(stream, first + i));
        if ((double)value >= scale) {
            value = nextafterf(value, 0.0f);
        }
        out[i] = value;
    }
}
