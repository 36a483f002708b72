/* Noise from sums of bytes: the kernels do all that fills their vectors, with the same bits as the plain loop here. */
#include "math/contraction.h"

#include "math/noise.h"

#include "math/kernels.h"

/* The sum of four bytes has mean 510 and variance 4 (256^2 - 1) / 12 = 21845. */
static float value_of(uint32_t word, float scale) {
    const uint32_t sum = (word & 255U) + ((word >> 8) & 255U) + ((word >> 16) & 255U) + (word >> 24);
    return scale * ((float)sum - 510.0F);
}

void noise_add(random_stream stream, uint64_t first, size_t count, double scale, float *out) {
    const float unit = (float)(scale / 147.80054127099806); /* sqrt(21845) */
    const noise_counter counter = {stream.seed, first / 4, stream.purpose, stream.part};
    for (size_t i = kernels_here()->noise(&counter, count, unit, out); i < count; i += 4) {
        uint32_t words[4];
        random_words(stream, (first + i) / 4, words);
        for (size_t j = 0; j < 4 && i + j < count; j++) {
            out[i + j] += value_of(words[j], unit);
        }
    }
}
