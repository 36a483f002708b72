/* cnm export: writes a model as plain C or ONNX, and prints the memory that the C needs and the
 * accuracy that rounding costs on given rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "cli_progress.h"
#include "described_values.h"
#include "file_names.h"
#include "metric_traits.h"
#include "output_file.h"
#include "print_facts.h"
#include "report_error.h"
#include "row_batches.h"

enum { WHICH = 2 }; /* the model as it is, and as it is exported */

/* One run: both models, and the evaluation of each on --data. */
typedef struct exporting {
    const arguments *line;
    const char *to, *dtype, *path;
    cnm_model *models[WHICH];
    cnm_evaluation *evaluations[WHICH];
    batches batches;
    float *scores; /* (capacity, outputs) */
    size_t capacity;
    size_t flash, stack;
} exporting;

/* ---- The accuracy lost ---- */

static cnm_status reserve_scores(exporting *self, size_t rows, cnm_error *error) {
    if (rows <= self->capacity) {
        return CNM_OK;
    }
    free(self->scores);
    self->scores = calloc(rows * cnm_model_outputs(self->models[0]), sizeof *self->scores);
    self->capacity = self->scores == NULL ? 0 : rows;
    return self->scores != NULL ? CNM_OK
                                : error_fill(error, CNM_NO_MEMORY, "out of memory: the scores of %zu rows", rows);
}

static cnm_status evaluate_batch(exporting *self, const cnm_data *data, cnm_error *error) {
    TRY(reserve_scores(self, cnm_data_rows(data), error));
    if (!cnm_data_is_labelled(data)) {
        return error_fill(error, CNM_BAD_DATA, "%s has no labels to compare with", arguments_own(self->line, "data"));
    }
    for (size_t i = 0; i < WHICH; i++) {
        TRY(cnm_predict_scores(self->models[i], data, threads_wanted(self->line->options), self->scores, error));
        TRY(cnm_evaluation_add(self->evaluations[i], data, self->scores, error));
    }
    return CNM_OK;
}

static cnm_status evaluate(exporting *self, const char *data_path, const cnm_callbacks *callbacks, cnm_error *error) {
    for (size_t i = 0; i < WHICH; i++) {
        TRY(cnm_evaluation_create(&self->evaluations[i], self->models[i], 0, error));
    }
    TRY(batches_open(&self->batches, data_path, self->line->options, self->models[0], callbacks, error));
    for (;;) {
        cnm_data *data;
        TRY(batches_next(&self->batches, &data, error));
        if (data == NULL) {
            return CNM_OK;
        }
        const cnm_status status = evaluate_batch(self, data, error);
        cnm_data_destroy(data);
        TRY(status);
    }
}

/* ---- What is printed ---- */

/* Returns accuracy, R2 or pinball loss on --data; NaN where no rows were given. */
static double metric_of(const exporting *self, size_t which) {
    const char *name = metric_usual(self->models[0]);
    return self->evaluations[which] == NULL ? NAN : metric_value(self->evaluations[which], name);
}

static void print_facts(const exporting *self, const char *header) {
    const bool json = arguments_own(self->line, "json") != NULL, c = header != NULL;
    const char *metric = metric_usual(self->models[0]);
    char exported[32];
    (void)snprintf(exported, sizeof exported, "%s-exported", metric);
    const fact facts[] = {
        {"file", self->path, NAN},
        {"header", header, NAN},
        {"dtype", self->dtype, NAN},
        {"flash", NULL, c ? (double)self->flash : NAN},
        {"stack", NULL, c ? (double)self->stack : NAN},
        {metric, NULL, metric_of(self, 0)},
        {exported, NULL, metric_of(self, 1)},
    };
    facts_print(stdout, facts, sizeof facts / sizeof facts[0], json);
}

/* ---- The command ---- */

static cnm_status export_all(exporting *self, const cnm_callbacks *callbacks, cnm_error *error) {
    const char *data = arguments_own(self->line, "data"), *name = arguments_own(self->line, "name");
    TRY(cnm_model_load(&self->models[0], self->line->operands[0], error));
    TRY(cnm_model_round(&self->models[1], self->models[0], self->dtype, error));
    TRY(data != NULL ? evaluate(self, data, callbacks, error) : CNM_OK);
    TRY(cnm_model_export(self->models[0], self->to, self->dtype, name, self->path, error));
    return strcmp(self->to, "c") == 0
               ? cnm_model_footprint(self->models[0], self->dtype, &self->flash, &self->stack, error)
               : CNM_OK;
}

