/* Writes results into a file, so that a failure or an interruption leaves the old one, or onto
 * standard output. */
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

/* Opens an output; "-" is standard output. A plain file is written aside and renamed at the end;
 * links, pipes and devices are written in place. */
cnm_status output_open(output *self, const char *path, cnm_error *error);
/* Syncs and renames. Ends `self` in every case. */
cnm_status output_commit(output *self, cnm_error *error);
/* Removes what was written. Does nothing for an output that is zero-initialised or ended. */
void output_abandon(output *self);

/* Fails when a file of this name could not be made: to be called before a long computation. */
cnm_status output_check(const char *path, cnm_error *error);

/* Returns whether two names belong to one existing file. */
bool output_same_file(const char *one, const char *other);

/* Closes standard output. Fails where not everything printed to it was written. */
cnm_status output_finish_standard(cnm_error *error);

#endif
