/* Telling the caller how far a training is, about ten times a second, and hearing that it should stop. */
#ifndef CNM_LEARN_PROGRESS_H
#define CNM_LEARN_PROGRESS_H

#include <stdbool.h>

#include "cnm/types.h"

typedef struct progress_meter {
    const cnm_callbacks *callbacks; /* may be NULL */
    const char *phase;
    uint64_t total;
    uint64_t before;          /* done by earlier runs under this meter; see training_run */
    uint64_t skipped;         /* of these: done by an earlier training that this one resumes, and not timed */
    double started, reported; /* seconds on a clock that only goes forward */
    bool stopped;             /* the caller asked to */
} progress_meter;

progress_meter progress_start(const cnm_callbacks *callbacks, const char *phase, uint64_t total);

/* Reports when the last report is a tenth of a second old, or at the end; returns self->stopped. `rows`: in a step. */
bool progress_report(progress_meter *self, uint64_t done, uint64_t rows, double loss, double validation);

/* Seconds on that clock. */
double progress_clock(void);

#endif
