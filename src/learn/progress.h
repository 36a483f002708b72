/* Progress reports to the caller, about ten times a second; the caller may stop the training. */
#ifndef CNM_LEARN_PROGRESS_H
#define CNM_LEARN_PROGRESS_H

#include <stdbool.h>

#include "cnm/types.h"

/* A part of a stage, as shares of its work. */
typedef struct progress_span {
    double from, to; /* 0 to 1; both 0 stands for the whole stage */
} progress_span;

typedef struct progress_meter {
    const cnm_callbacks *callbacks; /* may be NULL */
    const char *phase;
    uint64_t total;
    progress_span span;
    uint64_t before;          /* steps of earlier runs with this meter; see fit_steps_run */
    uint64_t skipped;         /* steps of the training that this one resumes: not timed */
    double started, reported; /* progress_clock() */
    bool stopped;             /* the caller stopped the training */
} progress_meter;

progress_meter progress_start(const cnm_callbacks *callbacks, const char *phase, uint64_t total);

/* Reports where the last report is a tenth of a second old, and at the end; returns self->stopped.
 * rows: in a step. */
bool progress_report(progress_meter *self, uint64_t done, uint64_t rows, double loss, double validation);

/* Returns seconds on a monotonic clock. */
double progress_clock(void);

#endif
