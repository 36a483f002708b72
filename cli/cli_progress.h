/* Prints progress and notices on standard error, and handles Ctrl-C. SIGTERM, with which systems
 * end programs, differs in the exit status only. */
#ifndef CNM_CLI_CLI_PROGRESS_H
#define CNM_CLI_CLI_PROGRESS_H

#include <stdbool.h>

#include "cnm/types.h"
#include "command.h"

typedef struct progress {
    const command *command;
    bool quiet;
    bool terminal; /* a bar that is redrawn; else plain lines */
    bool shown;    /* a bar is on the terminal's last line */
    double started, written;
    size_t features;   /* shown in front, where several models are trained; 0: not */
    const char *phase; /* whatever word the library reports */
    double phase_started;
} progress;

/* Starts the clock. From now on the first Ctrl-C asks to stop, the second ends the program. quiet:
 * nothing is printed. */
void progress_begin(progress *self, const command *which, bool quiet);
/* Returns the callbacks to give to the library; `self` must outlive their use. */
cnm_callbacks progress_callbacks(progress *self);
/* Removes the bar. */
void progress_end(progress *self);
/* Returns the seconds since progress_begin. */
double progress_seconds(const progress *self);

/* Returns whether Ctrl-C or SIGTERM came. */
bool interrupted(void);
/* Returns the exit status for the signal that came. */
int interrupted_status(void);

#endif
