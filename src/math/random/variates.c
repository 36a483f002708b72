/* Normal, Cauchy, Laplace and uniform variates from Philox, one function of (stream, number)
 * each. */
#include "math/elementary/contraction.h"

#include "math/random/variates.h"

#include <math.h>
#include <string.h>

#include "math/elementary/elementary.h"
#include "math/simd/simd_dispatch.h"

/* Returns 52 random bits from two words. */
static uint64_t bits_of_words(uint32_t high, uint32_t low) { return ((uint64_t)high << 32 | low) >> 12; }

/* Pairs of normal variates that are made at a time. Box and Muller (1958): variates 2p and 2p + 1
 * are sqrt(-2 log u) times the cosine and the sine of 2 pi v, from the four words number p; u and v
 * are the middles of 2^52 equal intervals of (0, 1). */
enum { PAIRS = 64 };

static void normal_pairs(random_stream stream, uint64_t first, size_t pairs, double scale, float *out) {
    uint64_t u[PAIRS], v[PAIRS];
    const simd_table *run = simd_active();
    const random_counter counter = {stream.seed, first, stream.id, stream.part};
    for (size_t i = run->random(&counter, pairs, u, v); i < pairs; i++) {
        uint32_t words[4];
        random_words(stream, first + i, words);
        u[i] = bits_of_words(words[0], words[1]);
        v[i] = bits_of_words(words[2], words[3]);
    }
    run->normal(pairs, u, v, scale, out);
}

void variates_normal(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    float values[2 * PAIRS];
    for (size_t done = 0; done < count;) {
        const size_t skip = (size_t)((first + done) % 2), left = count - done + skip;
        const size_t taken = left < 2 * (size_t)PAIRS ? left : 2 * (size_t)PAIRS;
        normal_pairs(stream, (first + done) / 2, (taken + 1) / 2, scale, values);
        memcpy(out + done, values + skip, (taken - skip) * sizeof *out);
        done += taken - skip;
    }
}

/* Inverts the distribution: tan(pi (u - 1/2)) = -cos(pi u) / sin(pi u), and pi u is u / 2 turns. */
void variates_cauchy(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        double s, c;
        elementary_sincos_turns(0.5 * random_uniform(stream, first + i), &s, &c);
        out[i] = (float)(scale * (-c / s));
    }
}

/* Inverts the distribution with density exp(-|x|) / 2: a logarithm on either side. 2 (1 - u) is
 * exact for u >= 1/2. */
void variates_laplace(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        const double u = random_uniform(stream, first + i);
        const double value = u < 0.5 ? elementary_log(2.0 * u) : -elementary_log(2.0 * (1.0 - u));
        out[i] = (float)(scale * value);
    }
}

/* Rounds to float, which could reach scale itself: such values become the float below. */
void variates_uniform(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    for (size_t i = 0; i < count; i++) {
        float value = (float)(scale * random_uniform(stream, first + i));
        if ((double)value >= scale) {
            value = nextafterf(value, 0.0f);
        }
        out[i] = value;
    }
}
