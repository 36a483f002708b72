/* Progress and notices on standard error, and Ctrl-C. SIGTERM, with which systems end programs, is the same but for the exit status. */
#ifndef CNM_CLI_CLI_PROGRESS_H
#define CNM_CLI_CLI_PROGRESS_H

#include <stdbool.h>

#include "cnm/types.h"
#include "command.h"

typedef struct progress {
    const command *command;
    bool quiet;
    bool terminal; /* a bar that is redrawn; else plain lines */
    bool shown;    /* a bar stands on the terminal's last line */
    double started, written;
    size_t features; /* shown in front, where several models are trained; 0: not */
    const char *phase;
    double phase_started;
} progress;

/* quiet: nothing is written; Ctrl-C still works. From now on the first Ctrl-C asks to stop, the second ends the program. */
void progress_start(progress *self, const command *which, bool quiet);
/* For the library; self must outlive its use. */
cnm_callbacks progress_callbacks(progress *self);
/* Takes the bar away. */
void progress_end(progress *self);
/* Seconds since progress_start. */
double progress_seconds(const progress *self);

/* Ctrl-C was pressed, or SIGTERM came; and the exit status for it. */
bool interrupted(void);
int interrupted_status(void);

#endif
