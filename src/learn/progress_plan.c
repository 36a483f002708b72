/* The caller's callbacks stay as they are; the plan's own forward to them. */
#include "learn/progress_plan.h"

#include <math.h>

static int forward_progress(const cnm_progress *at, void *user) {
    progress_plan *self = user;
    const bool nested = at->stages > 0;
    const double inside = isfinite(at->fraction) ? fmin(fmax(at->fraction, 0.0), 1.0) : 0.0;
    const double fraction = self->span.from + (self->span.to - self->span.from) * inside;
    cnm_progress report = *at;
    self->reached = fmin(fmax(self->reached, fraction), 1.0);
    report.phase = nested ? self->name : at->phase;
    report.fraction = self->reached;
    report.stage = self->stage;
    report.stages = self->stages;
    const bool now = self->outer->progress(&report, self->outer->user) != 0;
    self->asked = self->asked || now;
    return now || self->stopped;
}

static void forward_notice(const char *sentence, void *user) {
    const progress_plan *self = user;
    self->outer->notice(sentence, self->outer->user);
}

static void forward_info(const char *sentence, void *user) {
    const progress_plan *self = user;
    self->outer->info(sentence, self->outer->user);
}

void progress_plan_begin(progress_plan *self, const cnm_callbacks *outer) {
    *self = (progress_plan){.outer = outer, .span = {0.0, 0.0}};
    if (outer != NULL) {
        self->callbacks = (cnm_callbacks){
            .struct_size = sizeof(cnm_callbacks),
            .progress = outer->progress != NULL ? forward_progress : NULL,
            .notice = outer->notice != NULL ? forward_notice : NULL,
            .info = outer->info != NULL ? forward_info : NULL,
            .user = self,
        };
    }
}

const cnm_callbacks *progress_plan_callbacks(const progress_plan *self) {
    return self->outer != NULL ? &self->callbacks : NULL;
}

void progress_plan_enter(progress_plan *self, const char *name, size_t at, const double *work, size_t count) {
    const double from = fmax(self->span.to, self->reached);
    double left = 0.0;
    self->stage = self->stages = 0;
    for (size_t i = 0; i < count; i++) {
        const bool counts = work[i] > 0.0;
        self->stages += counts;
        self->stage += counts && i <= at;
        left += i >= at ? work[i] : 0.0;
    }
    self->name = name;
    self->span = (progress_span){from, left > 0.0 ? from + (1.0 - from) * work[at] / left : from};
}
