/* Reads rows a batch at a time, or all at once where they are shuffled. */
#include "row_batches.h"

#include <string.h>

#include "cli_progress.h"
#include "described_values.h"
#include "report_error.h"

enum { BATCH_ROWS = 8192 };

cnm_status batches_open(batches *self, const char *path, const cnm_options *options, const cnm_model *model,
                        const cnm_callbacks *callbacks, cnm_error *error) {
    *self = (batches){0};
    if (strcmp(option_text(options, "shuffle"), "none") != 0) {
        return cnm_data_load(&self->all, path, options, model, callbacks, error);
    }
    return cnm_reader_open(&self->reader, path, options, model, callbacks, error);
}

cnm_status batches_next(batches *self, cnm_data **out, cnm_error *error) {
    *out = NULL;
    if (interrupted()) {
        return error_fill(error, CNM_CANCELLED, "interrupted");
    }
    if (self->reader != NULL) {
        const cnm_status status = cnm_reader_next(self->reader, BATCH_ROWS, out, error);
        return status == CNM_CANCELLED ? error_fill(error, status, "interrupted") : status;
    }
    *out = self->all;
    self->all = NULL;
    return CNM_OK;
}

void batches_close(batches *self) {
    cnm_reader_destroy(self->reader);
    cnm_data_destroy(self->all);
    *self = (batches){0};
}
