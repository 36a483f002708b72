/* Plans of transforms: lengths, stages, twiddles, and the order in which the stages run. The
 * butterflies are in simd_butterflies.h. */
#include "math/elementary/contraction.h"

#include "math/fft/fft.h"

#include <string.h>

#include "base/core/error.h"
#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"

/* Radices in the order of their use, and the cost of a pass for each number, relative to radix
 * 4. */
static const struct {
    size_t radix;
    double cost;
} RADICES[] = {{7, 1.9}, {5, 1.5}, {3, 1.1}, {4, 1.0}, {2, 0.8}};

enum { RADIX_COUNT = sizeof RADICES / sizeof RADICES[0] };

/* Returns the cost of a transform of length n; 0 where n has other factors. */
static double cost_of_length(size_t n) {
    double cost = 0.5;
    size_t rest = n;
    for (size_t i = 0; i < RADIX_COUNT; i++) {
        while (rest % RADICES[i].radix == 0) {
            rest /= RADICES[i].radix;
            cost += RADICES[i].cost;
        }
    }
    return rest == 1 ? cost * (double)n : 0;
}

int fft_is_length(size_t n) { return n > 0 && cost_of_length(n) > 0; }

/* Returns the smallest odd * 2^e >= minimum (e >= 1 where even). */
static size_t doubled(size_t odd, size_t minimum, int even) {
    size_t n = even ? 2 * odd : odd;
    while (n < minimum) {
        n *= 2;
    }
    return n;
}

/* Tries every odd part with its smallest sufficient power of two; a longer length may have better
 * factors. */
size_t fft_length(size_t minimum, int even) {
    size_t best = 0;
    double best_cost = 0;
    if (minimum == 0 || minimum > SIZE_MAX / 64) {
        return 0;
    }
    for (size_t sevens = 1; sevens < 2 * minimum; sevens *= 7) {
        for (size_t fives = sevens; fives < 2 * minimum; fives *= 5) {
            for (size_t odd = fives; odd < 2 * minimum; odd *= 3) {
                const size_t n = doubled(odd, minimum, even);
                const double cost = cost_of_length(n);
                if (best == 0 || cost < best_cost) {
                    best = n;
                    best_cost = cost;
                }
            }
        }
    }
    return best;
}

static void fill_twiddles(float *out, size_t radix, size_t length) {
    for (size_t j = 0; j < length / radix; j++) {
        for (size_t q = 1; q < radix; q++) {
            double s, c;
            elementary_sincos_turns((double)(j * q) / (double)length, &s, &c);
            *out++ = (float)c;
            *out++ = (float)-s;
        }
    }
}

/* Makes the twiddles of all stages: length / radix * (radix - 1) complex numbers each, together
 * fewer than 2 n. */
cnm_status fft_create(fft_plan *self, size_t n, cnm_error *err) {
    memset(self, 0, sizeof *self);
    self->n = n;
    TRY(memory_take(&self->twiddles, n, 4 * sizeof(float), "a transform", err));
    float *twiddles = self->twiddles;
    size_t length = n;
    for (size_t i = 0; i < RADIX_COUNT; i++) {
        const size_t radix = RADICES[i].radix;
        for (; length % radix == 0; length /= radix) {
            self->stages[self->stage_count++] = (fft_stage){radix, length, twiddles};
            fill_twiddles(twiddles, radix, length);
            twiddles += length / radix * (radix - 1) * 2;
        }
    }
    return CNM_OK;
}

void fft_destroy(fft_plan *self) { memory_free(self->twiddles); }

/* Follows the stages: part q of a stage holds the frequencies q modulo radix. */
size_t fft_frequency(const fft_plan *self, size_t place) {
    size_t frequency = 0, step = 1;
    for (size_t s = 0; s < self->stage_count; s++) {
        const size_t part = self->stages[s].length / self->stages[s].radix;
        frequency += step * (place / part);
        place %= part;
        step *= self->stages[s].radix;
    }
    return frequency;
}

/* Numbers that stay in the first-level cache: for parts up to this size the stages below run one
 * after another over all parts; a larger part is finished before the next is begun. */
enum { CACHED = 128 };

static void forward_from(const fft_plan *self, const simd_table *run, size_t s, float *data) {
    const fft_stage *stage = &self->stages[s];
    run->forward[stage->radix](data, stage->length, 1, stage->twiddles);
    const size_t part = stage->length / stage->radix;
    if (part > CACHED) {
        for (size_t q = 0; q < stage->radix; q++) {
            forward_from(self, run, s + 1, data + q * part * 2 * LANES);
        }
        return;
    }
    for (size_t q = 0; q < stage->radix; q++) {
        for (size_t t = s + 1; t < self->stage_count; t++) {
            const fft_stage *below = &self->stages[t];
            run->forward[below->radix](data + q * part * 2 * LANES, below->length, part / below->length,
                                       below->twiddles);
        }
    }
}

static void inverse_from(const fft_plan *self, const simd_table *run, size_t s, float *data) {
    const fft_stage *stage = &self->stages[s];
    const size_t part = stage->length / stage->radix;
    for (size_t q = 0; q < stage->radix; q++) {
        float *part_data = data + q * part * 2 * LANES;
        if (part > CACHED) {
            inverse_from(self, run, s + 1, part_data);
            continue;
        }
        for (size_t t = self->stage_count; t-- > s + 1;) {
            const fft_stage *below = &self->stages[t];
            run->inverse[below->radix](part_data, below->length, part / below->length, below->twiddles);
        }
    }
    run->inverse[stage->radix](data, stage->length, 1, stage->twiddles);
}

void fft_forward(const fft_plan *self, float *data) {
    if (self->stage_count > 0) {
        forward_from(self, simd_active(), 0, data);
    }
}

void fft_inverse(const fft_plan *self, float *data) {
    if (self->stage_count > 0) {
        inverse_from(self, simd_active(), 0, data);
    }
}
