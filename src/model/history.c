/* Appends points, and decides which steps get one. */
#include "model/history.h"

#include <string.h>

#include "base/core/memory.h"
#include "base/core/try.h"

enum { POINTS = 20 };

uint64_t history_interval(uint64_t total) {
    const uint64_t interval = total / POINTS + 1;
    return (total + interval - 1) / interval < POINTS && interval > 1 ? interval / 2 : interval;
}

/* Returns the last point of this phase, or NULL. */
static history_point *last_of(const history *self, const char *phase) {
    history_point *last = self->count > 0 ? &self->points[self->count - 1] : NULL;
    return last != NULL && strcmp(last->phase, phase) == 0 ? last : NULL;
}

bool history_is_due(const history *self, const char *phase, uint64_t step, uint64_t total) {
    const history_point *last = last_of(self, phase);
    return step == total || step - (last == NULL ? 0 : last->step) >= history_interval(total);
}

cnm_status history_add(history *self, const history_point *point, cnm_error *err) {
    history_point *last = last_of(self, point->phase);
    if (last != NULL && last->step == point->step) {
        *last = *point;
        return CNM_OK;
    }
    TRY(memory_grow(&self->points, &self->capacity, self->count + 1, sizeof *self->points, "a history", err));
    self->points[self->count++] = *point;
    return CNM_OK;
}

void history_free(history *self) {
    memory_free(self->points);
    *self = (history){0};
}
