/* Time decides only when to report, never what is computed. */
#include "learn/progress.h"

#include <math.h>
#include <time.h>

double progress_clock(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress_meter progress_start(const cnm_callbacks *callbacks, const char *phase, uint64_t total) {
    const double now = progress_clock();
    return (progress_meter){.callbacks = callbacks, .phase = phase, .total = total, .started = now, .reported = now};
}

bool progress_report(progress_meter *self, uint64_t done, uint64_t rows, double loss, double validation) {
    const double now = progress_clock(), seconds = now - self->started;
    if (self->callbacks == NULL || self->callbacks->progress == NULL ||
        (now - self->reported < 0.1 && done < self->total)) {
        return self->stopped;
    }
    self->reported = now;
    const double inside = self->total > 0 ? fmin((double)done / (double)self->total, 1.0) : 0.0;
    const double from = self->span.from, to = self->span.to > 0.0 ? self->span.to : 1.0;
    const double timed = done > self->skipped ? (double)(done - self->skipped) : 0.0;
    const cnm_progress report = {
        .struct_size = sizeof(cnm_progress),
        .phase = self->phase,
        .done = done,
        .total = self->total,
        .loss = loss,
        .validation = validation,
        .rows_per_second = seconds > 0.0 ? timed * (double)rows / seconds : 0.0,
        .seconds = seconds,
        .seconds_left = timed > 0.0 && done < self->total ? seconds * (double)(self->total - done) / timed : 0.0,
        .fraction = from + (to - from) * inside,
    };
    self->stopped = self->callbacks->progress(&report, self->callbacks->user) != 0 || self->stopped;
    return self->stopped;
}
