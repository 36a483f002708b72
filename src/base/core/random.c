/* Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011). Key = seed; counter = (index
 * low, index high, stream id, part).
 *
 * Not cryptographic. Only uniform distributions: the variates of random maps are made in
 * src/math. */
#include "base/core/random.h"

#include "base/core/philox.h"
#include "base/text/uint128.h"

void random_words(random_stream stream, uint64_t index, uint32_t out[4]) {
    out[0] = (uint32_t)index;
    out[1] = (uint32_t)(index >> 32);
    out[2] = stream.id;
    out[3] = stream.part;
    philox4x32((uint32_t)stream.seed, (uint32_t)(stream.seed >> 32), out);
}

static uint64_t random_bits(random_stream stream, uint64_t index) {
    uint32_t words[4];
    random_words(stream, index, words);
    return (uint64_t)words[1] << 32 | words[0];
}

/* Returns (n + 1/2) / 2^52 for 52 random bits n: n + 1/2 needs 53 bits, so nothing is rounded, and
 * 0 and 1 cannot come out. */
double random_uniform(random_stream stream, uint64_t index) {
    const uint64_t n = random_bits(stream, index) >> 12;
    return ((double)n + 0.5) * 0x1p-52;
}

/* Returns floor(n * bound / 2^64) for 64 random bits n. */
uint64_t random_below(random_stream stream, uint64_t index, uint64_t bound) {
    return uint128_multiply(random_bits(stream, index), bound).high;
}

void random_order(random_stream stream, size_t count, size_t *out) {
    for (size_t i = 0; i < count;
         i++) { /* inside out: i goes to a random place up to i, and what lay there to place i */
        const size_t j = (size_t)random_below(stream, i, (uint64_t)i + 1);
        out[i] = i;
        out[i] = out[j];
        out[j] = i;
    }
}
