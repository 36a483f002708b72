/* Adds noise from sums of digits: the SIMD code does whole groups, with the same bits as the plain
 * loop here. */
#include "math/elementary/contraction.h"

#include "math/random/cheap_normal.h"

#include "math/simd/simd_dispatch.h"

_Static_assert((int)CHEAP_NORMAL_GROUP == (int)NOISE_GROUP, "noise.h and simd_table.h mean the same");

/* Returns value i of a group: digit sums of its words in order, lower digits first. The sum of four
 * digits has mean 30 and variance 4 (16^2 - 1) / 12 = 85. */
static float value_of(random_stream stream, uint64_t first_counter, size_t i, float unit) {
    const size_t half = NOISE_GROUP / 2, place = i % half;
    uint32_t words[4];
    random_words(stream, first_counter + place / 4, words);
    const uint32_t digits = words[place % 4] >> (i < half ? 0 : 4) & 0x0f0f0f0fU;
    const uint32_t sum = (digits & 255U) + (digits >> 8 & 255U) + (digits >> 16 & 255U) + (digits >> 24);
    return unit * ((float)sum - 30.0F);
}

void cheap_normal_add(random_stream stream, uint64_t first, size_t count, double scale, const float *x, float *out) {
    const float unit = (float)(scale / 9.219544457292887); /* sqrt(85) */
    const random_counter counter = {stream.seed, first / 8, stream.id, stream.part};
    const size_t done = simd_active()->noise(&counter, count, unit, x, out);
    for (size_t i = done; i < count; i++) {
        out[i] = x[i] + value_of(stream, counter.index + i / NOISE_GROUP * (NOISE_GROUP / 8), i % NOISE_GROUP, unit);
    }
}
