/* The two-loop recursion over the pairs that are kept (Nocedal 1980), the newest first and then the
 * oldest. */
#include "math/linalg/lbfgs.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

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

cnm_status lbfgs_create(lbfgs *out, size_t count, cnm_error *err) {
    enum { BYTES = LBFGS_PAIRS * sizeof(double) };
    *out = (lbfgs){0};
    const memory_want wants[] = {{&out->steps, count, BYTES, "a lbfgs"}, {&out->changes, count, BYTES, "a lbfgs"}};
    TRY(memory_take_all(err, wants, 2));
    out->count = count;
    return CNM_OK;
}

void lbfgs_free(lbfgs *self) {
    memory_free(self->steps);
    memory_free(self->changes);
    *self = (lbfgs){0};
}

/* Returns the place of the pair that came `back` pairs before the newest. */
static size_t place_of(const lbfgs *self, size_t back) { return (self->next + LBFGS_PAIRS - 1 - back) % LBFGS_PAIRS; }

void lbfgs_direction(const lbfgs *self, const double *gradient, double *direction) {
    const size_t count = self->count;
    double factors[LBFGS_PAIRS];
    for (size_t i = 0; i < count; i++) {
        direction[i] = -gradient[i];
    }
    for (size_t back = 0; back < self->kept; back++) {
        const size_t at = place_of(self, back);
        factors[at] = dot(self->steps + at * count, direction, count) / self->inner[at];
        add(direction, -factors[at], self->changes + at * count, count);
    }
    if (self->kept > 0) {
        const double *change = self->changes + place_of(self, 0) * count;
        const double unit = self->inner[place_of(self, 0)] / dot(change, change, count);
        for (size_t i = 0; i < count; i++) {
            direction[i] *= unit;
        }
    }
    for (size_t back = self->kept; back-- > 0;) {
        const size_t at = place_of(self, back);
        const double factor = dot(self->changes + at * count, direction, count) / self->inner[at];
        add(direction, factors[at] - factor, self->steps + at * count, count);
    }
}

void lbfgs_update(lbfgs *self, const double *direction, double length, const double *before, const double *after) {
    static const double FLAT = 1e-12; /* of what the curvature could be at most: rounding */
    double *step = self->steps + self->next * self->count, *change = self->changes + self->next * self->count;
    for (size_t i = 0; i < self->count; i++) {
        step[i] = length * direction[i];
        change[i] = after[i] - before[i];
    }
    const double inner = dot(step, change, self->count);
    if (inner > FLAT * dot(change, change, self->count)) {
        self->inner[self->next] = inner;
        self->next = (self->next + 1) % LBFGS_PAIRS;
        self->kept += self->kept < LBFGS_PAIRS;
    }
}
