/* Trainings that are interrupted where a test says: the library's clock and its pieces of work are replaced, so that a report comes after
 * every few steps and the clock counts reports. The linker finds these functions before those of learn/progress.c and learn/fit/chunk_size.c. */
#ifndef CNM_TESTS_LEARN_INTERRUPTIONS_H
#define CNM_TESTS_LEARN_INTERRUPTIONS_H

#include "learn/learn_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "learn/fit/fit_session.h"

enum { PIECE = 7 };

/* What happens when, counted from the start of a training. */
typedef struct course {
    uint64_t reports;            /* so far: pieces of work */
    uint64_t machines;           /* of these, in a row: kernel machines that were tried ... */
    uint64_t first_machine;      /* ... from this one on */
    uint64_t stop_at, kill_at;   /* at this report: cancel, or SIGKILL; 0: never */
    void (*at)(uint64_t report); /* called at every report; may be NULL */
    size_t notices;
    char notice[CNM_MESSAGE_SIZE]; /* the latest */
    char words[64];                /* only notices with these words are counted and kept; "": all */
} course;

static course now;

uint64_t training_piece(const training *self, const train_plan *plan) {
    (void)self, (void)plan;
    return PIECE;
}

double progress_clock(void) { return (double)now.reports; }

progress_meter progress_start(const cnm_callbacks *callbacks, const char *phase, uint64_t total) {
    return (progress_meter){.callbacks = callbacks, .phase = phase, .total = total};
}

bool progress_report(progress_meter *self, uint64_t done, uint64_t rows, double loss, double validation) {
    (void)done, (void)rows, (void)loss, (void)validation;
    now.reports++;
    if (strcmp(self->phase, "machines") == 0) {
        now.first_machine = now.machines++ == 0 ? now.reports : now.first_machine;
    }
    if (now.at != NULL) {
        now.at(now.reports);
    }
    if (now.reports == now.kill_at) {
        raise(SIGKILL);
    }
    self->stopped = self->stopped || (self->callbacks != NULL && now.reports == now.stop_at);
    return self->stopped;
}

static inline void take_notice(const char *sentence, void *user) {
    (void)user;
    if (strstr(sentence, now.words) != NULL) {
        now.notices++;
        snprintf(now.notice, sizeof now.notice, "%s", sentence);
    }
}

static const cnm_callbacks NOTICING = {.notice = take_notice};

#endif
