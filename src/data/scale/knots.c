/* Tables of knots: memory, checks, and the functions. Fitting is in knots_fit.c. */
#include "data/scale/knots.h"

#include "math/elementary/contraction.h"

#include <math.h>
#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

cnm_status knots_create(knot_table **out, size_t columns, const uint8_t *counts, cnm_error *err) {
    cnm_status status;
    knot_table *self;
    *out = NULL;
    TRY(memory_zeroed(&self, 1, sizeof *self, "knots", err));
    self->columns = columns;
    TRY_DONE(memory_zeroed(&self->starts, columns + 1, sizeof *self->starts, "knots", err));
    for (size_t j = 0; j < columns; j++) {
        self->starts[j + 1] = self->starts[j] + counts[j];
    }
    const size_t all = self->starts[columns];
    TRY_DONE(memory_zeroed(&self->at, all, sizeof *self->at, "knots", err));
    TRY_DONE(memory_zeroed(&self->value, all, sizeof *self->value, "knots", err));
    TRY_DONE(memory_zeroed(&self->slope, all, sizeof *self->slope, "knots", err));
    *out = self;
    return CNM_OK;
done:
    knots_destroy(self);
    return status;
}

void knots_destroy(knot_table *self) {
    if (self != NULL) {
        memory_free(self->starts);
        memory_free(self->at);
        memory_free(self->value);
        memory_free(self->slope);
        memory_free(self);
    }
}

cnm_status knots_copy(knot_table **out, const knot_table *self, cnm_error *err) {
    uint8_t *counts;
    const size_t all = self->starts[self->columns];
    *out = NULL;
    TRY(memory_take(&counts, self->columns + 1, sizeof *counts, "knots", err));
    for (size_t j = 0; j < self->columns; j++) {
        counts[j] = (uint8_t)(self->starts[j + 1] - self->starts[j]);
    }
    const cnm_status status = knots_create(out, self->columns, counts, err);
    memory_free(counts);
    TRY(status);
    memcpy((*out)->at, self->at, all * sizeof *self->at);
    memcpy((*out)->value, self->value, all * sizeof *self->value);
    memcpy((*out)->slope, self->slope, all * sizeof *self->slope);
    return CNM_OK;
}

/* Fills the slope from knot i to the next, which is 0 behind the last one. */
static bool prepare_knot(knot_table *self, size_t i, bool last) {
    self->slope[i] = 0.0F;
    if (!isfinite(self->at[i]) || !isfinite(self->value[i])) {
        return false;
    }
    if (last) {
        return true;
    }
    self->slope[i] = (self->value[i + 1] - self->value[i]) / (self->at[i + 1] - self->at[i]);
    return self->at[i + 1] > self->at[i] && self->value[i + 1] >= self->value[i] && isfinite(self->slope[i]);
}

bool knots_prepare(knot_table *self) {
    bool sound = true;
    for (size_t j = 0; j < self->columns; j++) {
        sound = sound && self->starts[j] < self->starts[j + 1];
        for (size_t i = self->starts[j]; sound && i < self->starts[j + 1]; i++) {
            sound = prepare_knot(self, i, i + 1 == self->starts[j + 1]);
        }
    }
    return sound;
}

float knots_value(const knot_table *self, size_t column, float t) {
    size_t low = self->starts[column], count = self->starts[column + 1] - low;
    const size_t last = low + count - 1;
    if (isnan(t)) {
        return t;
    }
    while (count > 1) { /* at[low] <= t, or low is the first */
        const size_t half = count / 2;
        low += self->at[low + half] <= t ? half : 0;
        count -= half;
    }
    if (low == last || t <= self->at[low]) {
        return self->value[low];
    }
    const float value = self->value[low] + (t - self->at[low]) * self->slope[low];
    return value < self->value[low + 1] ? value : self->value[low + 1];
}

void knots_row(const knot_table *self, float *t) {
    for (size_t j = 0; j < self->columns; j++) {
        t[j] = knots_value(self, j, t[j]);
    }
}
