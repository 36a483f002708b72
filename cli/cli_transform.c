/* cnm transform: writes the map's features Z(x) of rows, for other programs. */
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cli_npy.h"
#include "cli_progress.h"
#include "described_values.h"
#include "file_names.h"
#include "report_error.h"
#include "row_batches.h"
#include "unseen_cells.h"

typedef struct transformation {
    const arguments *line;
    cnm_model *model;
    batches batches;
    npy npy;
    float *z; /* (capacity, features) */
    size_t capacity;
    unseen_cells unseen;
} transformation;

/* Transforms the rows of one batch and writes their features. */
static cnm_status transform_batch(transformation *self, const cnm_data *data, cnm_error *error) {
    const size_t rows = cnm_data_rows(data);
    if (rows > self->capacity) {
        free(self->z);
        self->capacity = rows;
        self->z = calloc(rows * cnm_model_features(self->model), sizeof *self->z);
        if (self->z == NULL) {
            self->capacity = 0;
            return error_fill(error, CNM_NO_MEMORY, "out of memory: the features of %zu rows", rows);
        }
    }
    const size_t threads = threads_wanted(self->line->options);
    TRY(cnm_transform(self->model, data, threads, self->z, error));
    TRY(unseen_cells_add(&self->unseen, self->model, data, error));
    return npy_file_add(&self->npy, self->z, rows, error);
}

static cnm_status transform_all(transformation *self, const char *path, const cnm_callbacks *callbacks,
                                cnm_error *error) {
    const char *const *operands = self->line->operands;
    TRY(cnm_model_load(&self->model, operands[0], error));
    TRY(batches_open(&self->batches, operands[1], self->line->options, self->model, callbacks, error));
    TRY(npy_file_open(&self->npy, path, cnm_model_features(self->model), error));
    for (;;) {
        cnm_data *data;
        TRY(batches_next(&self->batches, &data, error));
        if (data == NULL) {
            return npy_file_commit(&self->npy, error);
        }
        const cnm_status status = transform_batch(self, data, error);
        cnm_data_destroy(data);
        TRY(status);
    }
}

static int run(const arguments *line) {
    const char *path = arguments_own(line, "output");
    cnm_error error = {CNM_OK, ""};
    if (path == NULL) {
        return usage_error(line->command, "-o FILE.npy is needed (- is standard output)");
    }
    if (strcmp(path, "-") != 0 && strncmp(path, "/dev/", 5) != 0 && !name_ends_with(path, ".npy")) {
        return usage_error(line->command,
                           "\"%s\" does not end in .npy, the format that is written; cnm convert makes others of it",
                           path);
    }
    if (output_check(path, &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    transformation self = {.line = line};
    progress bar;
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    const cnm_status status = transform_all(&self, path, &callbacks, &error);
    progress_end(&bar);
    if (status == CNM_OK) {
        unseen_cells_report(&self.unseen, self.model, &callbacks);
    }
    unseen_cells_free(&self.unseen);
    npy_file_abandon(&self.npy);
    batches_close(&self.batches);
    cnm_model_destroy(self.model);
    free(self.z);
    return status == CNM_OK ? STATUS_OK : report_error(line->command, &error);
}

static const own_option OPTIONS[] = {
    {"output", 'o', "FILE", "the .npy file to write, float32 (rows, features); - is standard output", NULL},
    {"quiet", 'q', NULL, "no progress and no notes", NULL},
};

const command COMMAND_TRANSFORM = {
    .name = "transform",
    .usage = "[options] MODEL DATA -o Z.npy",
    .summary = "write the features of the map",
    .guide = "  cnm train -m kernel-approximation --task map -k 64 digits.csv map.cnm   train a map; needs no labels\n"
             "  cnm transform map.cnm digits.csv -o z.npy                 its features, for any linear method\n"
             "\n"
             "The file holds Z(x), sqrt(2/k) included: the inner product of two rows approximates the kernel.\n",
    .purpose = CNM_FOR_DATA | CNM_FOR_PREDICT,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 2,
    .most = 2,
    .run = run,
};
