/* The two loops over the pairs that are kept, the newest first and then the oldest. */
#include "math/linalg/lbfgs.h"

#include <string.h>

#include "base/core/memory.h"

static double dot(const double *x, const double *y, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void add(double *to, double factor, const double *what, size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] += factor * what[i];
    }
}

cnm_status descent_create(descent *out, size_t count, cnm_error *err) {
    *out = (descent){.count = count};
    cnm_status status = memory_take(&out->steps, count, DESCENT_PAIRS * sizeof(double), "a descent", err);
    status =
        status == CNM_OK ? memory_take(&out->turns, count, DESCENT_PAIRS * sizeof(double), "a descent", err) : status;
    if (status != CNM_OK) {
        descent_free(out);
    }
    return status;
}

void descent_free(descent *self) {
    memory_free(self->steps);
    memory_free(self->turns);
    *self = (descent){0};
}

/* The place of the pair that came `back` pairs before the newest. */
static size_t place_of(const descent *self, size_t back) {
    return (self->next + DESCENT_PAIRS - 1 - back) % DESCENT_PAIRS;
}

void descent_direction(const descent *self, const double *gradient, double *direction) {
    const size_t count = self->count;
    double factors[DESCENT_PAIRS];
    for (size_t i = 0; i < count; i++) {
        direction[i] = -gradient[i];
    }
    for (size_t back = 0; back < self->kept; back++) {
        const size_t at = place_of(self, back);
        factors[at] = dot(self->steps + at * count, direction, count) / self->inner[at];
        add(direction, -factors[at], self->turns + at * count, count);
    }
    if (self->kept > 0) {
        const double *turn = self->turns + place_of(self, 0) * count;
        const double unit = self->inner[place_of(self, 0)] / dot(turn, turn, count);
        for (size_t i = 0; i < count; i++) {
            direction[i] *= unit;
        }
    }
    for (size_t back = self->kept; back-- > 0;) {
        const size_t at = place_of(self, back);
        const double factor = dot(self->turns + at * count, direction, count) / self->inner[at];
        add(direction, factors[at] - factor, self->steps + at * count, count);
    }
}

void descent_note(descent *self, const double *direction, double length, const double *before, const double *after) {
    static const double FLAT = 1e-12; /* of what the curvature could be at most: rounding */
    double *step = self->steps + self->next * self->count, *turn = self->turns + self->next * self->count;
    for (size_t i = 0; i < self->count; i++) {
        step[i] = length * direction[i];
        turn[i] = after[i] - before[i];
    }
    const double inner = dot(step, turn, self->count);
    if (inner > FLAT * dot(turn, turn, self->count)) {
        self->inner[self->next] = inner;
        self->next = (self->next + 1) % DESCENT_PAIRS;
        self->kept += self->kept < DESCENT_PAIRS;
    }
}
