/* Transforms a single row, in both directions, and chooses which stages run across. The passes are
 * in simd_across.h. */
#include "math/elementary/contraction.h"

#include "math/fft/convolve_row.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"
#include "math/elementary/elementary.h"

static size_t up(size_t count, size_t unit) { return (count + unit - 1) / unit * unit; }

/* Returns the numbers that pass through butterflies when `across` stages run across, padding lanes
 * counted. */
static size_t cost_of(const fft_plan *shape, size_t across) {
    size_t cost = 0, groups = 1;
    for (size_t t = 0; t < across; t++) {
        const size_t radix = shape->stages[t].radix, part = shape->stages[t].length / radix;
        cost += groups * radix * (up(part, LANES) + LANES); /* and once more for j = 0 */
        groups *= radix;
    }
    return cost + (shape->stage_count - across + 2) * up(groups, LANES) * (shape->n / groups);
}

/* Returns the floats of scratch; see row_cut_scratch. */
static size_t scratch_of(const row_plan *self) { return self->blocks * LANES * self->length * (4 + 2 * 2); }

static void choose(row_plan *self, const fft_plan *shape, size_t scratch) {
    size_t best = cost_of(shape, 0), groups = 1;
    for (size_t across = 1; across <= shape->stage_count; across++) {
        groups *= shape->stages[across - 1].radix;
        const row_plan with = {.across = across,
                               .groups = groups,
                               .length = shape->n / groups,
                               .blocks = up(groups, LANES) / LANES,
                               .rows = cost_of(shape, 0) / (2 * cost_of(shape, across))};
        if (cost_of(shape, across) < best && with.rows > 0 && scratch_of(&with) <= scratch) {
            best = cost_of(shape, across);
            *self = with;
        }
    }
}

static void fill_twiddles(float *out, size_t radix, size_t length) {
    const size_t part = length / radix;
    for (size_t q = 1; q < radix; q++, out += 2 * part) {
        for (size_t j = 0; j < part; j++) {
            double s, c;
            elementary_sincos_turns((double)(j * q) / (double)length, &s, &c);
            out[j] = (float)c;
            out[part + j] = (float)-s;
        }
    }
}

static void fill_tables(row_plan *self, const fft_plan *shape) {
    float *twiddles = self->twiddles;
    for (size_t t = 0; t < self->across; t++) {
        const fft_stage *stage = &shape->stages[t];
        fill_twiddles(twiddles, stage->radix, stage->length);
        twiddles += stage->length / stage->radix * (stage->radix - 1) * 2;
    }
    for (size_t p = 0; p < shape->n; p++) {
        const size_t group = p / self->length, i = p % self->length;
        self->place[p] = (group / LANES * self->length + i) * 2 * LANES + group % LANES;
    }
}

cnm_status row_plan_create(row_plan *self, const fft_plan *shape, size_t scratch, cnm_error *err) {
    *self = (row_plan){0};
    choose(self, shape, scratch);
    if (self->across == 0) {
        return CNM_OK;
    }
    TRY(memory_take(&self->twiddles, shape->n, 4 * sizeof(float), "a transform", err));
    TRY(memory_take(&self->place, shape->n, sizeof *self->place, "a transform", err));
    fill_tables(self, shape);
    return CNM_OK;
}

void row_plan_destroy(row_plan *self) {
    memory_free(self->twiddles);
    memory_free(self->place);
}

row_arrays row_cut_scratch(const row_plan *self, float *scratch) {
    const size_t room = self->blocks * LANES * self->length;
    return (row_arrays){.re = scratch,
                        .im = scratch + room,
                        .next_re = scratch + 2 * room,
                        .next_im = scratch + 3 * room,
                        .lanes = scratch + 4 * room,
                        .product = scratch + 6 * room};
}

static void swap(row_arrays *arrays) {
    const row_arrays before = *arrays;
    arrays->re = before.next_re;
    arrays->im = before.next_im;
    arrays->next_re = before.re;
    arrays->next_im = before.im;
}

/* Runs one stage across, from re, im to re, im. */
static void run_across(const fft_stage *stage, size_t n, across_function *pass, const float *twiddles,
                       row_arrays *arrays) {
    for (size_t first = 0; first < n; first += stage->length) {
        pass(&(across_pass){.length = stage->length,
                            .twiddles = twiddles,
                            .re = arrays->re + first,
                            .im = arrays->im + first,
                            .out_re = arrays->next_re + first,
                            .out_im = arrays->next_im + first});
    }
    swap(arrays);
}

static size_t twiddles_of(const fft_stage *stage) { return stage->length / stage->radix * (stage->radix - 1) * 2; }

void row_forward(const row_plan *self, const fft_plan *shape, row_arrays *arrays) {
    const simd_table *run = simd_active();
    const size_t n = shape->n, length = self->length, block = LANES * length;
    const float *twiddles = self->twiddles;
    for (size_t t = 0; t < self->across; t++) {
        const fft_stage *stage = &shape->stages[t];
        run_across(stage, n, run->across_forward[stage->radix], twiddles, arrays);
        twiddles += twiddles_of(stage);
    }
    memset(arrays->re + n, 0, (self->blocks * block - n) * sizeof(float));
    memset(arrays->im + n, 0, (self->blocks * block - n) * sizeof(float));
    for (size_t b = 0; b < self->blocks; b++) {
        float *data = arrays->lanes + 2 * b * block;
        run->load_lanes(arrays->re + b * block, length, LANES, length, length, 2 * LANES, NULL, data);
        run->load_lanes(arrays->im + b * block, length, LANES, length, length, 2 * LANES, NULL, data + LANES);
        for (size_t t = self->across; t < shape->stage_count; t++) {
            const fft_stage *stage = &shape->stages[t];
            run->forward[stage->radix](data, stage->length, length / stage->length, stage->twiddles);
        }
    }
}

void row_inverse(const row_plan *self, const fft_plan *shape, row_arrays *arrays) {
    const simd_table *run = simd_active();
    const size_t length = self->length, block = LANES * length;
    const float *twiddles = self->twiddles;
    for (size_t b = 0; b < self->blocks; b++) {
        float *data = arrays->product + 2 * b * block;
        for (size_t t = shape->stage_count; t-- > self->across;) {
            const fft_stage *stage = &shape->stages[t];
            run->inverse[stage->radix](data, stage->length, length / stage->length, stage->twiddles);
        }
        run->store_lanes(data, 2 * LANES, LANES, length, arrays->re + b * block, length);
        run->store_lanes(data + LANES, 2 * LANES, LANES, length, arrays->im + b * block, length);
    }
    for (size_t t = 0; t < self->across; t++) {
        twiddles += twiddles_of(&shape->stages[t]);
    }
    for (size_t t = self->across; t-- > 0;) {
        const fft_stage *stage = &shape->stages[t];
        twiddles -= twiddles_of(stage);
        run_across(stage, shape->n, run->across_inverse[stage->radix], twiddles, arrays);
    }
}
