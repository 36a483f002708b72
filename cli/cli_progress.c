/* Draws one bar over all stages of a command on a terminal, and prints plain lines elsewhere;
 * nothing in the first two seconds. Not here: what a line says (progress_line.c). */
#include "cli_progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli_format.h"
#include "report_error.h"
#include "terminal_width.h"

static const double QUIET_SECONDS = 2.0, TERMINAL_SECONDS = 0.1, LINE_SECONDS = 5.0;
static const double READING_SHARE = 0.1; /* of the bar */

/* Ends a line that is redrawn: the cursor goes back to its beginning, where a terminal keeps it
 * when a resize wraps the line, and clearing to the end of the screen then clears all of it. */
static const char LINE_END[] = "\033[J\r", CLEAR[] = "\r\033[J";

static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal_number) { stop_asked = signal_number; }

bool interrupted(void) { return stop_asked != 0; }

int interrupted_status(void) { return stop_asked == SIGTERM ? STATUS_TERMINATED : STATUS_INTERRUPTED; }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Returns the seconds after which progress begins: $CNM_PROGRESS_AFTER, else two. */
static double quiet_seconds(void) {
    const double asked = number_of_text(getenv("CNM_PROGRESS_AFTER"));
    return asked >= 0 ? asked : QUIET_SECONDS;
}

void progress_begin(progress *self, const command *which, bool quiet) {
    *self = (progress){
        .command = which, .quiet = quiet, .terminal = terminal_redraws(), .started = now(), .after = quiet_seconds()};
    /* SA_RESTART: reads are not cut short. SA_RESETHAND: the second signal ends the program. */
    struct sigaction action = {.sa_handler = ask_to_stop};
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (self->terminal) {
        terminal_watch();
    }
}

double progress_seconds(const progress *self) { return now() - self->started; }

void progress_part(progress *self, double to, const char *prefix) {
    self->from = self->untimed ? self->reached : self->to;
    self->to = fmin(fmax(to, self->from), 1);
    (void)snprintf(self->prefix, sizeof self->prefix, "%s", prefix);
    self->untimed = false;
    self->stage[0] = '\0';
}

void progress_reading(progress *self) {
    progress_part(self, READING_SHARE, "");
    self->untimed = true;
}

void progress_end(progress *self) {
    if (self->shown) {
        fputs(CLEAR, stderr);
        fflush(stderr);
        self->shown = false;
    }
}

/* Returns the fraction of the whole command; NaN where it is unknown. */
static double overall(const progress *self, const cnm_progress *at) {
    const double to = self->to > 0 ? self->to : 1, inside = fmin(at->fraction, 1);
    return isnan(at->fraction) ? at->fraction : fmax(self->from + (to - self->from) * inside, self->reached);
}

/* Takes a sample for the time left; returns NaN where that is unknown. */
static double estimate(progress *self, const cnm_progress *at, double fraction) {
    if (strcmp(self->stage, at->phase) != 0) {
        if (self->stage[0] != '\0') { /* the end of a part is where its work was expected to be done */
            time_left_skip(&self->left);
        }
        (void)snprintf(self->stage, sizeof self->stage, "%s", at->phase);
    }
    return isnan(fraction) || self->untimed ? (double)NAN
                                            : time_left_add(&self->left, fraction, progress_seconds(self));
}

static void write_line(progress *self, const progress_facts *facts) {
    char text[512];
    progress_line(facts, self->terminal, self->terminal ? terminal_width() - 1 : sizeof text, text, sizeof text);
    fprintf(stderr, "%s%s", text, self->terminal ? LINE_END : "\n");
    fflush(stderr);
    self->shown = self->terminal;
    self->reached = isnan(facts->fraction) ? self->reached : facts->fraction;
}

/* Returns whether a line is due; with no seconds to wait at the beginning, every report is. */
static bool is_due(const progress *self, double time) {
    const double between = self->terminal ? TERMINAL_SECONDS : LINE_SECONDS;
    return !self->quiet && !self->silent && time - self->started >= self->after &&
           (time - self->written >= between || !(self->after > 0));
}

static int on_progress(const cnm_progress *at, void *user) {
    progress *self = user;
    const double time = now(), fraction = overall(self, at);
    const progress_facts facts = {.prefix = self->prefix,
                                  .stage = at->phase,
                                  .fraction = fraction,
                                  .done = at->done,
                                  .loss = at->loss,
                                  .validation = at->validation,
                                  .rows_per_second = at->rows_per_second,
                                  .seconds_left = estimate(self, at, fraction)};
    if (is_due(self, time)) {
        write_line(self, &facts);
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
