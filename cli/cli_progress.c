/* Prints a bar on a terminal, plain lines elsewhere; nothing in the first two seconds. */
#include "cli_progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli_format.h"
#include "report_error.h"

enum { BAR_WIDTH = 24 };
static const double QUIET_SECONDS = 2.0, TERMINAL_SECONDS = 0.1, LINE_SECONDS = 5.0;

static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal_number) { stop_asked = signal_number; }

bool interrupted(void) { return stop_asked != 0; }

int interrupted_status(void) { return stop_asked == SIGTERM ? STATUS_TERMINATED : STATUS_INTERRUPTED; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress *self, const command *which, bool quiet) {
    *self = (progress){.command = which, .quiet = quiet, .terminal = isatty(STDERR_FILENO) != 0, .started = now()};
    /* SA_RESTART: reads are not cut short. SA_RESETHAND: the second signal ends the program. */
    struct sigaction action = {.sa_handler = ask_to_stop};
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

double progress_seconds(const progress *self) { return now() - self->started; }

void progress_end(progress *self) {
    if (self->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        self->shown = false;
    }
}

static void write_bar(double fraction) {
    const int filled = (int)(fraction * BAR_WIDTH);
    fputs(" [", stderr);
    for (int i = 0; i < BAR_WIDTH; i++) {
        fputc(i < filled ? '#' : '-', stderr);
    }
    fputc(']', stderr);
}

static void write_line(progress *self, const cnm_progress *at, double time) {
    const bool known = at->total > 0 && at->done <= at->total;
    const double fraction = known ? (double)at->done / (double)at->total : 0;
    double left = at->seconds_left;
    if (!(left > 0) && fraction > 0) {
        left = (time - self->phase_started) * (1 - fraction) / fraction;
    }
    fputs(self->terminal ? "\r\033[K" : "", stderr);
    if (self->features > 0) {
        fprintf(stderr, "%zu features: ", self->features);
    }
    fputs(at->phase, stderr);
    if (known) {
        if (self->terminal) {
            write_bar(fraction);
        }
        fprintf(stderr, " %d%%, step %llu of %llu", (int)(100 * fraction), (unsigned long long)at->done,
                (unsigned long long)at->total);
    } else {
        fprintf(stderr, " %llu", (unsigned long long)at->done);
    }
    if (isfinite(at->loss) && at->loss != 0) {
        fprintf(stderr, ", loss %s", number_digits(at->loss, 4).text);
    }
    if (isfinite(at->validation) && at->validation != 0) {
        fprintf(stderr, ", validation %s", number_digits(at->validation, 4).text);
    }
    if (at->rows_per_second > 0) {
        fprintf(stderr, ", %s rows/s", number_fixed(at->rows_per_second, 0).text);
    }
    if (fraction > 0) {
        fprintf(stderr, ", about %s s left", number_fixed(left, 0).text);
    }
    if (!self->terminal) {
        fputc('\n', stderr);
    }
    self->shown = self->terminal;
    fflush(stderr);
}

static int on_progress(const cnm_progress *at, void *user) {
    progress *self = user;
    const double time = now();
    if (self->phase == NULL || strcmp(self->phase, at->phase) != 0) {
        self->phase = at->phase;
        self->phase_started = time;
    }
    if (!self->quiet && time - self->started >= QUIET_SECONDS &&
        time - self->written >= (self->terminal ? TERMINAL_SECONDS : LINE_SECONDS)) {
        write_line(self, at, time);
        self->written = time;
    }
    return interrupted();
}

static void on_notice(const char *sentence, void *user) {
    progress *self = user;
    if (!self->quiet) {
        progress_end(self);
        report_note(self->command, "note: %s", sentence);
    }
}

cnm_callbacks progress_callbacks(progress *self) {
    return (cnm_callbacks){
        .struct_size = sizeof(cnm_callbacks), .progress = on_progress, .notice = on_notice, .user = self};
}