/* Checks the line. A format that is not named follows from the file's ending. */
static int check_line(exporting *self) {
    const arguments *line = self->line;
    self->to = arguments_own(line, "to");
    self->path = arguments_own(line, "output");
    self->dtype = arguments_own(line, "dtype");
    if (self->path == NULL) {
        return usage_error(line->command, "-o FILE.c or -o FILE.onnx is needed");
    }
    if (self->to == NULL) {
        self->to = name_ends_with(self->path, ".c") ? "c" : name_ends_with(self->path, ".onnx") ? "onnx" : NULL;
    }
    if (self->to == NULL) {
        return usage_error(line->command, "\"%s\" ends neither in .c nor in .onnx: add --to c or --to onnx",
                           self->path);
    }
    if (strcmp(self->to, "c") == 0 && !name_ends_with(self->path, ".c")) {
        return usage_error(line->command, "\"%s\" does not end in .c: two files are written, FILE.c and FILE.h",
                           self->path);
    }
    if (strcmp(self->to, "onnx") == 0 && arguments_own(line, "name") != NULL) {
        return usage_error(line->command, "--name is for C: names in ONNX are fixed");
    }
    self->dtype = self->dtype == NULL ? "f32" : self->dtype;
    return STATUS_OK;
}

static void free_all(exporting *self) {
    for (size_t i = 0; i < WHICH; i++) {
        cnm_evaluation_destroy(self->evaluations[i]);
        cnm_model_destroy(self->models[i]);
    }
    batches_close(&self->batches);
    free(self->scores);
}

/* Returns FILE.h of FILE.c, which the caller frees; NULL where there is none, or no memory for its
 * name. */
static char *header_of(const exporting *self) {
    const size_t length = strlen(self->path);
    char *header = strcmp(self->to, "c") == 0 ? malloc(length + 1) : NULL;
    if (header != NULL) {
        memcpy(header, self->path, length + 1);
        header[length - 1] = 'h';
    }
    return header;
}

static int run(const arguments *line) {
    exporting self = {.line = line};
    cnm_error error = {CNM_OK, ""};
    const int usage = check_line(&self);
    if (usage != STATUS_OK) {
        return usage;
    }
    if (output_check(self.path, &error) != CNM_OK) {
        return report_error(line->command, &error);
    }
    progress bar;
    progress_begin(&bar, line->command, arguments_own(line, "quiet") != NULL);
    const cnm_callbacks callbacks = progress_callbacks(&bar);
    int result = STATUS_OK;
    if (export_all(&self, &callbacks, &error) != CNM_OK) {
        progress_end(&bar);
        result = report_error(line->command, &error);
    } else if (arguments_own(line, "quiet") == NULL) {
        char *header = header_of(&self);
        progress_end(&bar);
        print_facts(&self, header);
        free(header);
    }
    free_all(&self);
    return result;
}

static const own_option OPTIONS[] = {
    {"output", 'o', "FILE", "the file to write; C gets a header beside it", NULL},
    {"to", 0, "c|onnx", "what to write; without it, that of the name's ending", NULL},
    {"dtype", 0, "f32|f16|i8", "bits of the tables of C (f32)", NULL},
    {"name", 0, "NAME", "what the names in C begin with (the file's name)", NULL},
    {"data", 0, "FILE", "labelled rows: accuracy (or R2) on them as the model is, and with the exported weights", NULL},
    {"json", 0, NULL, "the results as one JSON object", NULL},
    {"quiet", 'q', NULL, "no results, no progress and no notes", NULL},
};

const command COMMAND_EXPORT = {
    .name = "export",
    .usage = "[options] MODEL -o FILE.c|FILE.onnx",
    .summary = "write the model as plain C or ONNX",
    .guide = "  cnm export digits.cnm -o digits.c             C99 and a header, no library\n"
             "  cnm export digits.cnm -o digits.c --dtype i8  a quarter of the size ...\n"
             "  cnm export digits.cnm -o digits.c --dtype i8 --data test.csv\n"
             "                                                ... and what it costs\n"
             "  cnm export digits.cnm -o digits.onnx          label and probabilities\n"
             "\n"
             "The C allocates nothing and keeps nothing; `flash` is its constant tables,\n"
             "`stack` its arrays, in bytes. Its names are NAME_predict, NAME_scores,\n"
             "NAME_labels; NAME_value for regression. The header has an example.\n",
    .purpose = CNM_FOR_DATA | CNM_FOR_PREDICT,
    .options = OPTIONS,
    .option_count = sizeof OPTIONS / sizeof OPTIONS[0],
    .least = 1,
    .most = 1,
    .run = run,
};
