/* Reads rows for predict, transform and export, a batch at a time, so that memory does not grow
 * with the file. A shuffled file is the exception: its rows are needed all at once. */
#ifndef CNM_CLI_ROW_BATCHES_H
#define CNM_CLI_ROW_BATCHES_H

#include "cnm/cnm.h"

typedef struct batches {
    cnm_reader *reader; /* NULL when shuffled */
    cnm_data *all;      /* shuffled: all rows, until batches_next gave them to the caller */
} batches;

cnm_status batches_open(batches *self, const char *path, const cnm_options *options, const cnm_model *model,
                        const cnm_callbacks *callbacks, cnm_error *error);
/* Reads a batch, which the caller destroys; *out = NULL after the last rows. Fails with
 * CNM_CANCELLED after Ctrl-C. */
cnm_status batches_next(batches *self, cnm_data **out, cnm_error *error);
/* Does nothing for a zero-initialised `self`. */
void batches_close(batches *self);

#endif
