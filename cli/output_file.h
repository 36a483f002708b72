/* Results into a file, so that a failure or an interruption leaves the old one, or onto standard output. */
#ifndef CNM_CLI_OUTPUT_FILE_H
#define CNM_CLI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "cnm/types.h"

typedef struct output {
    const char *path; /* borrowed */
    char *temporary;  /* where the bytes are until output_commit; NULL: written in place */
    FILE *stream;
} output;

/* "-" is standard output. A plain file is written beside its name and renamed; links, pipes and devices in place. */
cnm_status output_open(output *self, const char *path, cnm_error *error);
/* Syncs and renames; ends self in every case. */
cnm_status output_commit(output *self, cnm_error *error);
/* Removes what was written; does nothing for an output that was never opened (zero-initialised) or is ended. */
void output_abandon(output *self);

/* Fails when a file of this name could not be made: better now than after an hour of work. */
cnm_status output_check(const char *path, cnm_error *error);

/* Whether two names stand for one existing file. */
bool output_same_file(const char *one, const char *other);

/* Whether everything printed to standard output arrived. */
cnm_status output_finish_standard(cnm_error *error);

#endif
