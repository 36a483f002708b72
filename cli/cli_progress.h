/* Prints progress and notices on standard error, and handles Ctrl-C. SIGTERM, with which systems
 * end programs, differs in the exit status only. */
#ifndef CNM_CLI_CLI_PROGRESS_H
#define CNM_CLI_CLI_PROGRESS_H

#include <stdbool.h>

#include "cnm/types.h"
#include "command.h"
#include "progress_line.h"

typedef struct progress {
    const command *command;
    bool quiet;       /* nothing is printed */
    bool silent;      /* no progress, only notices: it would be drawn into results */
    bool terminal;    /* a bar that is redrawn; else plain lines */
    bool shown;       /* a bar is on the terminal's last line */
    bool untimed;     /* the present part's share of the work is a guess, so no time left follows from it */
    double started;   /* on the clock of the system, in seconds */
    double written;   /* when the latest line was written */
    double after;     /* seconds after which progress begins */
    double from, to;  /* what the present part is of the command's work; both 0: all of it */
    double reached;   /* the largest fraction that was shown */
    char prefix[112]; /* shown in front, where several models are trained */
    char stage[32];   /* of the latest report */
    time_left left;
} progress;

/* Starts the clock. From now on the first Ctrl-C asks to stop, the second ends the program. quiet:
 * nothing is printed. */
void progress_begin(progress *self, const command *which, bool quiet);
/* Returns the callbacks to give to the library; `self` must outlive their use. */
cnm_callbacks progress_callbacks(progress *self);
/* Says that the next calls of the library are the part of the command's work from the end of the
 * part before up to `to` (0 to 1). prefix names it; "" for no name. Without a call, a command is
 * one part. */
void progress_part(progress *self, double to, const char *prefix);
/* Says that the next calls read rows, which is a small part of the command; how small is not known,
 * so that no time left is shown, and what comes then (progress_part) begins at what was shown. */
void progress_reading(progress *self);
/* Removes the bar. Due before anything else is printed. */
void progress_end(progress *self);
/* Returns the seconds since progress_begin. */
double progress_seconds(const progress *self);

/* Returns whether Ctrl-C or SIGTERM came. */
bool interrupted(void);
/* Returns the exit status for the signal that came. */
int interrupted_status(void);

#endif
