#include "support/interruptions.h"

#include <signal.h>

#include "learn/fit/chunk_size.h"
#include "learn/progress.h"

timeline now;

uint64_t chunk_size(const fit_session *self, const train_plan *plan) {
    (void)self, (void)plan;
    return CHUNK_STEPS;
}

double progress_clock(void) { return (double)now.reports; }

progress_meter progress_start(const cnm_callbacks *callbacks, const char *phase, uint64_t total) {
    return (progress_meter){.callbacks = callbacks, .phase = phase, .total = total};
}

bool progress_report(progress_meter *self, uint64_t done, uint64_t rows, double loss, double validation) {
    (void)done, (void)rows, (void)loss, (void)validation;
    now.reports++;
    if (strcmp(self->phase, "distill-search") == 0) {
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

static void take_notice(const char *sentence, void *user) {
    (void)user;
    if (strstr(sentence, now.words) != NULL) {
        now.notices++;
        snprintf(now.notice, sizeof now.notice, "%s", sentence);
    }
}

const cnm_callbacks NOTICING = {.struct_size = sizeof(cnm_callbacks), .notice = take_notice};
