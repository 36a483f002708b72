/* A random order of rows: Fisher and Yates, inside out. */
#include "math/random/shuffle.h"

#include "base/text/uint128.h"
#include "math/simd/simd_dispatch.h"

/* Random numbers that are made at a time. */
enum { RUN = 256 };

/* Makes 64 bits each of numbers first .. of a stream. */
static void random_run(random_stream stream, uint64_t first, size_t count, uint64_t *out) {
    const random_counter counter = {stream.seed, first, stream.id, stream.part};
    for (size_t i = simd_active()->random_bits(&counter, count, out); i < count; i++) {
        uint32_t words[4];
        random_words(stream, first + i, words);
        out[i] = (uint64_t)words[1] << 32 | words[0];
    }
}

/* Puts i at a random place up to i, and what lay there at place i. */
void shuffle(random_stream stream, size_t count, size_t *out) {
    uint64_t bits[RUN];
    for (size_t first = 0; first < count; first += RUN) {
        const size_t run = count - first < RUN ? count - first : RUN;
        random_run(stream, first, run, bits);
        for (size_t i = first; i < first + run; i++) {
            const size_t j = (size_t)uint128_multiply(bits[i - first], (uint64_t)i + 1).high;
            out[i] = i;
            out[i] = out[j];
            out[j] = i;
        }
    }
}
